// Solve, and what one has afterwards.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <apsp/error.hpp>
#include <apsp/graph.hpp>
#include <apsp/matrix.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <apsp/statistics.hpp>

namespace apsp {

/// Floyd-Warshall: n³ relaxations, dense. Nested dissection: elimination in an order with small
/// separators, then a sweep over the factor for each block of sources, for sparse graphs. Johnson:
/// Dijkstra from every vertex. Breadth-first: searches from many vertices at once, for weights of 1
/// and for reachability. Boundary (Xia 2021, §III-C): parts closed one by one, then the graph of
/// their boundaries; nested dissection of one level.
enum class Algorithm {
  automatic,
  floyd_warshall,
  nested_dissection,
  johnson,
  breadth_first,
  boundary
};
struct NamedAlgorithm {
  Algorithm algorithm;
  std::string_view name;
  constexpr operator Algorithm() const { return algorithm; }
};
/// All of them, in the order in which they are listed to people.
inline constexpr NamedAlgorithm kAlgorithms[] = {
    {Algorithm::automatic, "auto"},
    {Algorithm::floyd_warshall, "floyd-warshall"},
    {Algorithm::nested_dissection, "nested-dissection"},
    {Algorithm::boundary, "boundary"},
    {Algorithm::johnson, "johnson"},
    {Algorithm::breadth_first, "bfs"},
};

/// What a result holds, to answer questions from.
enum class Keep {
  automatic,   ///< the matrix where it fits the memory, else the factor where there is one
  matrix,      ///< all distances
  factor,      ///< of nested dissection: distances are computed when they are asked for
  statistics,  ///< neither
};

/// Seconds from the graph in memory to the result, as expected, and what they are made of.
struct PredictionReport {
  double seconds = 0;  ///< the sum of the others
  double start = 0;    ///< until the first solve of a process begins: a GPU's driver, kernels
  double solve = 0;    ///< memory taken, filled, solved; copies to and from a GPU included
  double statistics = 0;
  double store = 0;        ///< until the output is safe
  bool rough = true;       ///< by assumptions: this machine was not measured for it
  std::string measured{};  ///< when the oldest of the figures was measured, UTC; empty where rough
  double end = 0;  ///< s, besides: what a GPU's driver then takes until the process has ended
};

/// An option of a solve and the value to give it: the field's name, and the value as the command
/// line writes it ("device", "cpu"; "memory", "1229MiB"; "via", "false"). `sources` of "random:9"
/// means any nine of those that were given.
struct OptionValue {
  std::string option, value;

  bool operator==(const OptionValue&) const = default;
};
/// Options to change together.
using Advice = std::vector<OptionValue>;

/// Thrown where a solve is refused before it begins: no method takes it as it is asked for, or it
/// does not fit. Messages name options between backquotes: `device=cpu`.
class RefusedSolve : public Error {
 public:
  RefusedSolve(ErrorKind kind, const std::string& message, std::vector<Advice> advice)
      : Error(kind, message), advice_(std::move(advice)) {}

  /// What lets the solve through, the smallest change first: each was planned, and fits.
  const std::vector<Advice>& advice() const noexcept { return advice_; }

