// The planes of intermediate vertices and edge counts, as a Result gives access to them.
#include <fmt/format.h>
#include <apsp/error.hpp>

#include "api/result_state.hpp"
#include "base/numbers.hpp"
#include "query/paths.hpp"
#include "query/via_path.hpp"

namespace apsp {
namespace {

std::int32_t value_of(const store::Store& store, store::Plane plane, Vertex s, Vertex t) {
  const std::int64_t n = store.layout().n;
  for (const Vertex v : {s, t}) {
    if (v < n) continue;
    throw Error(ErrorKind::usage, fmt::format("vertex number {} in a graph of {}", v,
                                              base::counted(n, "vertex", "vertices")));
  }
  if (!store.holds(plane)) {
    throw Error(ErrorKind::usage,
                fmt::format("this result does not hold {}: solve with SolveOptions::{}, kept in a "
                            ".zarr or in memory; path() needs none",
                            plane == store::Plane::via ? "intermediate vertices" : "edge counts",
                            store::name(plane)));
  }
  std::int32_t value = 0;
  store.read(plane, {s, t, 1, 1}, &value, 1);
  return value;
}

}  // namespace

bool Result::has_via() const { return state_->matrix().holds(store::Plane::via); }
bool Result::has_hops() const { return state_->matrix().holds(store::Plane::hops); }

std::optional<Vertex> Result::via(Vertex s, Vertex t) const {
  const std::int32_t k = value_of(state_->matrix(), store::Plane::via, s, t);
  if (k < 0) return std::nullopt;
  return static_cast<Vertex>(k);
}

std::optional<std::int64_t> Result::hops(Vertex s, Vertex t) const {
  const std::int32_t edges = value_of(state_->matrix(), store::Plane::hops, s, t);
  if (edges < 0) return std::nullopt;
  return edges;
}

std::vector<Vertex> Result::path_by_via(Vertex s, Vertex t) const {
  value_of(state_->matrix(), store::Plane::via, s, t);  // refuses as the others do
  return query::path_from_via(state_->matrix(), s, t);
}

}  // namespace apsp
