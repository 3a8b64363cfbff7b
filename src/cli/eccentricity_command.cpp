// apsp eccentricity: diameter, radius and eccentricities without all pairs.
#include <fmt/format.h>
#include <algorithm>
#include <apsp/near.hpp>
#include <iterator>
#include <optional>
#include <span>

#include "base/json.hpp"
#include "base/refusal.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_options.hpp"
#include "cli/graph_view.hpp"
#include "cli/option_values.hpp"
#include "cli/table.hpp"
#include "cli/table_output.hpp"
#include "cli/turn_options.hpp"
#include "cli/verb.hpp"

namespace apsp::cli {
namespace {

constexpr std::size_t kShownNames = 5;

std::string range_text(const ProvenRange& range) {
  if (range.known()) return base::format_value(range.least);
  return fmt::format("{} to {}", base::format_value(range.least), base::format_value(range.most));
}

class EccentricityVerb : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_network(arguments, network_);
    arguments.section("Options");
    arguments.flag("--diameter", diameter_, "only the diameter; default: diameter and radius");
    arguments.flag("--radius", radius_, "only the radius");
    arguments.flag("--all", all_, "every eccentricity too, which takes many more searches");
    arguments.flag(
        "--sets", options_.sets,
        "find all vertices of the centre and the periphery, not only some of them; where "
        "many vertices have the same eccentricity, this takes many more searches");
    choice(arguments, "--component", kComponents, each_,
           "the largest strong component, or each by itself; default: largest");
    declare_table(arguments, output_, "no table; with --all, a table of all vertices");
    choice(
        arguments, "--algorithm", kMethods, options_.algorithm,
        "searches, or rows of a factor; auto takes that of RESULT if it is faster, and makes one "
        "once searches have taken as long; default: auto");
    declare_run(arguments, network_.reading, &options_.threads);
  }

  int run(Context& context) override {
    refuse_if(diameter_ + radius_ + all_ > 1, "--diameter, --radius and --all exclude each other");
    refuse_if(!output_.path.empty() && !all_, "-o writes a table of eccentricities: add --all");
    check_table(output_, network_.reading, {network_.path});
    std::optional<Result> result;
    if (is_stored_result(network_.path)) result.emplace(open_for(context, network_));
    const Graph& graph =
        result ? *(context.graph = result->graph()) : read_network(context, network_);
    require_no_turns(graph, "an eccentricity",
                     "`apsp stats` of a factor has the greatest distance between vertices");
    options_.control = context.control();
    options_.goal = diameter_ ? EccentricityGoal::diameter
                    : radius_ ? EccentricityGoal::radius
                    : all_    ? EccentricityGoal::all
                              : EccentricityGoal::extremes;
    const auto find = [&](const auto& from) {
      if (each_) return component_eccentricities(from, options_);
      return std::vector{eccentricity(from, options_)};
    };
    std::vector<Eccentricities> found = result ? find(*result) : find(graph);
    const bool complete = found.back().complete;
    for (std::size_t i = 0; i < std::min(found.size(), kShownNames); ++i) {
      show(context, graph, found[i]);
    }
    if (found.size() > kShownNames) {
      context.note(
          fmt::format("{} smaller components are in --json only", found.size() - kShownNames));
    }
    if (graph.directed() && found.front().components > 1 && !radius_) {
      context.note(
          "paths between components may be longer: `apsp solve` finds the diameter of all pairs");
    }
    if (complete && !output_.path.empty()) write(context, graph, found);
    if (context.json) print(context, graph, found);
    if (!complete) context.note("interrupted; these bounds are proven");
    return complete ? kExitOk : kExitInterrupted;
  }

 private:
  static std::string names(const Graph& graph, std::span<const Vertex> vertices) {
    std::string text;
    for (const Vertex v : vertices.first(std::min(vertices.size(), kShownNames))) {
      text += (text.empty() ? "" : ", ") + shown_name(graph, v);
    }
    if (vertices.size() <= kShownNames) return text;
    return text + fmt::format(" and {} more", vertices.size() - kShownNames);
  }