 private:
  std::vector<Advice> advice_;
};

/// A method to solve, and what it would take.
struct CandidateReport {
  Algorithm algorithm = Algorithm::floyd_warshall;
  Device device = Device::cpu;
  std::string place;       ///< "2 CPU threads", "NVIDIA H200 (cuda:0)"
  std::string residence;   ///< where distances are: "matrix", "disk", "rows", "factor", "resident",
                           ///< "streamed"
  bool known = true;       ///< it was looked at: what follows is predicted
  double seconds = 0;      ///< from now on to the result
  std::int64_t bytes = 0;  ///< of the host's memory
  std::int64_t bytes_device = 0;  ///< of a GPU's memory
  std::int64_t bytes_disk = 0;    ///< of the output, before any compression, and of scratch files
  bool fits = true;
  bool taken = false;
  std::string why_not;  ///< why it is not taken; empty where it is
};

/// What a solve will do, and why.
struct PlanReport {
  std::string line;  ///< for people; with "plan: " before it at most 100 columns
  std::vector<std::pair<std::string, std::string>> rows;  ///< all of it: a subject, what was chosen
  Algorithm algorithm = Algorithm::floyd_warshall;
  /// What the choice was made among: the way that is taken first, then the others, the fastest of
  /// those that fit first.
  std::vector<CandidateReport> candidates{};
  Semiring semiring = Semiring::min_plus;
  ValueType value_type = ValueType::f32;
  std::string why_value_type;
  Device device = Device::cpu;
  std::string place;      ///< "2 CPU threads", "NVIDIA H200 (cuda:0), resident"
  std::string why_place;  ///< why automatic chose so; empty where it was told
  int threads = 1;
  bool symmetric = false;                 ///< half of the matrix is solved
  bool packed_bits = false;               ///< a bit a pair
  bool via = false;                       ///< intermediate vertices are kept
  std::int64_t sources = 0, targets = 0;  ///< rows and columns of the result
  double relaxations = 0;
  std::int64_t tile = 0;            ///< vertices; 0: not in tiles
  std::int64_t factor_entries = 0;  ///< of the factor where there is one, one direction
  bool matrix_kept = true;          ///< otherwise sinks get rows as they come
  Keep keep = Keep::matrix;         ///< what the result holds; never automatic
  Keep stored = Keep::matrix;       ///< what the output holds, if there is one; matrix or factor
  std::int64_t bytes = 0;           ///< of the host's memory, the graph included
  std::int64_t bytes_allowed = 0;   ///< of the host's memory
  std::int64_t bytes_device = 0;    ///< of a GPU's memory
  bool streamed = false;            ///< through a GPU's memory, in panels
  std::int64_t panel = 0;           ///< vertices of a panel, where streamed
  std::int64_t bytes_disk = 0;      ///< of the output, before any compression, and scratch files
  std::int64_t bytes_disk_allowed = 0;  ///< to both; 0 where there is no output
  std::string precision;                ///< how far off a distance may be
  PredictionReport predicted{};
  bool estimated = false;        ///< sizes and times come from samples of the graph
  std::string what_would_fit;    ///< in sentences; empty where this fits
  std::vector<Advice> advice{};  ///< the same as data: each was planned, and fits
};

/// Some rows of the matrix of distances.
struct RowBlock {
  std::span<const Vertex> sources{};  ///< row i holds the distances from sources[i]
  /// [sources.size(), n] values of `type`, row-major; of `SolveOptions::targets` where there are
  /// some, column j then holds the distances to targets[j].
  const void* values = nullptr;
  std::int64_t stride = 0;          ///< values from the beginning of a row to that of the next
  ValueType type = ValueType::f32;  ///< of the values; no path is `no_path(semiring, type)`
  /// [sources.size(), n] the vertex before each on a best path, −1: none, with the same stride.
  /// Null unless `SolveOptions::predecessors` are asked for, and a GPU finds them with the
  /// distances.
  const std::int32_t* predecessors = nullptr;
};

/// The same in the memory of the GPU that has found them. They are complete, and the caller's to
/// read and overwrite until the call returns. Work on the GPU that uses them must be done by then.
struct DeviceRowBlock {
  std::span<const Vertex> sources{};
  void* values = nullptr;  ///< [sources.size(), targets], row-major, on the GPU
  std::int64_t stride = 0;
  ValueType type = ValueType::f32;
  int ordinal = 0;  ///< cuda:ordinal
};

/// Memory of the caller that rows of distances are written to.
struct RowsInto {
  double* values = nullptr;  // [sources, targets], row-major
  std::int64_t stride = 0;   ///< values from one row to the next; 0: as many as there are targets
};

/// In `device_ordinals`, alone: every GPU of this machine.
inline constexpr int kAllGpus = std::numeric_limits<int>::min();

struct SolveOptions {
  Algorithm algorithm = Algorithm::automatic;
  /// A GPU that is asked for by name is taken, or `solve` throws. Automatic: where a GPU is there,
  /// it takes the problem, and the problem is large enough to pay; the plan says why.
  Device device = Device::automatic;
  /// With `Device::cuda`: which GPUs share the work; empty: the first alone; `kAllGpus`: all.
  std::vector<int> device_ordinals{};
  Semiring semiring = Semiring::min_plus;
  /// Distances are found from these vertices only, and to these vertices only; distinct, in any
  /// order, which is that of the rows and columns of the result. Empty: all. A row is found without
  /// the others but for Floyd-Warshall, and whole. Neither goes with `predecessors`, `via`, `hops`
  /// and `Keep::factor`.
  std::vector<Vertex> sources{}, targets{};
  /// How many distances between `sources` and `targets` are wanted, where nothing else is: with
  /// `Keep::automatic`, no statistics and no output the result then keeps no matrix. Rows go to
  /// `on_rows`; or the factor is kept in their place, where asking it for so many pairs is sooner,
  /// and no row is computed (`Result::kept`). 0: rows are wanted whole. See `distances`.
  std::int64_t pairs = 0;
  std::optional<ValueType> value_type{};  ///< empty: the narrowest that surely holds every distance
  /// Relative: real weights are solved in f32, where the type is left open, if the edges of paths,
  /// as far as some searches tell, add no larger error; else in f64. At least 0.
  double tolerance = 1e-5;
  int threads = 0;  ///< 0: all that this process may use
  /// Bytes the solve may take; 0: what the machine has free. The matrix of Floyd-Warshall that
  /// needs more rests on the disk beside `output` while it is solved.
  std::int64_t memory = 0;
  /// Bytes of a GPU's memory that the solve may take; 0: what is free. A matrix that needs more is
  /// streamed through it.
  std::int64_t device_memory = 0;
  std::string output{};   ///< "x.zarr", "x.npy"; empty: in memory
  bool compress = false;  ///< zstd behind every chunk of a .zarr
  /// Go on from what an earlier run left beside `output` when it was interrupted or killed: rows of
  /// a .zarr, or a matrix that is solved on disk. Graph and options must be those that it had,
  /// threads and memory may differ. Nothing left: from the beginning. What is left is otherwise in
  /// the way: `solve` refuses to begin anew beside it.
  bool resume = false;
  bool overwrite = false;     ///< begin anew, and remove what could be resumed
  bool predecessors = false;  ///< store the predecessor matrix too (.zarr, or in memory)
  /// Store the intermediate vertices too: a best path s … t is path(s, k) · path(k, t) with
  /// k = via(s, t), an edge where it is −1. Some 1.6 to 2.3 times the time of distances alone, 4
  /// bytes a pair while solving.
  bool via = false;
  bool hops = false;  ///< store the number of edges that via describes; implies `via`
  bool statistics = true;
  /// What the result holds, so that distances and paths can be asked for. `factor` leaves Algorithm
  /// to nested dissection; without statistics, output and `on_rows` no row is computed before it is
  /// asked for.
  Keep keep = Keep::automatic;
  /// What `output` holds: all distances, or the factor of nested dissection, from which every
  /// reader computes them (.zarr). Automatic: the factor where `keep` says so or a .zarr of all
  /// distances fits neither disk nor memory, else all distances. Not `statistics`.
  Keep stored = Keep::automatic;
  /// Bytes that `output` may take, as they are before any compression; 0: what its disk has free.
  std::int64_t disk = 0;
  bool verify = false;    ///< the result will be verified: the plan counts what that takes
  std::int64_t tile = 0;  ///< side of a tile in vertices; 0: chosen. Small ones are for tests.
  /// Called once with the plan, before the work begins.
  std::function<void(const PlanReport& plan)> on_plan{};
  /// Called with the distances once they are known, a block of rows at a time: every row of the
  /// result once, in any order, in blocks of any size. One call at a time, from any thread. The
  /// block is the caller's to read until the call returns. What it throws ends the solve, and
  /// `solve` throws it.
  std::function<void(const RowBlock& rows)> on_rows{};
  /// The same without calls: all threads write the distances here as they find them, as f64, in the
  /// order of `sources` and `targets`, as `distances_from` gives them. What they hold after an
  /// error is unspecified.
  RowsInto into{};
  /// As `on_rows`, where a GPU has found the rows: none is copied to the host unless statistics, an
  /// output, `on_rows` or `into` take it there. Needs `Device::cuda` and an algorithm that finds
  /// rows, which Floyd-Warshall does not. The result keeps no matrix. Of several GPUs each calls
  /// with its own rows, one at a time; which GPU is current in a call is not specified.
  std::function<void(const DeviceRowBlock& rows)> on_device_rows{};
  Control control{};
};

/// What a GPU did of a solve.
struct DeviceReport {
  int ordinal = 0;         ///< cuda:ordinal
  std::string name;        ///< "NVIDIA H200"
  bool streamed = false;   ///< the matrix rested in the host's memory; or it resided on the device
  std::int64_t panel = 0;  ///< vertices of a panel, where streamed
  std::int64_t bytes = 0;  ///< of device memory that were taken, of each GPU at most
  /// From the first copy in to the last copy out, s: as it was, and as the plan said.
  double seconds = 0, seconds_predicted = 0;
  std::vector<int> peers{};  ///< ordinals of further GPUs that shared the work
};

/// Rows and columns of processes.
struct GridShape {
  int rows = 1;
  int columns = 1;

