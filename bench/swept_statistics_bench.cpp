// Statistics of distances that come vertex by vertex, beside the pass over rows.
//
//   apsp_swept_statistics_bench [--type T] [--rounds N] [--greatest D] [--vertices N]
//
// Invented distances of 65,536 vertices up to 2,000 unless others are given: near sources have near
// distances, as a sweep brings them. Min-plus in u16, i32 and f32, blocks of 512 bytes a vertex,
// one and two threads; the best of all rounds, G values a second. Where pairs come once, a value
// counts for two pairs.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "base/aligned_memory.hpp"
#include "base/random.hpp"
#include "base/team.hpp"
#include "statistics/column_statistics.hpp"
#include "statistics/statistics_pass.hpp"

namespace {

using namespace apsp;

struct Settings {
  std::string type;  // empty: all
  int rounds = 3;
  std::int64_t greatest = 2000;
  std::int64_t vertices = 65536;
};

constexpr std::int64_t kBlockBytes = 512;
constexpr std::int64_t kVertices = 2;  // of a call, as supernodes of a road network have
/// Of vertices whose values stand beside each other: a sweep's are in the second-level cache too.
constexpr std::int64_t kHot = 1024;

/// Walks over the distances, one a column, that differ little from row to row.
template <class T>
std::vector<T> drawn(std::int64_t rows, std::int64_t cols, std::int64_t greatest) {
  base::SplitMix64 random(1);
  std::vector<T> values(static_cast<std::size_t>(rows * cols));
  std::int64_t base = greatest / 2;
  for (std::int64_t i = 0; i < rows; ++i) {
    base = (base + static_cast<std::int64_t>(random.below(21))) % greatest;
    for (std::int64_t j = 0; j < cols; ++j) {
      const std::int64_t apart = static_cast<std::int64_t>(random.below(3)) + j / 8;
      values[static_cast<std::size_t>(i * cols + j)] =
          static_cast<T>(1 + (base + apart) % greatest);
    }
  }
  return values;
}

class Bench {
 public:
  Bench(ValueType type, const Settings& settings)
      : type_(type),
        settings_(settings),
        lanes_(kBlockBytes / size_of(type)),
        values_(settings.vertices * kBlockBytes),
        vertices_(static_cast<std::size_t>(settings.vertices)),
        graph_(GraphBuilder(settings.vertices, false).build()) {
    fill();
    std::iota(vertices_.begin(), vertices_.end(), Vertex{0});
    base::SplitMix64 random(2);
    for (std::size_t i = vertices_.size(); i > 1; --i) {
      std::swap(vertices_[i - 1], vertices_[random.below(i)]);
    }
  }

  void run() const {
    for (const int threads : {1, 2}) {
      fmt::print("{} lanes {:4} threads {}: by rows {:5.2f}, swept {:5.2f}, pairs once {:5.2f}\n",
                 name(type_), lanes_, threads, rate(threads, [&] { by_rows(threads); }),
                 rate(threads, [&] { swept(threads, false); }),
                 rate(threads, [&] { swept(threads, true); }));
    }
  }

 private:
  static constexpr int kBlocks = 4;  // a thread and round

  void fill() {
    const auto copy = [&]<class T>(T*) {
      const std::vector<T> drawn_ = drawn<T>(settings_.vertices, lanes_, settings_.greatest);
      std::copy(drawn_.begin(), drawn_.end(), values_.as<T>());
    };
    if (type_ == ValueType::u16) copy(values_.as<std::uint16_t>());
    if (type_ == ValueType::i32) copy(values_.as<std::int32_t>());
    if (type_ == ValueType::f32) copy(values_.as<float>());
  }

  template <class F>
  double rate(int threads, F&& work) const {
    double best = 1e9;
    for (int round = 0; round < settings_.rounds; ++round) {
      const auto start = std::chrono::steady_clock::now();
      work();
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
      best = std::min(best, took.count());
    }
    const auto values = static_cast<double>(settings_.vertices * lanes_ * kBlocks * threads);
    return values / best / 1e9;
  }

  std::vector<Vertex> sources(int block) const {
    std::vector<Vertex> list(static_cast<std::size_t>(lanes_));
    std::iota(list.begin(), list.end(), static_cast<Vertex>(block * lanes_));
    return list;
  }

  void swept(int threads, bool pairs_once) const {
    statistics::SweptStatistics statistics(graph_, Semiring::min_plus, type_,
                                           static_cast<double>(settings_.greatest), pairs_once);
    std::vector<flow::ColumnSink::Writer*> counters;
    for (int i = 0; i < threads; ++i) counters.push_back(&statistics.part());
    base::share_items(kBlocks * threads, threads, [&](std::int64_t block, int member) {
      const std::vector<Vertex> from = sources(static_cast<int>(block));
      flow::ColumnSink::Writer& counter = *counters[static_cast<std::size_t>(member)];
      counter.begin(from);
      for (std::int64_t v = 0; v + kVertices <= settings_.vertices; v += kVertices) {
        counter.take({vertices_.data() + v, kVertices}, values_.data() + v % kHot * kBlockBytes,
                     lanes_);
      }
      counter.end();
    });
  }

  /// The same values as rows; a block that came is as good as a new one.
  void by_rows(int threads) const {
    statistics::StatisticsPass pass(graph_, Semiring::min_plus, type_,
                                    static_cast<double>(settings_.greatest));
    base::share_items(kBlocks * threads, threads, [&](std::int64_t block) {
      const std::vector<Vertex> from = sources(static_cast<int>(block));
      pass.take({from, values_.data(), settings_.vertices, type_});
    });
  }

  ValueType type_;
  Settings settings_;
  std::int64_t lanes_;
  base::AlignedMemory values_;  // [vertices, lanes]
  std::vector<Vertex> vertices_;
  Graph graph_;
};

Settings read(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string word = argv[i];
    const std::int64_t value = std::max(1LL, std::atoll(argv[i + 1]));
    if (word == "--type") settings.type = argv[i + 1];
    if (word == "--rounds") settings.rounds = static_cast<int>(value);
    if (word == "--greatest") settings.greatest = std::min<std::int64_t>(value, 32766);
    if (word == "--vertices") settings.vertices = std::max<std::int64_t>(value, 4096);
  }
  return settings;
}

}  // namespace

int main(int argc, char** argv) {
  const Settings settings = read(argc, argv);
  for (const ValueType type : {ValueType::u16, ValueType::i32, ValueType::f32}) {
    if (settings.type.empty() || settings.type == name(type)) Bench(type, settings).run();
  }
}
