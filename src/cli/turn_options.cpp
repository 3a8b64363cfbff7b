#include "cli/turn_options.hpp"

#include <limits>

#include "cli/option_values.hpp"
#include "graph/vertex_states.hpp"
#include "io/vertex_lists.hpp"

namespace apsp::cli {
namespace {

constexpr const char *kTurns = "--turns", *kUTurns = "--u-turns", *kAngles = "--turn-angles",
                     *kPositions = "--turn-positions";

double cost_value(const std::string& option, const std::string& text) {
  if (text == "forbid" || text == "inf") return std::numeric_limits<double>::infinity();
  const double cost = real_value(option, text);
  refuse_if(cost < 0, "{}: a cost must be at least 0, not {}", option, text);
  return cost;
}

/// "45:3,-45:1,135:forbid".
std::vector<TurnAngle> angles_value(const std::string& option, const std::string& text) {
  std::vector<TurnAngle> angles;
  for (const std::string& one : words_between_commas(text)) {
    const std::size_t colon = one.find(':');
    refuse_if(colon == std::string::npos, "{} takes ANGLE:COST,…, such as 45:3,-45:1, not '{}'",
              option, text);
    angles.push_back(
        {real_value(option, one.substr(0, colon)), cost_value(option, one.substr(colon + 1))});
  }
  return angles;
}

}  // namespace

void declare_turns(Arguments& arguments) {
  const auto unread = [](const std::string&) {};  // `with_given_turns` asks the context
  arguments.value(
      kTurns, "FILE", unread,
      "costs of turns, in the unit of the weights: a table of from, via, to and cost; inf "
      "forbids a turn");
  arguments.value(
      kUTurns, "forbid|COST", [](const std::string& text) { cost_value(kUTurns, text); },
      "the cost of turning round; forbid: only where no other edge leads on");
  arguments.value(
      kAngles, "ANGLE:COST,…", [](const std::string& text) { angles_value(kAngles, text); },
      "the cost of turns by at least so many degrees, to the left above 0, to the right "
      "below 0; the furthest angle that a turn reaches counts");
  arguments.value(kPositions, "FILE", unread,
                  "where the vertices are, for --turn-angles: as the file of --positions");
}

bool gave_turns(const Context& context) {
  return context.gave(kTurns) || context.gave(kUTurns) || context.gave(kAngles) ||
         context.gave(kPositions);
}

Graph with_given_turns(Context& context, const Graph& graph) {
  if (!gave_turns(context)) return graph;
  const auto table = context.value_of(kTurns), u_turns = context.value_of(kUTurns),
             angles = context.value_of(kAngles), positions = context.value_of(kPositions);
  refuse_if(angles.has_value() != positions.has_value(),
            "--turn-angles and --turn-positions need each other");
  require_apart(context.value_of("--output").value_or(""),
                std::vector{table.value_or(""), positions.value_or("")});
  TurnRules rules;
  if (table) {
    rules.turns = read_list(context, io::read_turns, *table, graph);
  }
  if (u_turns) rules.u_turns = cost_value(kUTurns, *u_turns);
  if (angles) {
    rules.angles = angles_value(kAngles, *angles);
    rules.positions = read_list(context, io::read_places, *positions, graph);
  }
  return with_turns(graph, rules);
}

void require_no_turns(const Graph& graph, const std::string& what, const std::string& instead) {
  refuse_if(TurnStates::of(graph).has_value(),
            "{} does not take turn costs: leave them out, or use the graph without them{}{}", what,
            instead.empty() ? "" : "; ", instead);
}

std::vector<Vertex> arrivals(const Graph& graph, std::vector<Vertex> vertices) {
  const graph::VertexStates states(graph);
  for (Vertex& v : vertices) v = states.end(v);
  return vertices;
}

std::vector<VertexPair> arrivals(const Graph& graph, std::vector<VertexPair> pairs) {
  const graph::VertexStates states(graph);
  for (VertexPair& pair : pairs) pair.to = states.end(pair.to);
  return pairs;
}

std::vector<Vertex> places_of(const Graph& graph, const std::vector<Vertex>& path) {
  const auto states = TurnStates::of(graph);
  return states ? states->places(path) : path;
}

}  // namespace apsp::cli
