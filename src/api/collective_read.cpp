#include "api/collective_read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/machine.hpp"
#include "base/pages.hpp"
#include "base/symmetric_matrix.hpp"
#include "engine/shared_graph.hpp"
#include "graph/mirror_sums.hpp"
#include "io/matrix_file.hpp"
#include "store/crc32c.hpp"

namespace apsp::api {
namespace {

using engine::Processes;
using graph::Lines;
using graph::LinesScan;
using graph::MatrixScan;

/// Process `process`'s share of the lines.
Lines lines_of(const WeightMatrix& matrix, int process, int processes) {
  return {matrix.n * process / processes, matrix.n * (process + 1) / processes};
}

/// Of values here and there: copies of one file that differ are most often copies of other runs.
std::string sample_of(const WeightMatrix& matrix) {
  constexpr std::int64_t kPlaces = 64, kBytes = 4096;
  const std::int64_t bytes = matrix.n * matrix.n * size_of(matrix.type);
  const auto* const data = static_cast<const std::byte*>(matrix.data);
  std::uint32_t crcs[kPlaces];
  for (std::int64_t place = 0; place < kPlaces; ++place) {
    const std::int64_t begin = std::max<std::int64_t>(0, bytes - kBytes) * place / (kPlaces - 1);
    const auto length = static_cast<std::size_t>(std::min(kBytes, bytes));
    crcs[place] = store::crc32c({data + begin, length});
    if (matrix.mapped)
      base::release_mapped(data, 0, bytes);  // a fault may map 2 MiB: in all a large file
  }
  return fmt::format("{} {} {} {}", name(matrix.type), matrix.n, matrix.by_columns,
                     fmt::join(crcs, " "));
}

base::ByteVector written(const LinesScan& scan) {
  base::ByteWriter writer;
  writer.put(scan.least);
  writer.put(scan.greatest);
  writer.put(scan.integral);
  writer.put(scan.unit);
  writer.put(scan.below_f32);
  writer.put(scan.loops);
  writer.put(scan.first_row);
  writer.put_all(std::span<const std::int64_t>(scan.arcs));
  writer.put_all(std::span<const double>(scan.largest));
  return writer.take();
}

LinesScan read_lines(const base::ByteVector& bytes) {
  base::ByteReader reader(bytes);
  LinesScan scan;
  scan.least = reader.get<double>();
  scan.greatest = reader.get<double>();
  scan.integral = reader.get<bool>();
  scan.unit = reader.get<bool>();
  scan.below_f32 = reader.get<double>();
  scan.loops = reader.get<std::int64_t>();
  scan.first_row = reader.get<std::int64_t>();
  scan.arcs = reader.get_all<std::int64_t>();
  scan.largest = reader.get_all<double>();
  return scan;
}

base::ByteVector written(const MatrixScan& scan) {
  base::ByteWriter writer;
  writer.put(scan.facts);
  writer.put(scan.loops);
  writer.put_all(std::span<const std::int64_t>(scan.offsets));
  return writer.take();
}

MatrixScan read_scan(const base::ByteVector& bytes) {
  base::ByteReader reader(bytes);
  MatrixScan scan;
  scan.facts = reader.get<WeightFacts>();
  scan.loops = reader.get<std::int64_t>();
  scan.offsets = reader.get_all<std::int64_t>();
  return scan;
}

class SharedMatrix {
 public:
  SharedMatrix(Processes& processes, const std::string& path, const ReadOptions& options)
      : processes_(processes), path_(path), options_(options) {}

  /// Empty where process 0 finds none.
  std::optional<Graph> graph() {
    if (!map()) return std::nullopt;
    auto scan = std::make_shared<MatrixScan>(joined(look()));
    scan->symmetric = symmetric();
    // Process 0 comes first: of a matrix that should be symmetric it alone looks for the place.
    std::optional<Graph> graph;
    const auto build = [&] {
      graph = io::matrix_graph(*matrix_, scan, path_, options_);
      graph->release_pages();
    };
    processes_.collective([&] {
      if (processes_.first()) build();
    });
    processes_.collective([&] {
      if (!processes_.first()) build();
    });
    return graph;
  }

 private:
  bool map() {
    processes_.collective([&] {
      if (processes_.first()) matrix_ = io::map_matrix(path_, options_);
    });
    if (!processes_.of_first(matrix_.has_value())) return false;
    ReadOptions quiet = options_;
    quiet.on_header = {};
    processes_.collective([&] {
      if (processes_.first()) return;
      matrix_ = io::map_matrix(path_, quiet);
      if (matrix_) return;
      throw Error(ErrorKind::input_output,
                  path_ +
                      ": not to be seen from here; a matrix must lie where all processes see "
                      "it, since each reads its part of it");
    });
    processes_.require_same("the values of " + path_, sample_of(*matrix_));
    return true;
  }

  int threads() const { return base::thread_count(options_.threads); }
  Lines mine() const { return lines_of(*matrix_, processes_.rank(), processes_.size()); }

  LinesScan look() {
    LinesScan scan;
    processes_.collective([&] {
      base::check_cancelled(options_.control);
      scan = graph::scan_lines(*matrix_, mine(), threads());
    });
    constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
    const std::int64_t strange = processes_.least(scan.strange.value_or(kNone));
    if (strange == kNone) return scan;
    try {
      graph::refuse_strange(*matrix_, strange);
    } catch (const Error& error) {
      throw Error::malformed({path_, 0, 0}, error.what());
    }
  }

  MatrixScan joined(const LinesScan& mine) {
    base::ByteVector bytes;
    processes_.apart([&] {
      const std::vector<base::ByteVector> all = processes_.gather(written(mine));
      std::vector<LinesScan> parts;
      parts.reserve(all.size());
      for (const base::ByteVector& part : all) parts.push_back(read_lines(part));
      if (processes_.first()) bytes = written(graph::join_scans(matrix_->n, parts));
      bytes = processes_.share(std::move(bytes));
    });
    return read_scan(bytes);
  }

  bool symmetric() {
    const bool begins =
        !base::begins_asymmetric({matrix_->data, matrix_->n, matrix_->n, matrix_->type});
    if (!processes_.of_first(begins)) return false;
    graph::MirrorSums sums;
    processes_.collective([&] {
      base::check_cancelled(options_.control);
      sums = graph::mirror_sums(*matrix_, mine(), threads());
    });
    base::ByteWriter writer;
    writer.put(sums);
    graph::MirrorSums all;
    processes_.apart([&] {
      for (const base::ByteVector& bytes : processes_.gather(writer.take())) {
        base::ByteReader reader(bytes);
        all.add(reader.get<graph::MirrorSums>());
      }
    });
    return processes_.of_first(all.symmetric());
  }

  Processes& processes_;
  const std::string& path_;
  const ReadOptions& options_;
  std::optional<io::MatrixInFile> matrix_;
};

}  // namespace

Graph collective_read(Processes& processes, const std::string& path, const ReadOptions& options) {
  if (const auto graph = SharedMatrix(processes, path, options).graph()) return *graph;
  Graph read;
  processes.collective([&] {
    if (processes.first()) read = read_graph(path, options);
  });
  Graph shared;
  processes.apart([&] { shared = engine::share_graph(processes, read); });
  return shared;
}

}  // namespace apsp::api
