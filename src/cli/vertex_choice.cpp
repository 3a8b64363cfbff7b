#include "cli/vertex_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <numeric>
#include <string_view>

#include "base/numbers.hpp"
#include "base/random.hpp"
#include "base/units.hpp"
#include "cli/graph_view.hpp"
#include "cli/values.hpp"
#include "io/vertex_list.hpp"

namespace apsp::cli {
namespace {

constexpr std::string_view kRandom = "random:";

std::vector<Vertex> at_random(const VertexChoice& choice, const Graph& graph, std::uint64_t seed) {
  const std::int64_t n = graph.vertex_count();
  const std::int64_t count =
      integer_value(choice.option + " random:K", choice.text.substr(kRandom.size()), 1);
  if (count > n) {
    throw Error(ErrorKind::usage, fmt::format("{} {}: the graph has {}", choice.option, choice.text,
                                              base::counted(n, "vertex", "vertices")));
  }
  std::vector<Vertex> vertices(static_cast<std::size_t>(n));
  std::iota(vertices.begin(), vertices.end(), Vertex{0});
  // Sources and targets are drawn apart.
  constexpr std::uint64_t kOfTargets = 0x9E3779B97F4A7C15;
  base::SplitMix64 random(choice.option == "--targets" ? seed ^ kOfTargets : seed);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t step = random.below(static_cast<std::uint64_t>(n - i));
    std::swap(vertices[static_cast<std::size_t>(i)], vertices[static_cast<std::size_t>(i) + step]);
  }
  vertices.resize(static_cast<std::size_t>(count));
  std::sort(vertices.begin(), vertices.end());
  return vertices;
}

std::vector<Vertex> listed(const VertexChoice& choice, const Graph& graph) {
  // A name may hold a comma.
  if (const auto whole = graph.find(choice.text)) return {*whole};
  std::vector<Vertex> vertices;
  std::vector<bool> named(static_cast<std::size_t>(graph.vertex_count()));
  for (std::size_t first = 0; first <= choice.text.size();) {
    const std::size_t last = std::min(choice.text.find(',', first), choice.text.size());
    const std::string name = choice.text.substr(first, last - first);
    first = last + 1;
    if (name.empty()) {
      throw Error(ErrorKind::usage,
                  fmt::format("{} takes names of vertices separated by commas, @FILE or random:K, "
                              "not '{}'",
                              choice.option, choice.text));
    }
    const Vertex vertex = find_vertex(graph, name);
    if (named[vertex]) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: the vertex '{}' comes twice", choice.option, name));
    }
    named[vertex] = true;
    vertices.push_back(vertex);
  }
  return vertices;
}

}  // namespace

void declare_vertices(Arguments& arguments, std::string& sources, std::string& targets) {
  const char* const placeholder = "LIST|@FILE|random:K";
  arguments.text("--sources", placeholder, sources,
                 "distances from these vertices alone: names between commas, a file with one a "
                 "line, or K drawn at random (--seed). Their rows are kept, in this order");
  arguments.text("--targets", placeholder, targets,
                 "distances to these vertices alone: their columns are kept");
}

std::vector<Vertex> chosen_vertices(const VertexChoice& choice, const Graph& graph,
                                    std::uint64_t seed, const Control& control) {
  if (choice.text.empty()) return {};
  if (choice.text.starts_with(kRandom)) return at_random(choice, graph, seed);
  if (choice.text.front() == '@') return io::read_vertices(choice.text.substr(1), graph, control);
  return listed(choice, graph);
}

}  // namespace apsp::cli
