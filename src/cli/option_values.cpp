#include "cli/option_values.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <optional>
#include <string_view>

#include "base/units.hpp"
#include "cli/context.hpp"
#include "cli/graph_view.hpp"
#include "graph/arc_walk.hpp"
#include "graph/vertex_states.hpp"
#include "io/vertex_lists.hpp"

namespace apsp::cli {
namespace {

template <class T>
std::optional<T> whole(std::string_view text) {
  if constexpr (std::is_same_v<T, double>) {
    return base::parse_finite(text);
  } else {
    T value{};
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool all = failure == std::errc() && end == text.data() + text.size();
    return all ? std::optional(value) : std::nullopt;
  }
}

template <class T>
std::optional<std::vector<T>> list_of(std::string_view text) {
  std::vector<T> values;
  for (const std::string& word : words_between_commas(text)) {
    const auto value = whole<T>(word);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

Error wrong(const std::string& option, const std::string& text, std::string_view expected) {
  return usage_error("{} takes {}, not '{}'", option, expected, text);
}

template <class T>
T number(const std::string& option, const std::string& text, std::string_view expected,
         T least = std::numeric_limits<T>::lowest()) {
  const auto value = whole<T>(text);
  if (!value || *value < least) throw wrong(option, text, expected);
  return *value;
}

/// Our choice for a name that other programs and papers use; empty if it is none of `allowed`.
std::string called_here(std::string_view text, const std::vector<std::string>& allowed) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"gpu", "cuda"},
      {"nvidia", "cuda"},
      {"dijkstra", "johnson"},
      {"fw", "floyd-warshall"},
      {"metis", "nested-dissection"},
      {"float32", "f32"},
      {"float", "f32"},
      {"float64", "f64"},
      {"double", "f64"},
      {"int", "i32"},
      {"int32", "i32"},
      {"uint16", "u16"},
      {"widest", "max-min"},
      {"minimax", "min-max"},
      {"longest", "max-plus"},
      {"shortest", "min-plus"},
      {"reachability", "or-and"}};
  for (const auto& [theirs, ours] : kNames) {
    if (text != theirs) continue;
    if (std::find(allowed.begin(), allowed.end(), ours) != allowed.end()) return std::string(ours);
  }
  return "";
}

constexpr std::string_view kRandom = "random:";

std::vector<Vertex> at_random(const VertexChoice& choice, std::int64_t n, std::uint64_t seed) {
  const std::int64_t count =
      integer_value(choice.option + " random:K", choice.text.substr(kRandom.size()), 1);
  refuse_if(count > n, "{} {}: the graph has only {}", choice.option, choice.text,
            base::counted(n, "vertex", "vertices"));
  constexpr std::uint64_t kOfTargets = 0x9E3779B97F4A7C15;
  return graph::drawn_vertices(n, count, choice.option == "--targets" ? seed ^ kOfTargets : seed);
}

std::vector<Vertex> in_option(const VertexChoice& choice, const Graph& graph) {
  if (const auto whole = graph.find(choice.text)) return {*whole};
  std::vector<Vertex> vertices;
  std::vector<bool> named(static_cast<std::size_t>(graph.vertex_count()));
  for (const std::string& name : words_between_commas(choice.text)) {
    refuse_if(name.empty(),
              "{} takes names of vertices separated by commas, @FILE or random:K, "
              "not '{}'",
              choice.option, choice.text);
    std::error_code failure;
    refuse_if(!graph.find(name) && std::filesystem::is_regular_file(choice.text, failure),
              "no vertex is called '{0}', but a file is: {1} @{0} reads the vertices from it",
              choice.text, choice.option);
    const Vertex vertex = find_vertex(graph, name);
    refuse_if(named[vertex], "{}: the vertex '{}' comes twice", choice.option, name);
    named[vertex] = true;
    vertices.push_back(vertex);
  }
  return vertices;
}

}  // namespace

std::int64_t integer_value(const std::string& option, const std::string& text, std::int64_t least) {
  return number(option, text, fmt::format("a whole number, at least {}", least), least);
}

int count_value(const std::string& option, const std::string& text) {
  constexpr int kMost = std::numeric_limits<int>::max();
  return number(option, text, fmt::format("a whole number from 1 to {}", kMost), 1);
}

std::uint64_t seed_value(const std::string& option, const std::string& text) {
  return number<std::uint64_t>(option, text, "a whole number, at least 0");
}

double real_value(const std::string& option, const std::string& text) {
  return number<double>(option, text, "a number");
}

double tolerance_value(const std::string& option, const std::string& text) {
  return number(option, text, "a number, at least 0", 0.0);
}

std::int64_t byte_value(const std::string& option, const std::string& text) {
  const auto value = base::parse_bytes(text);
  if (!value || *value <= 0) throw wrong(option, text, "a size such as 512MiB or 8GiB");
  return *value;
}

