// Solving a graph, and the questions that a result answers.
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

/// floyd_warshall: n³ relaxations, for dense graphs. nested_dissection: elimination in an order
/// with small separators, then a sweep over the factor for each batch of sources, for sparse
/// graphs. johnson: Dijkstra from every vertex. breadth_first: searches from many vertices at once,
/// for unit weights and reachability. boundary (Xia 2021, §III-C): closes parts, then the graph of
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
/// All algorithms, in the order in which they are listed to users.
inline constexpr NamedAlgorithm kAlgorithms[] = {
    {Algorithm::automatic, "auto"},
    {Algorithm::floyd_warshall, "floyd-warshall"},
    {Algorithm::nested_dissection, "nested-dissection"},
    {Algorithm::boundary, "boundary"},
    {Algorithm::johnson, "johnson"},
    {Algorithm::breadth_first, "bfs"},
};

/// The data with which a result answers questions.
enum class Keep {
  automatic,   ///< the matrix if it fits in memory, else the factor if there is one
  matrix,      ///< all distances
  factor,      ///< of nested dissection; distances are computed on request
  statistics,  ///< neither
};

/// Predicted seconds from the graph in memory to the result.
struct PredictionReport {
  double seconds = 0;  ///< sum of start, solve, statistics and store
  double start = 0;    ///< before the first solve of a process: the driver of a GPU, its kernels
  double solve = 0;    ///< allocation, filling and solving, copies to and from a GPU included
  double statistics = 0;
  double store = 0;        ///< until the output is safely on disk
  bool rough = true;       ///< based on assumptions, not on measurements of this machine
  std::string measured{};  ///< UTC time of the oldest measurement used; empty if rough
  /// Seconds that the driver of a GPU takes at the end of the process, not in `seconds`.
  double end = 0;
};

/// An option of a solve and a value for it: the name of the field without its group, and the value
/// as the command line writes it ("device", "cpu"; "memory", "1229MiB"; "via", "false"). `sources`
/// of "random:9" means any nine of the given sources.
struct OptionValue {
  std::string option, value;

  bool operator==(const OptionValue&) const = default;
};
/// Options to be changed together.
using Advice = std::vector<OptionValue>;

/// Thrown if a solve is refused before it begins: no method supports its options, or it does not
/// fit. Messages name options between backquotes: `device=cpu`.
class RefusedSolve : public Error {
 public:
  RefusedSolve(ErrorKind kind, const std::string& message, std::vector<Advice> advice)
      : Error(kind, message), advice_(std::move(advice)) {}

  /// Changes that make the solve possible, the smallest first. Each was planned and fits.
  const std::vector<Advice>& advice() const noexcept { return advice_; }

 private:
  std::vector<Advice> advice_;
};

/// A method for the solve, and its cost.
struct CandidateReport {
  Algorithm algorithm = Algorithm::floyd_warshall;
  Device device = Device::cpu;
  std::string place;  ///< "2 CPU threads", "NVIDIA H200 (cuda:0)"
  /// Storage of the distances: "matrix", "disk", "rows", "factor", "resident", "streamed".
  std::string residence;
  bool known = true;  ///< a prediction was made: the fields below are set
  double seconds = 0;
  std::int64_t bytes = 0;         ///< of host memory
  std::int64_t bytes_device = 0;  ///< of GPU memory
  std::int64_t bytes_disk = 0;    ///< of the output before compression, and of scratch files
  bool fits = true;
  bool taken = false;
  std::string why_not;  ///< why it is not taken; empty if it is
};

