// Rows into a caller's memory, as f64 (SolveOptions::into).
//
// All threads write at once, each its own rows: nobody waits. Values of f64 are written where they
// belong by whoever finds them; narrower ones are widened on their way.
#pragma once

#include <algorithm>

#include "store/row_sink.hpp"

namespace apsp::api {

class CallerRows final : public store::RowSink {
 public:
  CallerRows(std::int64_t n, ValueType type, Semiring semiring, const store::Selection& selection,
             const RowsInto& into)
      : RowSink(n, type, selection),
        type_(type),
        semiring_(semiring),
        targets_(n, selection.targets),
        into_(into) {}

  store::RowPreference preference() const override { return {.rows = kRowsAtOnce}; }
  store::RowTask task() const override { return {"copying rows"}; }
  bool lends() const override { return type_ == ValueType::f64; }

 private:
  static constexpr std::int64_t kRowsAtOnce = 64;  // as into memory of our own (store_rows.cpp)

  double* row_at(Vertex source) const {
    return into_.values + row_of(source) * (into_.stride == 0 ? columns() : into_.stride);
  }

  void accept(const RowBlock& block) override;

  store::RowView make_view(std::span<const Vertex> sources) override {
    store::RowView room{.group = std::max<std::int64_t>(1, columns())};
    for (const Vertex source : sources) {
      room.rows.push_back(reinterpret_cast<std::byte*>(row_at(source)));
    }
    return room;
  }

  ValueType type_;
  Semiring semiring_;
  store::Positions targets_;
  RowsInto into_;
};

}  // namespace apsp::api
