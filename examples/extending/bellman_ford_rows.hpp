// A new row engine: rows by Bellman and Ford's method, which relaxes all arcs until nothing
// changes.
//
// In the tree of the library this file is src/search/bellman_ford_rows.hpp. Four more files are
// touched: include/apsp/solve.hpp (one more `Algorithm`, and its name in `kAlgorithms`),
// src/planner/problem.cpp (what it does not take), src/planner/search_candidates.cpp (its plan) and
// src/engine/row_producer.cpp (makes it for that plan).
#pragma once

#include <apsp/graph.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "flow/row_source.hpp"
#include "semiring/dispatch.hpp"
#include "store/selection.hpp"

namespace apsp::search {

/// Min-plus, without negative cycles. The graph outlives this.
class BellmanFordRows final : public flow::RowSource {
 public:
  BellmanFordRows(const Graph& graph, ValueType type)
      : graph_(graph), type_(type), order_(store::VertexList().of(graph.vertex_count())) {}

  std::int64_t vertices() const override { return std::ssize(order_); }
  Semiring semiring() const override { return Semiring::min_plus; }
  ValueType type() const override { return type_; }
  std::span<const Vertex> order() const override { return order_; }
  std::int64_t block_rows() const override { return 1; }
  std::int64_t worker_bytes() const override { return vertices() * std::int64_t{sizeof(double)}; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<Relaxation>(*this); }

 private:
  class Relaxation final : public Worker {
   public:
    explicit Relaxation(const BellmanFordRows& of) : of_(of) {}

    void compute(std::span<const Vertex> sources, void* rows, std::int64_t stride) override {
      semiring::dispatch(Semiring::min_plus, of_.type_, [&]<class S>() {
        auto* row = static_cast<typename S::Value*>(rows);
        for (const Vertex source : sources) {
          relax_from(source);
          for (std::size_t v = 0; v < length_.size(); ++v) {
            const bool reached = length_[v] < std::numeric_limits<double>::infinity();
            row[v] = reached ? static_cast<typename S::Value>(length_[v]) : S::zero();
          }
          row += stride;
        }
      });
    }

   private:
    void relax_from(Vertex source) {
      length_.assign(of_.order_.size(), std::numeric_limits<double>::infinity());
      length_[source] = 0;
      for (bool changed = true; changed;) {
        changed = false;
        of_.graph_.visit_all([&](Vertex from, Vertex to, double weight) {
          if (length_[from] + weight >= length_[to]) return;
          length_[to] = length_[from] + weight;
          changed = true;
        });
      }
    }

    const BellmanFordRows& of_;
    std::vector<double> length_;  // [n]
  };

  const Graph& graph_;
  ValueType type_;
  std::vector<Vertex> order_;
};

}  // namespace apsp::search
