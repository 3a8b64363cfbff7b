#include "walks.hpp"

#include <apsp/error.hpp>
#include <vector>

namespace apsp::python::csgraph {
namespace {

/// Whether a path leads from the source to a vertex.
enum class Known : std::uint8_t { no, on_the_way, path, nowhere };

}  // namespace

void walk_lengths(const double* weights, const std::int32_t* predecessors, std::int64_t n,
                  double null_value, double* distances) {
  std::vector<Known> known(static_cast<std::size_t>(n));
  std::vector<std::int64_t> way;
  for (std::int64_t source = 0; source < n; ++source) {
    const std::int32_t* const before = predecessors + source * n;
    double* const row = distances + source * n;
    const auto state = [&](std::int64_t v) -> Known& { return known[static_cast<std::size_t>(v)]; };
    known.assign(known.size(), Known::no);
    state(source) = Known::path;
    row[source] = 0;
    for (std::int64_t target = 0; target < n; ++target) {
      std::int64_t v = target;
      for (; state(v) == Known::no && before[v] >= 0; v = before[v]) {
        if (before[v] >= n) throw Error(ErrorKind::input, "a predecessor is not a vertex");
        state(v) = Known::on_the_way;
        way.push_back(v);
      }
      if (state(v) == Known::on_the_way) {
        throw Error(ErrorKind::input, "the predecessors go round in a circle");
      }
      if (state(v) == Known::no) {
        state(v) = Known::nowhere;
        row[v] = null_value;
      }
      for (; !way.empty(); way.pop_back()) {
        const std::int64_t head = way.back(), tail = before[head];
        state(head) = state(tail);
        row[head] = state(tail) == Known::path ? row[tail] + weights[tail * n + head] : null_value;
      }
    }
  }
}

}  // namespace apsp::python::csgraph