/// The plan of a solve, and its reasons.
struct PlanReport {
  std::string line;  ///< for users; at most 100 columns after "plan: "
  /// The whole plan as pairs of a subject and the choice.
  std::vector<std::pair<std::string, std::string>> rows;
  Algorithm algorithm = Algorithm::floyd_warshall;
  /// The chosen method, then the others, the fastest that fits first.
  std::vector<CandidateReport> candidates{};
  Semiring semiring = Semiring::min_plus;
  ValueType value_type = ValueType::f32;
  std::string why_value_type;
  Device device = Device::cpu;
  std::string place;      ///< "2 CPU threads", "NVIDIA H200 (cuda:0), resident"
  std::string why_place;  ///< why `automatic` chose the place; empty if the caller chose it
  int threads = 1;
  bool symmetric = false;    ///< only half of the matrix is solved
  bool packed_bits = false;  ///< one bit for each pair
  bool via = false;
  std::int64_t sources = 0, targets = 0;  ///< rows and columns of the result
  double relaxations = 0;
  std::int64_t tile = 0;                ///< side in vertices; 0: no tiles
  std::int64_t factor_entries = 0;      ///< of one direction; 0 without a factor
  bool matrix_kept = true;              ///< false: rows are consumed as they are computed
  Keep keep = Keep::matrix;             ///< never automatic
  Keep stored = Keep::matrix;           ///< content of the output, if any: matrix or factor
  std::int64_t bytes = 0;               ///< of host memory, the graph included
  std::int64_t bytes_allowed = 0;       ///< of host memory
  std::int64_t bytes_device = 0;        ///< of GPU memory
  bool streamed = false;                ///< through GPU memory, in panels
  std::int64_t panel = 0;               ///< vertices of a panel, if streamed
  std::int64_t bytes_disk = 0;          ///< of the output before compression, and of scratch files
  std::int64_t bytes_disk_allowed = 0;  ///< limit for both; 0 without an output
  std::string precision;                ///< possible error of a distance, in words
  PredictionReport predicted{};
  bool estimated = false;        ///< sizes and times come from samples of the graph
  std::string what_would_fit;    ///< sentences; empty if the plan fits
  std::vector<Advice> advice{};  ///< the same as data: each was planned and fits
};

/// Some rows of the matrix of distances.
struct RowBlock {
  std::span<const Vertex> sources{};  ///< row i holds the distances from sources[i]
  /// [sources.size(), n] values of `type`, row-major; column j is targets[j] if there are targets.
  const void* values = nullptr;
  std::int64_t stride = 0;          ///< values from the beginning of one row to the next
  ValueType type = ValueType::f32;  ///< of the values; no path is `no_path(semiring, type)`
  /// [sources.size(), n], same stride: the vertex before each on a best path, or −1. Null unless
  /// `QuestionOptions::predecessors` asks for them and they are in memory, or come from a GPU.
  const std::int32_t* predecessors = nullptr;
};

/// Rows in the memory of the GPU that computed them. The caller may read and overwrite them until
/// the call returns; GPU work that uses them must have finished by then.
struct DeviceRowBlock {
  std::span<const Vertex> sources{};
  void* values = nullptr;  ///< [sources.size(), targets], row-major, on the GPU
  std::int64_t stride = 0;
  ValueType type = ValueType::f32;
  int ordinal = 0;  ///< cuda:ordinal
};

/// Memory of the caller for rows of distances.
struct RowsInto {
  double* values = nullptr;  // [sources, targets], row-major
  std::int64_t stride = 0;   ///< values from one row to the next; 0: the number of targets
};

/// The only element of `device_ordinals` that selects all GPUs of this machine.
inline constexpr int kAllGpus = std::numeric_limits<int>::min();

/// The question of a solve: which distances, and which other facts about paths.
struct QuestionOptions {
  Semiring semiring = Semiring::min_plus;
  /// Vertices, distinct, from which and to which distances are computed: the rows and columns of
  /// the result, in this order. Empty: all. Rows are always computed whole; Floyd-Warshall computes
  /// all of them. Not with `via`, `hops` and `Keep::factor`; targets not with `predecessors`.
  std::vector<Vertex> sources{}, targets{};
  /// Number of distances between `sources` and `targets` that are wanted, if nothing else is; 0:
  /// whole rows. Given `Keep::automatic`, no statistics and no output, the result then keeps no
  /// matrix: either `on_rows` gets the rows, or the factor is kept because queries of so many pairs
  /// are faster (`Result::kept`). See `distances`.
  std::int64_t pairs = 0;
  bool statistics = true;
  bool predecessors = false;  ///< also store the predecessor matrix (.zarr, or in memory)
  /// Also stores the intermediate vertices: with k = via(s, t), a best path is path(s, k) · path(k,
  /// t), or an edge if k is −1. Takes 1.6 to 2.3 times as long, and 4 more bytes per pair to solve.
  bool via = false;
  bool hops = false;    ///< also store the number of edges that via describes; implies `via`
  bool verify = false;  ///< the result will be verified; the plan includes the cost
};

