// Calls of the C interface in any order: missing handles, odd words, arrays of any length.
#include <apsp/apsp.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/checks.hpp"
#include "fuzz/choices.hpp"
#include "fuzz/held_folder.hpp"
#include "fuzz/report.hpp"

namespace apsp::fuzz {
namespace {

/// A handle, or none.
template <class T, void (*end)(T*)>
class Handle {
 public:
  Handle() = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { end(held_); }
  T* get() const { return held_; }
  /// make(out): what a failed call leaves there is no handle.
  template <class Make>
  void make(Make&& make) {
    T* made = reinterpret_cast<T*>(this);
    const bool succeeded = make(&made) == APSP_OK;
    if (succeeded != (made != nullptr)) report("a handle of a failed call, or none of another");
    if (!succeeded) return;
    end(held_);
    held_ = made;
  }

 private:
  T* held_ = nullptr;
};

class Caller {
 public:
  Caller(Choices& choices, const std::string& folder) : choices_(choices), folder_(folder) {}

  void call() {
    switch (choices_.below(16)) {
      case 0: {
        const std::int64_t n = count_of_vertices();
        const bool directed = choices_.below(2) != 0;
        return builder_.make([&](auto** out) { return told(apsp_builder_new(n, directed, out)); });
      }
      case 1:
      case 2:
        return add_edges();
      case 3:
        return graph_.make(
            [&](auto** out) { return told(apsp_builder_build(builder_.get(), out)); });
      case 4:
        return graph_.make([&](auto** out) { return told(apsp_graph_read(path(), out)); });
      case 5:
        told(apsp_graph_write(graph_.get(), path()));
        return;
      case 6:
        return options_.make([&](auto** out) { return told(apsp_options_new(out)); });
      case 7:
      case 8:
      case 9:
        return set_option();
      case 10:
      case 11:
        return result_.make(
            [&](auto** out) { return told(apsp_solve(graph_.get(), options_.get(), out)); });
      case 12:
        return result_.make([&](auto** out) { return told(apsp_open(path(), out)); });
      default:
        return ask();
    }
  }

 private:
  static constexpr std::size_t kMost = 16;  // vertices, and values of an array

  apsp_status told(apsp_status status) const {
    const std::string message = apsp_error_message();
    if (status != APSP_OK && message.empty()) report("an error without a message");
    if (status == APSP_DEFECT) report(message);
    std::uint32_t cycle[2];
    const std::size_t length = apsp_error_cycle(cycle, std::size(cycle));
    if (status == APSP_NEGATIVE_CYCLE && length == 0) report("a cycle that is not told");
    if (apsp_status_name(status) == std::string("unknown status"))
      report("a status without a name");
    return status;
  }

  std::int64_t count_of_vertices() {
    const std::size_t kind = choices_.below(8);
    if (kind > 1) return static_cast<std::int64_t>(choices_.below(kMost));
    const std::int64_t odd = choices_.number();
    return odd < 0 || odd > INT64_C(1) << 32 ? odd : 1;  // no memory of gigabytes
  }
  std::uint32_t vertex() {
    return choices_.below(16) == 0 ? static_cast<std::uint32_t>(choices_.number())
                                   : static_cast<std::uint32_t>(choices_.below(kMost));
  }
  std::vector<std::uint32_t> vertices(std::size_t count) {
    std::vector<std::uint32_t> all(count);
    for (std::uint32_t& v : all) v = vertex();
    return all;
  }
  double weight() {
    static constexpr double kTelling[] = {NAN, INFINITY, -INFINITY, -1, 1e308, 0.1, 65536, 5e-324};
    const std::size_t at = choices_.below(3 * std::size(kTelling));
    return at < std::size(kTelling) ? kTelling[at] : static_cast<double>(choices_.below(20));
  }
  const char* path() {
    static constexpr const char* kNames[] = {"a.zarr", "b.zarr", "c.npy", "g.txt",
                                             "g.gr",   "g.mtx",  "no/x",  ""};
    path_ = folder_ + "/" + kNames[choices_.below(std::size(kNames))];
    return choices_.below(16) == 0 ? nullptr : path_.c_str();
  }
  const char* word() {
    static constexpr const char* kWords[] = {"auto",
                                             "min-plus",
                                             "max-min",
                                             "min-max",
                                             "max-plus",
                                             "or-and",
                                             "cpu",
                                             "cuda",
                                             "matrix",
                                             "factor",
                                             "statistics",
                                             "f32",
                                             "f64",
                                             "i32",
                                             "u16",
                                             "floyd-warshall",
                                             "nested-dissection",
                                             "boundary",
                                             "johnson",
                                             "bfs",
                                             "boolean",
                                             "",
                                             "\xFF",
                                             "auto "};
    const std::size_t at = choices_.below(std::size(kWords) + 1);
    return at < std::size(kWords) ? kWords[at] : nullptr;
  }

  void add_edges() {
    if (choices_.below(2) == 0) {
      const std::uint32_t from = vertex(), to = vertex();
      told(apsp_builder_add_edge(builder_.get(), from, to, weight()));
      return;
    }
    const std::size_t count = choices_.below(kMost);
    const std::vector<std::uint32_t> from = vertices(count), to = vertices(count);
    std::vector<double> weights(count);
    for (double& w : weights) w = weight();
    const bool ones = choices_.below(4) == 0;
    told(apsp_builder_add_edges(builder_.get(), from.data(), to.data(),
                                ones ? nullptr : weights.data(), count));
  }

