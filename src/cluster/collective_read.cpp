#include "cluster/collective_read.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/control.hpp"
#include "base/joined.hpp"
#include "graph/mirrored.hpp"
#include "graph/symmetric_matrix.hpp"
#include "io/numpy.hpp"
#include "sparse/stored_factor.hpp"
#include "store/crc32c.hpp"
#include "system/aligned_memory.hpp"
#include "system/machine.hpp"

namespace apsp::cluster {
namespace {

void put_arcs(const Graph& graph, base::ByteWriter& to) {
  std::vector<Vertex> targets;
  std::vector<double> weights;
  targets.reserve(static_cast<std::size_t>(graph.arc_count()));
  weights.reserve(static_cast<std::size_t>(graph.arc_count()));
  graph.visit_all([&](Vertex, Vertex target, double weight) {
    targets.push_back(target);
    weights.push_back(weight);
  });
  to.put(graph.offsets());
  to.put(targets);
  to.put(weights);
}

void put_matrix(const WeightMatrix& matrix, base::ByteWriter& to) {
  to.put(matrix.type);
  to.put(matrix.by_columns);
  to.put(std::span(static_cast<const std::byte*>(matrix.data),
                   static_cast<std::size_t>(matrix.n * matrix.n * size_of(matrix.type))));
}

/// Keeps the form of the graph, on which plans depend.
base::ByteVector bytes_of_graph(const Graph& graph) {
  base::ByteWriter to;
  to.put(graph.vertex_count());
  to.put(graph.directed());
  to.put(graph.first_id());
  to.put(graph.labels());
  to.put(graph.matrix() != nullptr);
  graph.matrix() != nullptr ? put_matrix(*graph.matrix(), to) : put_arcs(graph, to);
  return to.take();
}

template <class T>
std::shared_ptr<const T[]> shared_values(std::vector<T> values) {
  const auto owner = std::make_shared<std::vector<T>>(std::move(values));
  return {owner, owner->data()};
}

void read_arcs(base::ByteReader& from, GraphBuilder& builder) {
  std::vector<std::int64_t> offsets = from.get_all<std::int64_t>();
  std::vector<Vertex> targets = from.get_all<Vertex>();
  std::vector<double> weights = from.get_all<double>();
  const std::int64_t memory = offsets.back() * std::int64_t{sizeof(Vertex) + sizeof(double)};
  builder.set_rows(std::move(offsets), {.targets = shared_values(std::move(targets)),
                                        .weights = shared_values(std::move(weights)),
                                        .memory = memory});
}

void read_matrix(base::ByteReader& from, std::int64_t n, GraphBuilder& builder) {
  WeightMatrix matrix;
  matrix.n = n;
  from.read(matrix.type);
  from.read(matrix.by_columns);
  base::ByteVector values = from.get_all<std::byte>();  // aligned as by `operator new`
  matrix.memory = std::ssize(values);
  const std::shared_ptr<const std::byte[]> held = shared_values(std::move(values));
  matrix.data = held.get();
  matrix.owner = held;
  builder.set_matrix(std::move(matrix));
}

Graph built(const base::ByteVector& bytes) {
  base::ByteReader from(bytes);
  const auto vertices = from.get<std::int64_t>();
  const auto directed = from.get<bool>();
  const auto first_id = from.get<Vertex>();
  std::vector<std::string> labels;
  from.read(labels);
  GraphBuilder builder(vertices, directed);
  builder.set_first_id(first_id);
  from.get<bool>() ? read_matrix(from, vertices, builder) : read_arcs(from, builder);
  builder.set_distinct_labels(std::move(labels));
  return std::move(builder).build();
}

using graph::Lines;
using graph::LinesScan;
using graph::MatrixScan;

/// Samples values: copies of a file that differ are most often of different runs.
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
      // a fault may map 2 MiB, and so the whole of a large file
      system::release_mapped(data, 0, bytes);
  }
  return fmt::format("{} {} {} {}", name(matrix.type), matrix.n, matrix.by_columns,
                     base::joined(crcs, " "));
}

/// The facts that processes exchange. Invalid values are not among them: all processes end at
/// those.
auto fields_of(LinesScan& scan) {
  return std::tie(scan.least, scan.greatest, scan.integral, scan.unit, scan.below_f32, scan.loops,
                  scan.first_row, scan.arcs, scan.largest);
}