/// The method: algorithm, value type and tile.
struct MethodOptions {
  Algorithm algorithm = Algorithm::automatic;
  /// empty: the narrowest that is sure to hold every distance
  std::optional<ValueType> value_type{};
  /// Relative error, at least 0. If the type is open, real weights are solved in f32 if sample
  /// searches predict no larger error, else in f64.
  double tolerance = 1e-5;
  std::int64_t tile = 0;  ///< side of a tile in vertices; 0: chosen; small ones are for tests
};

/// The device, and the threads and memory that the solve may use.
struct MachineOptions {
  /// cuda: `solve` throws if there is no GPU. automatic: a GPU if one supports the problem and
  /// pays.
  Device device = Device::automatic;
  /// GPUs that share the work with `Device::cuda`; empty: the first one; `kAllGpus`: all.
  std::vector<int> device_ordinals{};
  int threads = 0;  ///< 0: all that this process may use
  /// Bytes of memory for the solve; 0: what is free. A matrix of Floyd-Warshall that needs more is
  /// solved on the disk next to `StorageOptions::output`.
  std::int64_t memory = 0;
  /// Bytes of GPU memory for the solve; 0: what is free. A larger matrix is streamed through it.
  std::int64_t device_memory = 0;
};

/// The file of the result, and the values that are stored in it.
struct StorageOptions {
  std::string output{};   ///< "x.zarr", "x.npy"; empty: in memory
  bool compress = false;  ///< compress every chunk of a .zarr with zstd
  /// Resumes from what an interrupted or killed run left next to `output`: rows of a .zarr, or a
  /// matrix on disk. Graph and options must be the same; threads and memory may differ. If nothing
  /// is left, the solve starts from scratch. If false, `solve` refuses to start next to what is
  /// left.
  bool resume = false;
  bool overwrite = false;  ///< start from the beginning, and remove what could be resumed
  /// The data kept for later questions. `factor` implies nested dissection; without statistics,
  /// output and `on_rows`, no row is computed before it is requested.
  Keep keep = Keep::automatic;
  /// Content of `output`: all distances, or the factor of nested dissection (.zarr). Automatic: the
  /// factor if `keep` is `factor`, or if a .zarr of all distances fits neither disk nor memory;
  /// else all distances. Not `statistics`.
  Keep stored = Keep::automatic;
  /// Limit for `output` before compression, in bytes; 0: the free space of its disk.
  std::int64_t disk = 0;
};

/// Other consumers of the rows of distances: the caller's functions and memory.
struct ConsumerOptions {
  /// Called with all rows of the result, each once, in any order, in blocks of any size; one call
  /// at a time, from any thread. A block is valid until the call returns. Exceptions end the
  /// solve, which throws them.
  std::function<void(const RowBlock& rows)> on_rows{};
  /// All threads write the distances here as f64, in the order of `sources` and `targets`, as
  /// `distances_from` returns them. The content after an error is unspecified.
  RowsInto into{};
  /// Like `on_rows`, with rows in GPU memory. Rows are copied to the host only for statistics, an
  /// output, `on_rows` or `into`. Requires `Device::cuda` and an algorithm other than
  /// Floyd-Warshall. The result keeps no matrix. Rows of several GPUs come in separate
  /// calls, one at a time; the current GPU in a call is unspecified.
  std::function<void(const DeviceRowBlock& rows)> on_device_rows{};
};