  bool operator==(const GridShape&) const = default;
};

/// What was done, in plain numbers.
struct SolveReport {
  std::string plan;  ///< one line: algorithm, value type, place, bytes, prediction
  Algorithm algorithm = Algorithm::floyd_warshall;
  Device device = Device::cpu;
  ValueType value_type = ValueType::f32;
  Semiring semiring = Semiring::min_plus;
  int threads = 1;
  std::int64_t tile = 0;
  double relaxations = 0;
  double seconds_prepare = 0, seconds_solve = 0, seconds_store = 0, seconds_total = 0;  ///< s
  std::int64_t sources = 0, targets = 0;  ///< rows and columns of the result
  std::int64_t bytes_matrix = 0;
  std::int64_t bytes_planned = 0;  ///< of the host's memory, for the whole process at its peak
  /// The most of the process's memory that was resident at once by the end of the solve, pages of
  /// mapped files included, which the plan does not count; 0: the system does not say.
  std::int64_t bytes_resident = 0;
  /// Relative rounding error that a path of e edges may have: e × this. 0: exact. Sums of weights
  /// of both signs: of the path's reduced length, see `absolute_error`.
  double unit_roundoff = 0;
  double seconds_predicted = 0;  ///< what the plan expected of `seconds_total`
  bool prediction_rough = true;  ///< by assumptions, not by figures of this machine
  /// Sums of rounded weights of both signs: no distance is further than this from the exact one
  /// (docs/verification.md). 0: `unit_roundoff` alone bounds the error.
  double absolute_error = 0;
  GridShape grid{};  ///< the processes that solved
  /// Of a matrix on several processes: effective bytes a second and machine, or process of the only
  /// machine (Sao 2021, §5.1.3). What the best placement moves, over the solve. 0: none.
  double bandwidth = 0;
  std::int64_t rows_resumed = 0;            ///< of an earlier run, where this one went on from it
  std::int64_t pivots_resumed = 0;          ///< the same of a matrix that is solved on disk
  std::vector<std::string> damaged{};       ///< of an earlier run, by name; computed again
  std::optional<DeviceReport> on_device{};  ///< where a GPU solved; part of `seconds_solve`
};

/// Of questions for many pairs.
struct PairsOptions {
  /// Bytes that labels of the pairs' vertices may take (src/elimination/labels.hpp); 0: half of
  /// what the machine has free. What they need more is made anew, part by part, or the pairs are
  /// asked one by one.
  std::int64_t memory = 0;
  int threads = 0;  ///< 0: all
  Control control{};
};

/// Of other weights in a solved graph.
struct UpdateOptions {
  int threads = 0;  ///< 0: all
  std::int64_t memory =
      0;                 ///< bytes of graphs and factors, or matrix; 0: what the machine has free
  std::string output{};  ///< of `update_stored`: .zarr, .npy; empty: in place of what is read
  /// Of `update_stored` of a factor: the new one is kept inside the .zarr that is read, as a metric
  /// of this name, and what is read stays (`metric_path`). Then there is no `output`.
  std::string metric{};
  bool compress = false;          ///< zstd behind every chunk of `output`
  std::optional<Graph> before{};  ///< of an .npy, which holds no graph: the one that was solved
  Semiring semiring = Semiring::min_plus;  ///< of an .npy, which does not say it
  /// What multiplies the matrices of an update of a matrix; automatic: the CPU. A factor is updated
  /// on the CPU.
  Device device = Device::cpu;
  std::vector<int> device_ordinals{};  ///< one GPU; none: cuda:0
  std::int64_t device_memory = 0;      ///< bytes of it; 0: what is free
  Control control{};
};
struct UpdateReport {
  std::int64_t changes = 0;  ///< edges whose weights differ, those that came or went among them
  double seconds = 0;        ///< until the new factor, or matrix, is in memory
  /// Of a matrix: rows that larger weights touched and that were solved again.
  std::int64_t rows_solved = 0;
  /// Its entries over those before; 1: the same structure. An edge that came may need another one.
  double growth = 1;
  ValueType value_type = ValueType::f32, value_type_before = ValueType::f32;
};

/// A solved graph: distances, paths, statistics. Cheap to move; reading is thread-safe.
class Result {
 public:
  struct State;
  explicit Result(std::unique_ptr<State> state);
  Result(Result&&) noexcept;
  Result& operator=(Result&&) noexcept;
  ~Result();

