// apsp convert: between graph formats, and between stores.
//
// The file and OUT determine the meaning of IN: a .zarr is a result; an .npy is a result if OUT is
// a .zarr, and a graph's matrix otherwise. A result that is written to a graph format gives the
// solved graph.
#include <fmt/format.h>

#include <filesystem>

#include "base/json.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_options.hpp"
#include "cli/graph_view.hpp"
#include "cli/leftovers.hpp"
#include "cli/memory_use.hpp"
#include "cli/verb.hpp"
#include "io/formats.hpp"
#include "store/store.hpp"
#include "system/memory_limit.hpp"

namespace apsp::cli {
namespace {

/// Buffers for text, compressed or not, and for chunks of a .zarr.
constexpr std::int64_t kBuffers = std::int64_t{16} << 20;

class Convert : public Verb {
 public:
  void declare(Arguments& arguments) override {
    arguments.positional("IN", stored_.path, "a graph's file, - for standard input, or a result");
    arguments.positional(
        "OUT", out_,
        "the output, in the format of its suffix: .mtx .gr .txt .csv .tsv .graph .npy, then .gz or "
        ".zst to compress it; .zarr or .npy for results; - for an edge list on standard output");
    choice(arguments, "--to", format_choices(), format_, "the format of OUT, whatever its suffix");
    arguments.flag("--compress", compress_, "compress every chunk of a .zarr with zstd");
    arguments.text("--graph", "GRAPH", stored_.graph,
                   "the graph that was solved; a result in an .npy needs it");
    choice(arguments, "--semiring", semiring_choices(), stored_.semiring,
           "semiring of a result in an .npy; default: min-plus");
    declare_reading(arguments, stored_.reading);
    declare_threads(arguments);
    declare_memory(arguments);
  }

  int run(Context& context) override {
    refuse_if(context.json && out_ == "-",
              "--json and OUT - both write to standard output: leave one out");
    require_apart(out_, std::vector{stored_.path, stored_.graph, stored_.reading.coordinates});
    const bool result = is_stored_result(stored_.path) || (store::is_zarr(out_) && is_matrix());
    const IdleOption of_results[] = {
        {"--semiring", !result, "is for a result, and this is a graph: leave it out"}};
    context.refuse_idle(of_results);
    return result ? convert_result(context) : convert_graph(context);
  }

 private:
  bool is_matrix() const { return stored_.path.ends_with(".npy"); }

  void refuse_compress() const {
    refuse_if(compress_, "--compress is for a .zarr, and {} is not one: leave it out",
              out_ == "-" ? "standard output" : out_);
  }

  int convert_graph(Context& context) {
    refuse_if(!stored_.graph.empty(),
              "--graph is for a result, and {} is read as a graph: leave it out",
              shown_path(stored_.path));
    refuse_if(store::is_zarr(out_),
              "{} is a graph, and {} would hold its distances. To solve it: apsp solve {} -o {}",
              shown_path(stored_.path), out_, stored_.path, out_);
    refuse_compress();
    if (!format_ && out_ != "-") format_ = io::output_format(out_);
    const Graph& graph = read_for(context, stored_.path, stored_.reading);
    context.note(graph_line(graph, stored_.path, context.err()));
    system::plan_memory(kBuffers, "the conversion", "give it more with --memory");
    return finish_graph(context, graph);
  }

  int convert_result(Context& context) {
    const Result result = open_for(context, stored_);
    plan_question(result, {.what = "the conversion", .rows = 1, .bytes = kBuffers});
    const bool to_store = !format_ && (store::is_zarr(out_) || out_.ends_with(".npy"));
    if (!(to_store && store::is_zarr(out_))) refuse_compress();
    if (!to_store) return finish_graph(context, result.graph());
    clean_beside(context, out_);
    result.save(out_, compress_, context.control());
    return finish(context, result.graph(), "result");
  }

  int finish_graph(Context& context, const Graph& graph) {
    write_to(context, graph, out_, format_);
    return finish(context, graph, "graph");
  }

  int finish(Context& context, const Graph& graph, const std::string& kind) {
    if (out_ == "-") return kExitOk;
    const std::int64_t bytes = bytes_on_disk(out_);
    context.note(fmt::format("{}: {}, {} written", out_, kind, base::format_bytes(bytes)));
    context.print_json({{"input", stored_.path},
                        {"kind", kind},
                        {"vertices", graph.vertex_count()},
                        {"edges", graph.edge_count()},
                        {"directed", graph.directed()},
                        {"output", {{"path", out_}, {"bytes", bytes}}}});
    return kExitOk;
  }

  StoredResult stored_;
  std::string out_;
  std::optional<GraphFormat> format_;
  bool compress_ = false;
};

}  // namespace

VerbEntry convert_verb() {
  return {
      "convert IN OUT",
      "between graph formats, or between stores of results",
      "Convert: a graph from one format to another, or a result from one store to another. "
      "Parallel edges, direction and names of vertices are kept wherever the format can hold them.",
      {"apsp convert roads.gr roads.mtx",
       "apsp convert flights.zarr flights.npy            only the matrix, for NumPy",
       "zcat links.txt.gz | apsp convert - links.gr.zst --directed"},
      make_verb<Convert>};
}

}  // namespace apsp::cli
