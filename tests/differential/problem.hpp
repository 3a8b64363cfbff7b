// One problem of the campaign: a graph, a question about it, and the way to the answer. Plain data,
// so that a finding can be shrunk, stored and repeated.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <apsp/solve.hpp>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apsp::campaign {

enum class Question {
  distances,    ///< all pairs of a result: single, by rows, as a matrix
  rows,         ///< some sources and targets, to a caller
  pairs,        ///< some pairs without a matrix
  factor,       ///< pairs and rows of a kept factor, in memory and stored
  statistics,   ///< of all or some pairs
  paths,        ///< paths and predecessors
  via,          ///< intermediate vertices and numbers of edges
  within,       ///< pairs within a distance
  nearest,      ///< the nearest of some places
  access,       ///< sums of a quantity within a distance
  betweenness,  ///< of vertices and arcs
  update,       ///< other weights, edges that come and go
  stored,       ///< an output that is read back
  resumed,      ///< an output of a run that was ended, and of the run that went on
  verify,       ///< the verifier passes a right matrix and fails a damaged one
  in_place,     ///< `floyd_warshall` of a matrix
  batch,        ///< `solve_batch` of parts of the graph, with intermediate vertices
  job,          ///< a solve by processes of a job, which are threads here, and its output
  job_resumed,  ///< one that was ended, and other processes that went on
  job_update,   ///< a stored matrix that processes update
  relabelled,   ///< metamorphic, from here on: other numbers of the vertices
  reversed,     ///< all arcs turned round
  scaled,       ///< all weights times a power of two
  joined,       ///< beside another graph
  removed       ///< without one of its arcs
};
inline constexpr std::array<std::string_view, 25> kQuestions = {
    "distances", "rows",     "pairs",  "factor",      "statistics",  "paths",      "via",
    "within",    "nearest",  "access", "betweenness", "update",      "stored",     "resumed",
    "verify",    "in-place", "batch",  "job",         "job-resumed", "job-update", "relabelled",
    "reversed",  "scaled",   "joined", "removed"};
inline std::string_view name(Question question) {
  return kQuestions[static_cast<std::size_t>(question)];
}

struct Problem {
  std::uint64_t seed = 0;  ///< of all that is drawn while it is asked
  std::int64_t n = 0;
  bool directed = true;
  std::vector<Edge> edges;
  std::optional<ValueType> matrix{};  ///< the graph is a matrix of this type; empty: edges
  Semiring semiring = Semiring::min_plus;
  std::optional<ValueType> type{};
  Algorithm algorithm = Algorithm::automatic;
  int gpus = 0;  ///< strict devices; 0: the CPU
  int threads = 1;
  std::int64_t memory = 0, device_memory = 0, tile = 0;
  double tolerance = 1e-5;
  Keep keep = Keep::automatic;
  int grid_rows = 1, grid_columns = 1;  ///< of the processes of a job
  Question question = Question::distances;
  std::vector<Vertex> sources, targets;
  double limit = 0;
  std::int64_t count = 1;     ///< of nearest places, graphs, reports of progress before an end
  std::vector<Edge> changes;  ///< infinite weights remove
  /// A trial of the campaign itself: the oracle is told that the first edge is longer by one.
  bool planted = false;
};

/// What the parts of a problem are drawn from.
class Lots {
 public:
  virtual ~Lots() = default;
  virtual std::uint64_t below(std::uint64_t bound) = 0;  ///< in [0, bound)
  virtual double uniform() = 0;                          ///< in [0, 1)
};

/// `seed`: of what is drawn while it is asked.
Problem draw(Lots& lots, std::uint64_t seed);
/// The same on every machine.
Problem draw(std::uint64_t seed);
/// Problems of this question.
Problem draw(std::uint64_t seed, Question question);

Graph graph_of(const Problem& problem);

std::string to_text(const Problem& problem);  ///< one line of JSON
Problem from_text(const std::string& text);

}  // namespace apsp::campaign