  const Graph& graph() const;
  std::int64_t vertex_count() const;
  /// As `Graph::find` and `Graph::name`, without reading the graph of a file whose vertices have no
  /// labels. `name` throws `Error` (usage) for a vertex out of range.
  std::optional<Vertex> find(std::string_view name) const;
  std::string name(Vertex v) const;
  /// The number that the first vertex has, where vertices have no labels; as above.
  std::optional<Vertex> first_id() const;
  Semiring semiring() const;
  ValueType value_type() const;
  const SolveReport& report() const;
  /// A file or a matrix in memory, the factor, or statistics alone; never automatic.
  Keep kept() const;
  /// Whose rows and columns it holds, in their order; empty: of all.
  std::span<const Vertex> sources() const;
  std::span<const Vertex> targets() const;
  /// The distances themselves, all rows and columns that are held, where they rest in memory: they
  /// stay there as long as this result does, moved or not. Empty: a file or the factor holds them,
  /// or nothing. Its `sources` are as above: none stands for all vertices in their order.
  std::optional<RowBlock> matrix() const;

  /// The distance from s to t; no path: ±infinity, by the semiring (false: 0 for or-and). From a
  /// factor it takes microseconds, a row of distances or a path milliseconds (docs/performance.md);
  /// with real weights this and the row may then differ by rounding.
  /// Throws `Error` (usage) for a vertex out of range, one whose row or column is not held, or a
  /// result of statistics alone. All that gives a row or a path needs the columns of all vertices.
  double distance(Vertex s, Vertex t) const;
  std::vector<double> distances_from(Vertex s) const;  ///< [n]
  /// [pairs] as `distance`, by all threads. Many pairs of one source share its row. Many pairs of a
  /// factor are found from labels of their vertices, as `options.memory` allows; with integer
  /// weights the same to the last bit, with real ones they may differ by rounding. The same pairs
  /// with the same memory give the same bits on any number of threads. Throws `Error`: as
  /// `distance`, does_not_fit, interrupted.
  std::vector<double> distances(std::span<const VertexPair> pairs,
                                const PairsOptions& options) const;
  std::vector<double> distances(std::span<const VertexPair> pairs,
                                const Control& control = {}) const {
    return distances(pairs, PairsOptions{.control = control});
  }
  bool reachable(Vertex s, Vertex t) const;

