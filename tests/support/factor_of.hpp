// The factor of a graph, as one thread finds it, and factors that are to be the same.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "sparse/eliminate.hpp"
#include "sparse/order.hpp"

namespace apsp::sparse {

/// By nested dissection.
inline std::shared_ptr<const Tree> dissected(const Graph& graph) {
  const Pattern pattern = pattern_of(graph);
  return std::make_shared<const Tree>(pattern, nested_dissection(pattern));
}

/// By nested dissection; weights of any sign.
inline Factor factor_of(const Graph& graph, Semiring semiring, ValueType type) {
  return eliminate(graph, dissected(graph),
                   {semiring, type, kernels::Sign::any, kernels::Cycles::possible, 1, {}});
}

inline void expect_same_bytes(const Factor& a, const Factor& b) {
  const auto same = [&](const std::byte* of_a, const std::byte* of_b, std::int64_t count) {
    const auto bytes = static_cast<std::size_t>(count * size_of(a.type()));
    return bytes == 0 || std::memcmp(of_a, of_b, bytes) == 0;
  };
  ASSERT_EQ(a.symmetric(), b.symmetric());
  EXPECT_TRUE(same(a.all_closed(), b.all_closed(), a.tree().diagonal_entries()));
  EXPECT_TRUE(same(a.all_up(), b.all_up(), a.tree().upper_entries()));
  if (a.symmetric()) return;
  EXPECT_TRUE(same(a.all_down(), b.all_down(), a.tree().upper_entries()));
}

}  // namespace apsp::sparse
