#include "api/caller_rows.hpp"

#include "semiring/dispatch.hpp"

namespace apsp::api {

void CallerRows::accept(const RowBlock& block) {
  const auto columns = static_cast<std::size_t>(this->columns());
  semiring::dispatch(semiring_, type_, [&]<class S>() {
    const bool boolean = semiring_ == Semiring::or_and;
    const double none = boolean ? 0 : no_path(semiring_, ValueType::f64);
    // Integers hold the empty path of a bottleneck as an extreme value, which may also be a weight.
    const double empty = boolean ? 1 : empty_path(semiring_, ValueType::f64);
    const auto* from = static_cast<const typename S::Value*>(block.values);
    for (const Vertex source : block.sources) {
      double* const row = row_at(source);
      for (std::size_t col = 0; col < columns; ++col) {
        const auto value = from[col];
        row[col] = value == S::zero() ? none : static_cast<double>(value);
      }
      const std::optional<std::int64_t> own = targets_.of(source);
      if (own && from[*own] == S::one()) row[*own] = empty;
      from += block.stride;
    }
  });
}

}  // namespace apsp::api
