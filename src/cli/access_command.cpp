// apsp access: how much can be reached from every vertex.
#include <fmt/format.h>
#include <apsp/near.hpp>

#include "base/json.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/memory_use.hpp"
#include "cli/near_view.hpp"
#include "cli/option_values.hpp"
#include "cli/path_output.hpp"
#include "cli/verb.hpp"
#include "io/vertex_lists.hpp"
#include "store/selection.hpp"

namespace apsp::cli {
namespace {

/// "exp:600", "linear".
Decay decay_value(const std::string& option, const std::string& text) {
  constexpr std::string_view kExponential = "exp:";
  if (text == "none") return {};
  if (text == "linear") return {Decay::Kind::linear, 1};
  if (text.starts_with(kExponential)) {
    const double scale = real_value(option, text.substr(kExponential.size()));
    if (scale > 0) return {Decay::Kind::exponential, scale};
  }
  throw usage_error(
      "{}: '{}' is not a decay; choose none, linear or exp:SCALE with a SCALE above 0", option,
      text);
}

class Access : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_network(arguments, network_);
    arguments.section("Options");
    declare_metric(arguments, network_);
    arguments.text("--weights", "FILE", weights_,
                   "what can be reached: a table of vertices and quantities, such as jobs; the "
                   "column titled vertex, node, id or name, else the first one, names vertices; "
                   "rows of one vertex are added up");
    parsed(arguments, "--within", "D1,D2,…", list_value, limits_,
           "the greatest distances: a sum is made for each of them");
    parsed(arguments, "--decay", "none|linear|exp:SCALE", decay_value, decay_,
           "how much counts at a distance d: all, 1 - d / D, or exp(-d / SCALE); default: none");
    arguments.text("--sources", "LIST|@FILE|random:K", sources_,
                   "only from these vertices; default: all");
    parsed(arguments, "--seed", "N", seed_value, seed_, "for random:K; default: 1");
    declare_table(arguments, output_);
    declare_reading(arguments, network_.reading);
    declare_threads(arguments, &options_.threads);
    declare_memory(arguments);
  }

  int run(Context& context) override {
    refuse_if(weights_.empty(), "--weights is missing: name a table of vertices and quantities");
    refuse_if(limits_.empty(),
              "--within is missing: how far may a path be? For example --within 900");
    check_table(output_, network_.reading, {network_.path, weights_, file_of(sources_)});
    const Graph& graph = read_network(context, network_);
    options_.control = context.control();
    options_.sources = chosen_vertices({"--sources", sources_}, graph, seed_, &context);
    const io::VertexQuantities table = io::read_quantities(weights_, graph, list_reading(context));
    const std::vector<double> sums = access(graph, table.values, limits_, decay_, options_);
    write(context, graph, table.titles, sums);
    if (context.json) {
      context.print_json(
          {{"sources", sums.size() / (limits_.size() * table.titles.size())},
           {"limits", limits_},
           {"columns", table.titles},
           {"output", output_.path.empty() ? nlohmann::json() : nlohmann::json(output_.path)}});
    }
    return kExitOk;
  }

 private:
  void write(Context& context, const Graph& graph, const std::vector<std::string>& titles,
             const std::vector<double>& sums) const {
    std::vector<io::TableColumn> columns = {{"vertex", io::ColumnKind::vertex}};
    for (const double limit : limits_) {
      for (const std::string& title : titles) {
        columns.push_back({fmt::format("{} within {}", title, limit)});
      }
    }
    const std::size_t width = columns.size() - 1;
    const std::vector<Vertex> sources =
        store::VertexList(options_.sources).of(graph.vertex_count());
    if (output_.is_map()) {
      return write_map(context, output_, network_.reading, graph, [&](MapFile& map) {
        for (std::size_t row = 0; row < sources.size(); ++row) {
          MapFile::Properties properties = {{"vertex", map.name(sources[row])}};
          for (std::size_t i = 0; i < width; ++i) {
            properties[columns[i + 1].title] = sums[row * width + i];
          }
          map.point(sources[row], properties);
        }
      });
    }
    std::vector<io::ColumnValues> values = {io::Stepped<Vertex>{sources.data()}};
    for (std::size_t i = 0; i < width; ++i) {
      values.push_back(io::Stepped<double>{sums.data() + i, static_cast<std::int64_t>(width)});
    }
    write_table(context, output_, graph, columns, [&](io::ColumnTable& table) {
      table.expect_rows(std::ssize(sources));
      table.put(std::ssize(sources), values);
    });
  }

  StoredResult network_;
  NearOptions options_;
  TableOutput output_;
  std::string weights_, sources_;
  std::vector<double> limits_;
  Decay decay_;
  std::uint64_t seed_ = 1;
};

}  // namespace

VerbEntry access_verb() {
  return {"access GRAPH --weights FILE --within D",
          "how much can be reached from every vertex",
          "Access: accessibility. For every vertex and every limit D, the sum of a quantity over "
          "all vertices at most D away, such as the jobs within 30 minutes.",
          {"apsp access roads.gr --weights jobs.csv --within 900,1800 -o access.csv",
           "apsp access roads.gr --weights people.csv --within 3600 --decay exp:600",
           "apsp access roads.zarr --weights jobs.csv --within 900 --sources @homes.txt"},
          make_verb<Access>};
}

}  // namespace apsp::cli
