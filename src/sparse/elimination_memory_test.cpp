// What an elimination holds, as the system sees it, against what was counted before.
#include "sparse/eliminate.hpp"

#include <malloc.h>

#include "support/test.hpp"
#include "system/machine.hpp"

namespace apsp::sparse::elimination_memory_test {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kWatched = true;  // a sanitizer keeps memory of its own beside every block
#else
constexpr bool kWatched = false;
#endif

/// Bytes that the process grew by at most while `work` ran; 0: the system does not say.
template <class F>
std::int64_t growth(F&& work) {
  ::malloc_trim(0);  // what other tests freed would be used again
  std::ofstream peak("/proc/self/clear_refs");
  if (!(peak << "5" << std::flush)) return 0;
  const std::int64_t before = system::process_memory("VmRSS");
  work();
  return before > 0 ? system::process_memory("VmHWM") - before : 0;
}

TEST(EliminationMemory, CountsThePanelsOfASupernodeThatAllThreadsClose) {
  if (kWatched) GTEST_SKIP();
  constexpr std::int64_t kVertices = 1500;
  constexpr int kThreads = 2;
  constexpr std::int64_t kThread = std::int64_t{1} << 19;  // stacks, as planner/memory counts them
  GraphBuilder builder(kVertices, false);
  for (Vertex v = 1; v < kVertices; ++v) builder.add_edge(v - 1, v, 1);
  const Graph path = std::move(builder).build();
  const auto tree = std::make_shared<const Tree>(pattern_of(path), natural_order(kVertices),
                                                 std::vector<Position>{0});  // one supernode
  EliminationOptions options{.sign = kernels::Sign::non_negative, .threads = kThreads};
  const std::int64_t counted = Factor::bytes(*tree, options.type, true) +
                               elimination_bytes(path, *tree, options.type, kThreads);
  const std::int64_t grown = growth([&] { eliminate(path, tree, options); });
  EXPECT_TRUE(grown == 0 || grown > counted / 2);
  EXPECT_LE(grown, counted + kThreads * kThread);
}

}  // namespace
}  // namespace apsp::sparse::elimination_memory_test