struct SolveOptions {
  QuestionOptions question{};
  MethodOptions method{};
  MachineOptions machine{};
  StorageOptions storage{};
  ConsumerOptions consumer{};
  /// Called once, before the work begins.
  std::function<void(const PlanReport& plan)> on_plan{};
  Control control{};
};

/// The part of a GPU in a solve.
struct DeviceReport {
  int ordinal = 0;   ///< cuda:ordinal
  std::string name;  ///< "NVIDIA H200"
  /// The matrix was in host memory and streamed; false: it was on the device.
  bool streamed = false;
  std::int64_t panel = 0;  ///< vertices of a panel, if streamed
  std::int64_t bytes = 0;  ///< peak of device memory, the largest of all GPUs
  /// Seconds from the first copy in to the last copy out, measured and predicted.
  double seconds = 0, seconds_predicted = 0;
  std::vector<int> peers{};  ///< ordinals of the other GPUs that shared the work
};

/// Rows and columns of processes.
struct GridShape {
  int rows = 1;
  int columns = 1;

  bool operator==(const GridShape&) const = default;
};

/// Figures of a finished solve.
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
  std::int64_t bytes_planned = 0;  ///< host memory of the process at its peak
  /// Peak of the resident memory of the process until the end of the solve; it includes pages of
  /// mapped files, which the plan does not count. 0: unknown.
  std::int64_t bytes_resident = 0;
  /// The relative rounding error of a path of e edges is at most e × this; 0: exact. If weights
  /// have both signs it is relative to the reduced length of the path, see `absolute_error`.
  double unit_roundoff = 0;
  double seconds_predicted = 0;  ///< prediction for `seconds_total`
  bool prediction_rough = true;  ///< as `PredictionReport::rough`
  /// Bound of the error of every distance for real weights of both signs (docs/verification.md). 0:
  /// `unit_roundoff` bounds the error.
  double absolute_error = 0;
  GridShape grid{};  ///< the processes that solved
  /// Effective bytes per second and machine (or process, on one machine) of a matrix on several
  /// processes: traffic of the best placement over the time of the solve (Sao 2021, §5.1.3). 0:
  /// none.
  double bandwidth = 0;
  std::int64_t rows_resumed = 0;    ///< rows taken from an earlier run
  std::int64_t pivots_resumed = 0;  ///< the same for a matrix that is solved on disk
  /// Parts of an earlier run, by name, that were computed again.
  std::vector<std::string> damaged{};
  std::optional<DeviceReport> on_device{};  ///< set if a GPU solved
};

/// Options of questions for many pairs.
struct PairsOptions {
  /// Bytes for labels of the vertices of the pairs (src/sparse/labels.hpp); 0: half of the
  /// free memory. If labels need more, they are computed in parts, or pairs are queried one by one.
  std::int64_t memory = 0;
  int threads = 0;  ///< 0: all
  Control control{};
};

/// Options of an update of a solved graph.
struct UpdateOptions {
  int threads = 0;          ///< 0: all
  std::int64_t memory = 0;  ///< bytes of graphs and factors or matrix; 0: what is free
  /// Output of `update_stored`: .zarr or .npy; empty: replaces the result that is read.
  std::string output{};
  /// `update_stored` of a factor keeps the new one as a metric of this name inside the .zarr that
  /// is read (`metric_path`), without an `output`.
  std::string metric{};
  bool compress = false;          ///< compress every chunk of `output` with zstd
  std::optional<Graph> before{};  ///< the solved graph of an .npy, which does not contain it
  Semiring semiring = Semiring::min_plus;  ///< of an .npy, which does not contain it
  /// Device of products that update a matrix; automatic: the CPU. Factors are updated on the CPU.
  Device device = Device::cpu;
  std::vector<int> device_ordinals{};  ///< one GPU; empty: cuda:0
  std::int64_t device_memory = 0;      ///< bytes; 0: what is free
  Control control{};
};
struct UpdateReport {
  std::int64_t changes = 0;  ///< edges that changed, were added or removed
  double seconds = 0;        ///< until the new factor or matrix is in memory
  /// Rows of a matrix that were solved again because of larger weights.
  std::int64_t rows_solved = 0;
  /// Entries of the new factor divided by those of the old one; above 1 if new edges need more.
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
  /// Like `Graph::find` and `Graph::name`, but do not read the graph of a stored result without
  /// labels. `name` throws `Error` (usage) for a vertex out of range.
  std::optional<Vertex> find(std::string_view name) const;
  std::string name(Vertex v) const;
  /// The number of the first vertex if vertices have no labels.
  std::optional<Vertex> first_id() const;
  Semiring semiring() const;
  ValueType value_type() const;
  const SolveReport& report() const;
  /// Matrix (in memory or in a file), factor or statistics.
  Keep kept() const;
  /// Vertices of the rows and columns, in their order; empty: all.
  std::span<const Vertex> sources() const;
  std::span<const Vertex> targets() const;
  /// The matrix, if it is in memory. It is valid as long as this result, moved or not. Empty
  /// `sources` mean all vertices in order.
  std::optional<RowBlock> matrix() const;