class SharedMatrix {
 public:
  SharedMatrix(Processes& processes, const std::string& path, const ReadOptions& options)
      : processes_(processes), path_(path), options_(options) {}

  std::optional<Graph> graph() {
    if (!map()) return std::nullopt;
    auto scan = std::make_shared<MatrixScan>(joined(look()));
    scan->symmetric = symmetric();
    // Process 0 is first: only it locates the error in a matrix that should be symmetric.
    std::optional<Graph> graph;
    processes_.first_then_others([&] {
      graph = io::matrix_graph(*matrix_, scan, path_, options_);
      graph->release_pages();
    });
    return graph;
  }

 private:
  bool map() {
    processes_.in_first([&] { matrix_ = io::map_matrix(path_, options_); });
    if (!processes_.of_first(matrix_.has_value())) return false;
    ReadOptions quiet = options_;
    quiet.on_header = {};
    processes_.run_local([&] {
      if (processes_.first()) return;
      matrix_ = io::map_matrix(path_, quiet);
      if (matrix_) return;
      throw Error(ErrorKind::input_output,
                  path_ +
                      ": this process does not find the file; a matrix must be on a disk that all "
                      "processes share, because each reads its part of it");
    });
    processes_.require_same("the values of " + path_, sample_of(*matrix_));
    return true;
  }

  int threads() const { return system::thread_count(options_.threads); }
  Lines mine() const {
    const std::int64_t n = matrix_->n, rank = processes_.rank(), count = processes_.size();
    return {n * rank / count, n * (rank + 1) / count};
  }

  LinesScan look() {
    LinesScan scan;
    processes_.run_local([&] {
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

  MatrixScan joined(LinesScan mine) {
    MatrixScan scan;
    const auto fields = std::tie(scan.facts, scan.loops, scan.offsets);
    processes_.communicate([&] {
      std::vector<LinesScan> parts;
      for (const base::ByteVector& part : processes_.gather(base::bytes_of(fields_of(mine)))) {
        base::read_fields(part, fields_of(parts.emplace_back()));
      }
      if (processes_.first()) scan = graph::join_scans(matrix_->n, parts);
      base::read_fields(processes_.share(base::bytes_of(fields)), fields);
    });
    return scan;
  }

  bool symmetric() {
    const bool begins =
        !graph::begins_asymmetric({matrix_->data, matrix_->n, matrix_->n, matrix_->type});
    if (!processes_.of_first(begins)) return false;
    graph::MirrorSums sums;
    processes_.run_local([&] {
      base::check_cancelled(options_.control);
      sums = graph::mirror_sums(*matrix_, mine(), threads());
    });
    graph::MirrorSums all;
    processes_.communicate([&] {
      for (const graph::MirrorSums& theirs : processes_.gather_values(sums)) all.add(theirs);
    });
    return processes_.of_first(all.symmetric());
  }

  Processes& processes_;
  const std::string& path_;
  const ReadOptions& options_;
  std::optional<io::MatrixInFile> matrix_;
};

}  // namespace

Graph share_graph(Processes& processes, const Graph& graph) {
  const base::ByteVector bytes =
      processes.share(processes.first() ? bytes_of_graph(graph) : base::ByteVector{});
  return processes.first() ? graph : built(bytes);
}

std::shared_ptr<const sparse::Tree> share_tree(Processes& processes,
                                               const std::shared_ptr<const sparse::Tree>& tree) {
  sparse::TreeParts parts;
  const auto fields = std::tie(parts.vertex_at, parts.widths, parts.structure_sizes, parts.upper);
  base::ByteVector bytes;
  if (processes.first()) {
    parts = sparse::parts_of(*tree);
    bytes = base::bytes_of(fields);
  }
  bytes = processes.share(std::move(bytes));
  if (processes.first()) return tree;
  base::read_fields(bytes, fields);
  return std::make_shared<const sparse::Tree>(std::move(parts));
}

Graph collective_read(Processes& processes, const std::string& path, const ReadOptions& options) {
  if (const auto graph = SharedMatrix(processes, path, options).graph()) return *graph;
  Graph read;
  processes.in_first([&] { read = read_graph(path, options); });
  Graph shared;
  processes.communicate([&] { shared = share_graph(processes, read); });
  return shared;
}

}  // namespace apsp::cluster