std::pair<double, double> range_value(const std::string& option, const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto low = whole<double>(std::string_view(text).substr(0, colon));
  const auto high =
      colon == std::string::npos ? low : whole<double>(std::string_view(text).substr(colon + 1));
  if (!low || !high || *low > *high) {
    throw wrong(option, text, "a range LOW:HIGH such as 1:100");
  }
  return {*low, *high};
}

std::vector<double> list_value(const std::string& option, const std::string& text) {
  const auto values = list_of<double>(text);
  if (!values) throw wrong(option, text, "numbers separated by commas");
  return *values;
}

void declare_unit(Arguments& arguments, Unit& unit) {
  parsed(arguments, "--unit", "s|min|h|m|km", parse_unit, unit,
         "the unit of the weights, or a multiple such as 0.1s, for limits such as 15min and for "
         "titles");
}

std::vector<std::string> words_between_commas(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) c == ',' ? void(words.emplace_back()) : words.back().push_back(c);
  return words;
}

Limits limits_value(const std::string& option, const std::string& text, const Unit& unit) {
  Limits limits;
  for (const std::string& word : words_between_commas(text)) {
    limits.values.push_back(quantity(option, word, unit));
    const bool number = whole<double>(word).has_value();
    limits.words.push_back(number ? with_unit(fmt::format("{}", limits.values.back()), unit)
                                  : word);
  }
  return limits;
}

DeviceValue device_value(const std::string& option, const std::string& text) {
  const std::vector<std::string> allowed = {"auto",   "cpu",      "cuda",
                                            "cuda:N", "cuda:N,M", "cuda:all"};
  const std::size_t colon = text.find(':');
  const auto device = parse_device(std::string_view(text).substr(0, colon));
  if (!device) throw not_a_choice(option, text, allowed);
  if (colon == std::string::npos) return {*device};
  const std::string_view tail = std::string_view(text).substr(colon + 1);
  if (*device == Device::cuda && tail == "all") return {*device, {kAllGpus}};
  const auto ordinals = list_of<int>(tail);
  if (*device == Device::cuda && ordinals &&
      *std::min_element(ordinals->begin(), ordinals->end()) >= 0) {
    return {*device, *ordinals};
  }
  throw wrong(option, text, alternatives(allowed) + " with N and M counted from 0");
}

Error not_a_choice(const std::string& option, const std::string& text,
                   const std::vector<std::string>& allowed) {
  const std::string ours = called_here(text, allowed);
  return usage_error("{} takes {}, not '{}'{}", option, alternatives(allowed), text,
                     ours.empty() ? did_you_mean(text, allowed) : "; did you mean '" + ours + "'?");
}

void declare_component(Arguments& arguments, bool& largest) {
  choice(arguments, "--component", Choices<bool>{{"all", false}, {"largest", true}}, largest,
         "largest: only the largest component, where directions count the largest strong one; "
         "default: all");
}

void declare_vertices(Arguments& arguments, std::string& sources, std::string& targets) {
  const char* const placeholder = "LIST|@FILE|random:K";
  arguments.text(
      "--sources", placeholder, sources,
      "only distances from these vertices: names separated by commas, a file with one on each "
      "line, or K drawn at random (--seed). The result holds their rows, in this order");
  arguments.text("--targets", placeholder, targets,
                 "only distances to these vertices; the result holds their columns, in this order");
}

std::string file_of(const std::string& vertices) {
  return vertices.starts_with('@') ? vertices.substr(1) : "";
}

namespace {

/// `vertices`: those of the graph without turn states.
std::vector<Vertex> named_vertices(const VertexChoice& choice, const Graph& graph,
                                   std::int64_t vertices, std::uint64_t seed, Context* context,
                                   std::vector<std::string>* names) {
  if (choice.text.empty()) return {};
  if (choice.text.starts_with(kRandom)) return at_random(choice, vertices, seed);
  if (choice.text.front() == '@') {
    const std::string path = choice.text.substr(1);
    if (context == nullptr) return io::read_vertices(path, graph);
    return read_list(*context, [&](io::ListReading reading) {
      reading.names = names;
      return io::read_vertices(path, graph, reading);
    });
  }
  return in_option(choice, graph);
}

}  // namespace

std::vector<Vertex> chosen_vertices(const VertexChoice& choice, const Graph& graph,
                                    std::uint64_t seed, Context* context,
                                    std::vector<std::string>* names) {
  const graph::VertexStates states(graph);
  std::vector<Vertex> chosen =
      named_vertices(choice, graph, states.vertices(), seed, context, names);
  if (states.has_turns() && chosen.empty()) chosen = graph::all_vertices(states.vertices());
  if (choice.option != "--targets") return chosen;
  for (Vertex& v : chosen) v = states.end(v);
  return chosen;
}

}  // namespace apsp::cli