  static int take_rows(void* context, const std::uint32_t* sources, std::size_t rows,
                       const double* values, std::size_t columns) {
    double sum = 0;
    for (std::size_t i = 0; i < rows; ++i) sum += sources[i];
    for (std::size_t i = 0; i < rows * columns; ++i) sum += values[i];
    return std::isnan(sum) && context != nullptr ? 1 : 0;
  }

  void set_option() {
    apsp_options* const options = options_.get();
    const std::size_t count = choices_.below(4);
    switch (choices_.below(11)) {
      case 0:
        told(apsp_options_semiring(options, word()));
        break;
      case 1:
        told(apsp_options_algorithm(options, word()));
        break;
      case 2:
        told(apsp_options_device(options, word()));
        break;
      case 3:
        told(apsp_options_keep(options, word()));
        break;
      case 4:
        told(apsp_options_value_type(options, word()));
        break;
      case 5:
        told(apsp_options_threads(options, choices_.below(2) == 0 ? 1 : -7));
        break;
      case 6:
        told(apsp_options_memory(options, choices_.number()));
        break;
      case 7:
        told(apsp_options_output(options, path()));
        break;
      case 8:
        told(apsp_options_sources(options, vertices(count).data(), count));
        break;
      case 9:
        told(apsp_options_targets(options, vertices(count).data(), count));
        break;
      default: {
        const bool none = choices_.below(4) == 0;
        void* const context = choices_.below(2) == 0 ? nullptr : this;
        told(apsp_options_rows(options, none ? nullptr : take_rows, context));
      }
    }
  }

  void ask() {
    const apsp_result* const result = result_.get();
    const auto n = static_cast<std::size_t>(apsp_result_vertices(result));
    switch (choices_.below(10)) {
      case 0: {
        const std::uint32_t from = vertex(), to = vertex();
        double distance = 0;
        told(apsp_result_distance(result, from, to, &distance));
        break;
      }
      case 1: {
        const std::size_t count = choices_.below(kMost);
        const std::vector<std::uint32_t> from = vertices(count), to = vertices(count);
        std::vector<double> found(count);
        told(apsp_result_distances(result, from.data(), to.data(), count, found.data()));
        break;
      }
      case 2: {
        std::vector<double> row(n);
        told(apsp_result_row(result, vertex(), row.data()));
        break;
      }
      case 3: {
        const std::uint32_t from = vertex(), to = vertex();
        std::vector<std::uint32_t> walk(choices_.below(kMost));
        std::size_t length = 0;
        told(apsp_result_path(result, from, to, walk.data(), walk.size(), &length));
        if (length > n) report("a path that is longer than the graph has vertices");
        break;
      }
      case 4: {
        int passed = 1;
        if (told(apsp_result_verify(result, &passed)) == APSP_OK && passed == 0) {
          report("a result does not verify");
        }
        break;
      }
      case 5: {
        double figure = 0;
        told(apsp_result_statistic(result, figure_name(), &figure));
        std::vector<double> values(n);
        told(apsp_result_vertex_values(result, figure_name(), values.data()));
        break;
      }
      case 6:
        told(apsp_result_save(result, path()));
        break;
      case 7:
        return find_nearest();
      case 8: {
        Handle<apsp_plan, apsp_plan_free> plan;
        plan.make(
            [&](auto** out) { return told(apsp_plan_solve(graph_.get(), options_.get(), out)); });
        if (apsp_plan_bytes(plan.get()) < 0 || apsp_plan_bytes_disk(plan.get()) < 0) {
          report("a plan of fewer than no bytes");
        }
        break;
      }
      default:
        apsp_result_algorithm(result);
        apsp_graph_directed(graph_.get());
        if (apsp_graph_edges(graph_.get()) < 0) report("fewer than no edges");
    }
  }

  void find_nearest() {
    const auto n = static_cast<std::size_t>(apsp_graph_vertices(graph_.get()));
    const std::size_t count = choices_.below(4), k = choices_.below(4);
    std::vector<std::int64_t> indices(n * k);
    std::vector<double> distances(n * k);
    const std::vector<std::uint32_t> places = vertices(count);
    const int towards = choices_.below(2) == 0 ? 0 : 1;
    if (told(apsp_nearest(graph_.get(), places.data(), count, k, towards, indices.data(),
                          distances.data())) != APSP_OK) {
      return;
    }
    for (const std::int64_t index : indices) {
      if (index < -1 || index >= static_cast<std::int64_t>(count)) report("a place that is none");
    }
  }

  const char* figure_name() {
    static constexpr const char* kNames[] = {"diameter",  "mean",       "connected",
                                             "histogram", "closeness",  "eccentricity",
                                             "",          "radius_pair"};
    const std::size_t at = choices_.below(std::size(kNames) + 1);
    return at < std::size(kNames) ? kNames[at] : nullptr;
  }

  Choices& choices_;
  const std::string& folder_;
  std::string path_;
  Handle<apsp_builder, apsp_builder_free> builder_;
  Handle<apsp_graph, apsp_graph_free> graph_;
  Handle<apsp_options, apsp_options_free> options_;
  Handle<apsp_result, apsp_result_free> result_;
};

}  // namespace

void check_c_interface(const std::uint8_t* data, std::size_t size) {
  constexpr int kMostCalls = 64;
  static HeldFolder folder;
  ::setenv("APSP_MEASURE", "never", 1);
  folder.hold({});
  Choices choices(data, size);
  Caller caller(choices, folder.path());
  for (int calls = 0; calls < kMostCalls && !choices.empty(); ++calls) caller.call();
}

}  // namespace apsp::fuzz
