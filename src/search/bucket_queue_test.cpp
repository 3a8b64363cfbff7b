// Entries come out bucket by bucket, and only those that were not dropped.
#include "search/bucket_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace apsp::search {
namespace {

using Queue = BucketQueue<std::uint32_t>;

/// Vertices in the order in which they come out.
std::vector<Vertex> all_of(Queue& queue) {
  std::vector<Vertex> vertices;
  Queue::Entry entry;
  while (queue.pop(entry)) vertices.push_back(entry.vertex());
  return vertices;
}

bool is_odd(const Queue::Entry& entry) { return entry.vertex() % 2 == 1; }

TEST(BucketQueue, DropsOldEntriesAndHasRoomForOthers) {
  constexpr Vertex kEntries = 1000;
  for (const bool sorted : {false, true}) {
    // Buckets are one key wide: keys of 40,000 and more wait beyond the ring.
    Queue queue(10'000, kEntries, 1000);
    if (sorted) queue.sort_buckets();
    for (int round = 0; round < 3; ++round) {
      for (Vertex v = 0; v < kEntries; ++v) queue.push(v / 4 * 160, v);
      EXPECT_FALSE(queue.has_room(1));
      queue.drop(is_odd);
      EXPECT_TRUE(queue.has_room(kEntries / 2));
      EXPECT_FALSE(queue.has_room(kEntries / 2 + 1)) << "even ones are held";
      std::vector<Vertex> left = all_of(queue);
      ASSERT_EQ(left.size(), kEntries / 2);
      for (std::size_t i = 0; i < left.size(); ++i) {
        EXPECT_EQ(left[i] % 2, 0u);
        EXPECT_EQ(left[i] / 4, i / 2) << "by their buckets";
      }
      EXPECT_TRUE(queue.has_room(kEntries)) << "as new";
    }
  }
}

TEST(BucketQueue, DropsWhatItIsGoingThrough) {
  for (const bool sorted : {false, true}) {
    Queue queue(1000, 200, 1000);
    if (sorted) queue.sort_buckets();
    for (Vertex v = 0; v < 100; ++v) queue.push(7, v);
    Queue::Entry entry;
    ASSERT_TRUE(queue.pop(entry));
    queue.push(9, 200);
    queue.drop([](const Queue::Entry& of) { return of.key() == 7; });
    EXPECT_EQ(all_of(queue), std::vector<Vertex>{200});
  }
}

}  // namespace
}  // namespace apsp::search