  /// One best path s … t, both included; {s} for s = t; empty without one. Of several shortest ones
  /// with integer weights the one of fewest edges, then the smallest predecessors from t backwards;
  /// docs/statistics.md says how ties fall elsewhere. The same whatever the number of threads.
  std::vector<Vertex> path(Vertex s, Vertex t) const;
  /// [n]: the vertex before v on the path that `path(s, v)` gives; −1 for s and unreachable v.
  std::vector<std::int64_t> predecessors(Vertex s) const;

  /// Whether the planes that `SolveOptions::via` and `hops` ask for are kept.
  bool has_via() const;
  bool has_hops() const;
  /// A vertex k between s and t: path(s, k) · path(k, t) is a best path (Katz and Kider 2008;
  /// Schiff). Empty where the best path is an edge, where there is none, and for s = t. This and
  /// the two below throw `Error` (usage) for a vertex out of range, and where `has_via` or
  /// `has_hops` says no.
  std::optional<Vertex> via(Vertex s, Vertex t) const;
  /// Edges of the walk that via describes: of `path_by_via`, and of the cycles it leaves out where
  /// they cost nothing. 0 for s = t; empty without a path.
  std::optional<std::int64_t> hops(Vertex s, Vertex t) const;
  /// One best path s … t by that recursion, from the plane of via alone: as `path`, but of several
  /// best ones the one that the solve met. Throws `Error` (input) where the plane is damaged.
  std::vector<Vertex> path_by_via(Vertex s, Vertex t) const;