  /// Returns the distance from s to t, or ±infinity without a path, by the semiring (0 for
  /// or-and). A distance of a factor takes microseconds, a row or a path milliseconds
  /// (docs/performance.md); for real weights they may differ by rounding. Throws `Error` (usage): a
  /// vertex out of range, a row or column that is not held, or a result of statistics only. Rows
  /// and paths need the columns of all vertices.
  double distance(Vertex s, Vertex t) const;
  std::vector<double> distances_from(Vertex s) const;  ///< [n]
  /// [pairs] as `distance`, by all threads. Many pairs of one source share its row. Many pairs of a
  /// factor use labels of their vertices, within `options.memory`; for real weights they may differ
  /// from `distance` by rounding. Equal pairs and memory give equal bits on any number of threads.
  /// Throws `Error`: as `distance`, does_not_fit, interrupted.
  std::vector<double> distances(std::span<const VertexPair> pairs,
                                const PairsOptions& options) const;
  std::vector<double> distances(std::span<const VertexPair> pairs,
                                const Control& control = {}) const {
    return distances(pairs, PairsOptions{.control = control});
  }
  bool reachable(Vertex s, Vertex t) const;

  /// Returns one best path s … t, both included; {s} for s = t; empty if there is none. Among
  /// shortest paths with integer weights it has the fewest edges, then the smallest predecessors
  /// from t backwards; docs/statistics.md explains other ties.
  std::vector<Vertex> path(Vertex s, Vertex t) const;
  /// [n] the vertex before v on `path(s, v)`; −1 for s and unreachable v.
  std::vector<std::int64_t> predecessors(Vertex s) const;

  /// Whether the result has the matrices of `QuestionOptions::via` and `hops`.
  bool has_via() const;
  bool has_hops() const;
  /// Returns a vertex k between s and t such that path(s, k) · path(k, t) is a best path (Katz and
  /// Kider 2008; Schiff); nothing if the best path is an edge, for no path, and for s = t. This
  /// function and the two below throw `Error` (usage): a vertex out of range, `has_via` or
  /// `has_hops` is false.
  std::optional<Vertex> via(Vertex s, Vertex t) const;
  /// Returns the number of edges of the walk that via describes: of `path_by_via` and of cycles of
  /// cost zero that it omits. 0 for s = t; nothing without a path.
  std::optional<std::int64_t> hops(Vertex s, Vertex t) const;
  /// Returns one best path s … t by recursion over via; it may differ from `path` among equal ones.
  /// Throws `Error` (input) if the matrix of via is damaged.
  std::vector<Vertex> path_by_via(Vertex s, Vertex t) const;

