#include "differential/ask.hpp"

#include <sys/wait.h>
#include <unistd.h>
#include <apsp/error.hpp>

#include <array>
#include <csignal>
#include <cstring>
#include <limits>

#include "differential/case.hpp"

namespace apsp::campaign {
namespace {

using Asked = void (*)(Case&);
constexpr std::array<Asked, kQuestions.size()> kAsked = {
    ask_distances,   ask_rows,     ask_pairs,  ask_factor,      ask_statistics,
    ask_paths,       ask_via,      ask_within, ask_nearest,     ask_access,
    ask_betweenness, ask_update,   ask_stored, ask_resumed,     ask_verify,
    ask_in_place,    ask_batch,    ask_job,    ask_job_resumed, ask_job_update,
    ask_relabelled,  ask_reversed, ask_scaled, ask_joined,      ask_removed};

void put(Case& c) { kAsked[static_cast<std::size_t>(c.problem.question)](c); }

/// The question without the way to its answer.
Problem left_to_the_library(Problem problem) {
  problem.type = std::nullopt;
  problem.algorithm = Algorithm::automatic;
  problem.gpus = 0;
  problem.memory = problem.device_memory = problem.tile = 0;
  problem.keep = Keep::automatic;
  return problem;
}

/// A cycle that is told must be one.
void check_cycle(Case& c, const Error& error) {
  const std::vector<Vertex>& cycle = error.cycle().vertices;
  // Longest paths take no cycle of any weight.
  const bool any = c.problem.semiring == Semiring::max_plus && !cycle.empty();
  require(any || c.truth().cyclic(), "a cycle is told where there is none: {}", error.what());
  // In place the weights are gone: one vertex is named.
  const Question q = c.problem.question;
  if (cycle.empty() || q == Question::in_place || q == Question::batch) return;
  Exact sum;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const Vertex to = cycle[(i + 1) % cycle.size()];
    require(cycle[i] < c.n() && to < c.n(), "the cycle that is told has no vertex {}", cycle[i]);
    std::optional<double> best;
    c.graph.for_each_arc_between(cycle[i], to, [&](double weight) {
      const bool least = c.problem.semiring == Semiring::min_plus;
      if (!best || (least ? weight < *best : weight > *best)) best = weight;
    });
    require(best.has_value(), "the cycle that is told has no arc from {} to {}", cycle[i], to);
    sum = sum + Exact(*best);
  }
  const bool below = sum.negative() && sum != Exact();
  require(c.problem.semiring == Semiring::max_plus || below, "the cycle that is told weighs {}",
          static_cast<double>(sum.rounded()));
}

/// Whether the library may refuse this question of this graph, by whatever way.
bool justified(Case& c, const Error& error) {
  const WeightFacts& facts = c.graph.weight_facts();
  const std::string_view text = error.what();
  const auto says = [&](std::string_view part) { return text.find(part) != text.npos; };
  if (tells_rounded_integers(error)) return integers_may_round(c.graph);
  if (error.kind() == ErrorKind::does_not_fit) {
    return facts.longest_path > std::numeric_limits<double>::max() / 6 && says("too much");
  }
  if (error.kind() != ErrorKind::usage) return false;
  const Question q = c.problem.question;
  if (q == Question::within || q == Question::nearest || q == Question::access) {
    return facts.least < 0 && says("at least 0");
  }
  return false;
}

Outcome refused(Case& c, const Error& error, bool by_the_way) {
  if (error.kind() == ErrorKind::negative_cycle) {
    check_cycle(c, error);
    return {"", "negative cycle"};
  }
  const bool way = error.kind() == ErrorKind::usage || error.kind() == ErrorKind::does_not_fit ||
                   error.kind() == ErrorKind::device;
  if (by_the_way && way) {
    const Problem again = left_to_the_library(c.problem);
    Case left(again);
    try {
      put(left);
      return {"", error.what()};
    } catch (const Error& second) {
      return refused(left, second, false);
    }
  }
  require(justified(c, error), "a refusal that is not true of the graph: {}", error.what());
  return {"", error.what()};
}

std::string read_all(int descriptor) {
  std::string text;
  char bytes[4096];
  for (ssize_t got = 0; (got = read(descriptor, bytes, sizeof(bytes))) > 0;) {
    text.append(bytes, static_cast<std::size_t>(got));
  }
  return text;
}

}  // namespace

Outcome ask(const Problem& problem) {
  try {
    Case c(problem);
    try {
      put(c);
      return {};
    } catch (const Error& error) {
      return refused(c, error, true);
    }
  } catch (const Wrong& wrong) {
    return {wrong.what(), ""};
  } catch (const std::exception& other) {
    return {std::string("an exception: ") + other.what(), ""};
  }
}

Outcome ask_apart(const Problem& problem, int seconds) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    alarm(static_cast<unsigned>(seconds));
    const std::string wrong = ask(problem).wrong;
    const ssize_t written = write(ends[1], wrong.data(), wrong.size());
    _exit(written == static_cast<ssize_t>(wrong.size()) ? 0 : 1);
  }
  close(ends[1]);
  const std::string wrong = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSIGNALED(status)) return {wrong, ""};
  if (WTERMSIG(status) == SIGALRM) return {fmt::format("no answer in {} s", seconds), ""};
  return {fmt::format("the process ended: {}", strsignal(WTERMSIG(status))), ""};
}

}  // namespace apsp::campaign