  /// The result for other weights of the same vertices, matched by name. Edges may come and go
  /// (`with_weights`, `with_changes`). A factor keeps its order (Dibbelt 2014). A matrix is updated
  /// by products (incremental Floyd-Warshall; Sao 2021, §7), and may get new vertices. The value
  /// type is wider where this one does not hold the distances. Throws `Error`: usage (statistics
  /// alone, some rows or more planes than distances, other vertices, real weights of both signs),
  /// does_not_fit, negative_cycle, interrupted.
  Result update(const Graph& graph, const UpdateOptions& options = {},
                UpdateReport* report = nullptr) const;

  /// Gathered while solving; computed now if the result came from a file that lacks them.
  const Statistics& statistics(const Control& control = {}) const;
  /// The same of the largest strong component only (`largest_component`), over whose vertices all
  /// of its figures are. Vertices keep their numbers: vectors are [n], NaN outside of it. Computed
  /// from all rows of the component. Throws `Error`: usage (statistics alone, some rows or
  /// columns), interrupted.
  Statistics component_statistics(const Control& control = {}) const;
  /// Checks what this result holds: the matrix in memory, the rows of its factor, or the file that
  /// it was opened from. To check what a solve wrote, open that (`open_result`).
  VerifyReport verify(const VerifyOptions& options = {}) const;
  /// Write to `path` (.npy or .zarr), complete or not at all.
  void save(const std::string& path, bool compress = false, const Control& control = {}) const;

  /// For the library itself.
  const State& state() const;

 private:
  State& whole() const;
  std::unique_ptr<State> state_;
};

/// All-pairs best paths of `graph`. Throws `Error`: usage, negative_cycle (with a cycle),
/// does_not_fit (says what would), device, input_output, interrupted.
Result solve(const Graph& graph, const SolveOptions& options = {});

/// [pairs] their distances alone, as `Result::distance` gives them, without a matrix: by the rows
/// of their distinct sources, or by those of their distinct targets against the arcs where these
/// are fewer, or from a factor, whichever the plan finds soonest. `options`: what they say of
/// sources, targets, results and rows has no effect. Throws `Error` as `solve`.
std::vector<double> distances(const Graph& graph, std::span<const VertexPair> pairs,
                              const SolveOptions& options = {});

/// How `plan_solve` finds its rates and sizes.
struct PlanOptions {
  bool measure = false;   ///< the rates behind the plan now, whatever the cache holds
  bool estimate = false;  ///< sizes and times from samples, of a graph that takes longer to order
                          ///< than to read (docs/cli.md)
};

/// What `solve` would do with these options: the graph is looked at and rates of the machine are
/// measured where that pays, but nothing is solved, and nothing written but the cache of rates.
/// What does not fit is no error here: `what_would_fit` tells. Throws `Error` as `solve` otherwise.
PlanReport plan_solve(const Graph& graph, const SolveOptions& options = {},
                      const PlanOptions& planning = {});

/// Open a stored result. A factor is not read before more is asked of it than the distances of a
/// few pairs, unless `graph` is given or an earlier version wrote it. Then what reads it throws
/// `Error` (input) where it is damaged. Throws `Error`: usage, input, input_output. `graph` is
/// needed for an .npy, which holds the matrix alone, and must be the graph that was solved (its
/// digest is compared where the store has one).
Result open_result(const std::string& path, std::optional<Graph> graph = std::nullopt,
                   Semiring semiring = Semiring::min_plus);

/// The same of a factor or matrix stored at `path`, with the graph that `change` makes of its
/// graph. Updates in place of it take turns; after a solve has replaced it they are an `Error`
/// (input_output).
UpdateReport update_stored(const std::string& path,
                           const std::function<Graph(const Graph&)>& change,
                           const UpdateOptions& options = {});

// Metrics: other weights of the graph of a stored factor, in its order. Each is a result of its own
// inside the factor's .zarr, and shares the files of the order with it (docs/stores.md).

/// Where a metric of a result is: for `open_result`, and for `update_stored` in its place. Throws
/// `Error` (usage) if there is none of that name.
std::string metric_path(const std::string& result, std::string_view metric);
/// The names of all metrics of a result, sorted.
std::vector<std::string> metrics(const std::string& result);

/// How many threads work of this process takes: `requested` if positive, else all that it may use.
int thread_count(int requested = 0);

std::string_view name(Algorithm algorithm);
std::string_view name(Keep keep);
std::optional<Algorithm> parse_algorithm(std::string_view text);
std::optional<Keep> parse_keep(std::string_view text);

}  // namespace apsp
