// Rows, columns and single values of reduced lengths become the same distances, to the last bit.
#include "flow/restored_rows.hpp"

#include "base/random.hpp"
#include "support/test.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::flow::restored_rows_test {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();
constexpr std::int64_t kSize = 300, kLanes = 8;

double length(Vertex s, Vertex t) {
  return (s + t) % 7 == 6 ? kNone : 0.1 * ((3 * s + 5 * t) % 97);
}

/// Invented lengths to some vertices, by row, by column and to a view.
class Lengths final : public RowSource {
 public:
  explicit Lengths(std::vector<Vertex> targets) : order_(kSize), targets_(std::move(targets)) {
    std::iota(order_.begin(), order_.end(), Vertex{0});
  }
  std::int64_t vertices() const override { return kSize; }
  std::int64_t columns() const override { return std::ssize(targets_); }
  Semiring semiring() const override { return Semiring::min_plus; }
  ValueType type() const override { return ValueType::f64; }
  std::span<const Vertex> order() const override { return order_; }
  std::int64_t block_rows() const override { return kLanes; }
  std::int64_t worker_bytes() const override { return 0; }
  RowAbilities abilities() const override { return {.columns = true, .views = true}; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<Invented>(*this); }
  bool pair(Vertex s, Vertex t, void* value) const override {
    const double found = length(s, t);
    std::memcpy(value, &found, sizeof found);
    return true;
  }

 private:
  struct Invented final : Worker {
    explicit Invented(const Lengths& of) : of_(of) {}
    void compute(std::span<const Vertex> sources, void* rows, std::int64_t stride) override {
      auto* row = static_cast<double*>(rows);
      for (const Vertex s : sources) {
        for (std::size_t j = 0; j < of_.targets_.size(); ++j) row[j] = length(s, of_.targets_[j]);
        row += stride;
      }
    }
    void compute_columns(std::span<const Vertex> sources, ColumnSink::Writer& part, bool) override {
      const std::int64_t bytes = kLanes * std::int64_t{sizeof(double)};
      system::AlignedMemory values(of_.columns() * bytes);
      for (std::size_t j = 0; j < of_.targets_.size(); ++j) {
        for (std::size_t i = 0; i < sources.size(); ++i) {
          values.as<double>()[j * kLanes + i] = length(sources[i], of_.targets_[j]);
        }
      }
      part.begin(sources);
      part.take(of_.targets_, values.data(), kLanes);
      part.end();
    }
    void compute_into(std::span<const Vertex> sources, const store::RowView& view,
                      ColumnSink::Writer* part) override {
      for (std::size_t i = 0; i < sources.size(); ++i) {
        for (std::int64_t j = 0; j < of_.columns(); ++j) {
          std::byte* const group = view.rows[i] + j / view.group * view.apart;
          reinterpret_cast<double*>(group)[j % view.group] =
              length(sources[i], of_.targets_[static_cast<std::size_t>(j)]);
        }
      }
      if (part != nullptr) compute_columns(sources, *part, false);
    }
    const Lengths& of_;
  };

  std::vector<Vertex> order_, targets_;
};

class Columns final : public ColumnSink::Writer {
 public:
  void begin(std::span<const Vertex> sources) override { sources_ = sources; }
  void take(std::span<const Vertex> vertices, const void* values, std::int64_t lanes) override {
    const auto* column = static_cast<const double*>(values);
    for (const Vertex t : vertices) {
      for (std::size_t i = 0; i < sources_.size(); ++i) found[{sources_[i], t}] = column[i];
      column += lanes;
    }
  }
  void end() override {}

  std::map<std::pair<Vertex, Vertex>, double> found;

 private:
  std::span<const Vertex> sources_;
};

TEST(RestoredRows, AreTheSameByRowColumnViewAndPair) {
  base::SplitMix64 random(3);
  std::vector<base::Potential> h;
  for (std::int64_t v = 0; v < kSize; ++v) h.push_back({-1e9 * random.uniform(), 0x1p-40});
  const std::vector<Vertex> sources = {0, 7, 299, 12, 13};
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_plus}) {
    for (const bool all : {true, false}) {
      std::vector<Vertex> targets = {5, 0, 298, 17, 12};
      if (all) targets.resize(kSize), std::iota(targets.begin(), targets.end(), Vertex{0});
      const auto columns = targets.size();
      const RestoredRows rows(std::make_unique<Lengths>(targets), h,
                              all ? store::VertexList() : store::VertexList(targets), semiring);
      Columns by_column;
      std::vector<double> matrix(sources.size() * columns), into(sources.size() * (columns + 30));
      store::RowView view{.group = 10, .apart = 11 * sizeof(double)};
      for (std::size_t i = 0; i < sources.size(); ++i) {
        view.rows.push_back(reinterpret_cast<std::byte*>(&into[i * (columns + 30)]));
      }
      double largest = 0;
      {
        const auto worker = rows.worker();
        worker->compute(sources, matrix.data(), static_cast<std::int64_t>(columns));
        worker->compute_into(sources, view, &by_column);
      }
      for (std::size_t i = 0; i < sources.size(); ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
          const Vertex s = sources[i], t = targets[j];
          const double sign = semiring == Semiring::max_plus ? -1 : 1;
          const double right = sign * base::restored(length(s, t), h[s], h[t]) + 0.0;
          EXPECT_EQ(matrix[i * columns + j], right);
          EXPECT_EQ(into[i * (columns + 30) + j + j / 10], right);
          EXPECT_EQ((by_column.found[{s, t}]), right);
          double one = 0;
          EXPECT_TRUE(rows.pair(s, t, &one));
          EXPECT_EQ(one, right);
          if (std::isfinite(right)) largest = std::max(largest, std::abs(right));
        }
      }
      EXPECT_EQ(rows.largest_distance(), largest);
      EXPECT_GT(rows.largest_reduced(), 0);
      EXPECT_LT(rows.largest_reduced(), 9.7);
    }
  }
}

}  // namespace
}  // namespace apsp::flow::restored_rows_test