  /// Returns the result for other weights of the same vertices, matched by name. Edges may be added
  /// and removed (`with_weights`, `with_changes`). A factor keeps its order (Dibbelt 2014). A
  /// matrix is updated by products (incremental Floyd-Warshall; Sao 2021, §7) and may get new
  /// vertices. The value type may become wider. Throws `Error`: usage (statistics only, some rows,
  /// predecessors or via, other vertices, real weights of both signs), does_not_fit,
  /// negative_cycle, interrupted.
  Result update(const Graph& graph, const UpdateOptions& options = {},
                UpdateReport* report = nullptr) const;

  /// Statistics from the solve; computed now if a stored result lacks them.
  const Statistics& statistics(const Control& control = {}) const;
  /// Statistics of the largest strong component (`largest_component`), computed from its rows.
  /// Vertices keep their numbers: vectors are [n], NaN outside the component. Throws `Error`: usage
  /// (statistics only, some rows or columns), interrupted.
  Statistics component_statistics(const Control& control = {}) const;
  /// Checks the matrix in memory, the rows of the factor, or the file that was opened. To check the
  /// output of a solve, open it first (`open_result`).
  VerifyReport verify(const VerifyOptions& options = {}) const;
  /// Writes to `path` (.npy or .zarr), complete or not at all.
  void save(const std::string& path, bool compress = false, const Control& control = {}) const;

  /// Used inside the library.
  const State& state() const;

 private:
  State& whole() const;
  std::unique_ptr<State> state_;
};

/// Returns the best paths of all pairs. Throws `Error`: usage, negative_cycle (with a cycle),
/// does_not_fit (with what fits), device, input_output, interrupted.
Result solve(const Graph& graph, const SolveOptions& options = {});

/// Returns the distances of the pairs, as `Result::distance`, without a matrix: by rows of their
/// distinct sources, or of their distinct targets in the reversed graph if these are fewer, or from
/// a factor, whichever is predicted to be fastest. Sources, targets, results and rows in `options`
/// have no effect. Throws `Error` as `solve`.
std::vector<double> distances(const Graph& graph, std::span<const VertexPair> pairs,
                              const SolveOptions& options = {});

struct PlanOptions {
  bool measure = false;  ///< measure the rates of this machine now, whatever is cached
  /// Take sizes and times from samples if ordering the graph takes longer than reading it.
  bool estimate = false;
};

/// Returns the plan of `solve` with these options. Rates of the machine are measured if worthwhile
/// and cached; nothing is solved or written otherwise. A solve that does not fit is not an error
/// here (`what_would_fit`). Throws `Error` as `solve` otherwise.
PlanReport plan_solve(const Graph& graph, const SolveOptions& options = {},
                      const PlanOptions& planning = {});

/// Opens a stored result. A factor is read when more is asked than the distances of a few pairs, or
/// at once if `graph` is given or an earlier version wrote it; reading throws `Error` (input) if it
/// is damaged. `graph` must be the solved graph (its digest is compared if the store has one) and
/// is required for an .npy. Throws `Error`: usage, input, input_output.
Result open_result(const std::string& path, std::optional<Graph> graph = std::nullopt,
                   Semiring semiring = Semiring::min_plus);

/// Updates the factor or matrix stored at `path` to the graph that `change` makes of its graph.
/// Updates in place take turns; `Error` (input_output) if a solve has replaced the result
/// meanwhile.
UpdateReport update_stored(const std::string& path,
                           const std::function<Graph(const Graph&)>& change,
                           const UpdateOptions& options = {});

// Metrics: other weights for the graph of a stored factor. Each is a result inside the factor's
// .zarr that shares the files of the order (docs/stores.md).

/// Returns the path of a metric for `open_result` and `update_stored`. Throws `Error` (usage) if
/// the result has none of that name.
std::string metric_path(const std::string& result, std::string_view metric);
/// Returns the names of all metrics of a result, sorted.
std::vector<std::string> metrics(const std::string& result);

/// Returns `requested` if positive, else the number of threads that this process may use.
int thread_count(int requested = 0);

std::string_view name(Algorithm algorithm);
std::string_view name(Keep keep);
std::optional<Algorithm> parse_algorithm(std::string_view text);
std::optional<Keep> parse_keep(std::string_view text);

}  // namespace apsp