  void show(Context& context, const Graph& graph, const Eccentricities& found) const {
    const std::string joint =
        fmt::format(" {} ", graph.directed() ? context.out().arrow() : context.out().dash());
    Table table({Align::left, Align::left}, 100);
    const auto pair = [&](const VertexPair& of) {
      return shown_name(graph, of.from) + joint + shown_name(graph, of.to);
    };
    if (!radius_) {
      table.row({"diameter",
                 fmt::format("{}   {}", range_text(found.diameter), pair(found.diameter_pair))});
    }
    if (!diameter_) {
      table.row(
          {"radius", fmt::format("{}   {}", range_text(found.radius), pair(found.radius_pair))});
    }
    if (!found.centre.empty()) table.row({"centre", names(graph, found.centre)});
    if (!found.periphery.empty()) table.row({"periphery", names(graph, found.periphery)});
    table.row({"rows", fmt::format("{} of {}, {}", base::format_count(found.rows),
                                   base::format_count(found.vertices), found.plan)});
    const std::string remark =
        found.components == 1
            ? ""
            : fmt::format("{} vertices, {} of {} strong components",
                          base::format_count(found.vertices), each_ ? "one" : "the largest",
                          base::format_count(found.components));
    context.print(heading(context.out(), "Eccentricities", remark) + table.text(context.out()));
  }

  void print(Context& context, const Graph& graph, const std::vector<Eccentricities>& found) const {
    nlohmann::json components = nlohmann::json::array();
    for (const Eccentricities& one : found) components.push_back(json_of(graph, one));
    context.print_json({{"vertices", graph.vertex_count()},
                        {"strong_components", found.front().components},
                        {"components", std::move(components)},
                        {"output", output_json(output_)}});
  }

  nlohmann::json json_of(const Graph& graph, const Eccentricities& found) const {
    const auto list = [&](const std::vector<Vertex>& vertices) {
      nlohmann::json names = nlohmann::json::array();
      for (const Vertex v : vertices) names.push_back(graph.name(v));
      return names;
    };
    const auto range = [&](const ProvenRange& of, const VertexPair& pair) {
      return nlohmann::json{{"least", of.least},
                            {"most", finite_json(of.most)},
                            {"from", graph.name(pair.from)},
                            {"to", graph.name(pair.to)}};
    };
    nlohmann::json one = {{"vertices", found.vertices},
                          {"rows", found.rows},
                          {"complete", found.complete},
                          {"tolerance", found.tolerance},
                          {"plan", found.plan}};
    if (!radius_) {
      one["diameter"] = range(found.diameter, found.diameter_pair);
      one["periphery"] = list(found.periphery);
    }
    if (!diameter_) {
      one["radius"] = range(found.radius, found.radius_pair);
      one["centre"] = list(found.centre);
    }
    return one;
  }

  /// A row for each vertex of the components; those of others are left out.
  void write(Context& context, const Graph& graph, const std::vector<Eccentricities>& found) const {
    std::vector<double> values = found.front().eccentricity;
    for (const Eccentricities& one : found) {
      for (std::size_t v = 0; v < values.size(); ++v) {
        if (values[v] != values[v]) values[v] = one.eccentricity[v];
      }
    }
    std::vector<Vertex> vertices;
    std::vector<double> shown;
    for (std::size_t v = 0; v < values.size(); ++v) {
      if (values[v] != values[v]) continue;
      vertices.push_back(static_cast<Vertex>(v));
      shown.push_back(values[v]);
    }
    io::Columns columns;
    columns.add("vertex", vertices.data());
    columns.add("eccentricity", shown.data());
    write_rows(context, output_, network_.reading, graph, columns, std::ssize(shown));
  }

  static inline const Choices<Algorithm> kMethods = {
      {"auto", Algorithm::automatic},
      {"johnson", Algorithm::johnson},
      {"nested-dissection", Algorithm::nested_dissection}};
  static inline const Choices<bool> kComponents = {{"largest", false}, {"each", true}};
  StoredResult network_;
  EccentricityOptions options_;
  TableOutput output_;
  bool diameter_ = false, radius_ = false, all_ = false, each_ = false;
};

}  // namespace

VerbEntry eccentricity_verb() {
  return {"eccentricity GRAPH",
          "diameter, radius, centre without all pairs",
          "Eccentricity: the exact diameter and radius, the centre and the periphery, from a few "
          "searches instead of all pairs. They are those of the largest strong component.",
          {"apsp eccentricity roads.csv", "apsp eccentricity roads.zarr --diameter",
           "apsp eccentricity roads.csv --all -o eccentricities.csv"},
          make_verb<EccentricityVerb>};
}

}  // namespace apsp::cli
