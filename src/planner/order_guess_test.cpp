// Guesses of an order beside the order that is found.
#include "planner/order_guess.hpp"

#include <gtest/gtest.h>
#include <apsp/generate.hpp>

#include <algorithm>

#include "elimination/order.hpp"
#include "elimination/tree.hpp"
#include "planner/elimination_model.hpp"

namespace apsp::planner {
namespace {

TEST(OrderGuess, OfHubsIsAsWideAsTheOrdersDensePart) {
  for (const std::int64_t edges : {32000, 64000}) {
    const Graph graph = generate({.kind = GraphKind::rmat, .vertices = 5000, .edges = edges});
    const elimination::Pattern pattern = elimination::pattern_of(graph);
    const elimination::Tree tree(pattern, elimination::nested_dissection(pattern));
    std::int64_t widest = 0;
    for (elimination::SupernodeId s = 0; s < tree.supernodes(); ++s) {
      widest = std::max<std::int64_t>(widest, tree.width(s));
    }
    const double guess = guess_order(graph).widest;
    EXPECT_GT(guess, 0.7 * static_cast<double>(widest)) << edges << " edges";
    EXPECT_LT(guess, 1.4 * static_cast<double>(widest)) << edges << " edges";
    EXPECT_LT(least_relaxations(guess_order(graph), 5000),
              tree.elimination_relaxations() +
                  5000.0 * static_cast<double>(widest) * static_cast<double>(widest));
  }
}

TEST(OrderGuess, WithoutHubsIsTheOneOfMetis) {
  const Graph grid = generate({.kind = GraphKind::grid, .vertices = 2500});
  EXPECT_EQ(guess_order(grid).widest, 0);
  EXPECT_EQ(least_relaxations(guess_order(grid), 2500), 0);
  EXPECT_GT(guess_order(grid).seconds, 0);
}

}  // namespace
}  // namespace apsp::planner
