// Entries come out bucket by bucket, and only those that were not dropped.
#include "search/bucket_queue.hpp"

#include "base/random.hpp"
#include "support/test.hpp"

namespace apsp::search::bucket_queue_test {
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

/// Vertices in the order in which they come out. Requires: vertex v was pushed at distances[v].
std::vector<Vertex> order_of(LabelBuckets& buckets, const std::vector<double>& distances) {
  std::vector<Vertex> order;
  Vertex v = 0;
  while (!buckets.empty()) {
    if (!buckets.pop(v)) continue;
    EXPECT_TRUE(buckets.is_due(distances[v]));
    order.push_back(v);
  }
  return order;
}

TEST(LabelBuckets, GiveVerticesByDistanceHoweverFarApartTheyAre) {
  base::SplitMix64 random(7);
  LabelBuckets buckets(16);  // a bucket for each whole distance
  for (const std::uint64_t greatest : {1, 100, 5000, 100'000'000}) {
    buckets.clear();
    buckets.begin_at(0);
    std::vector<double> distances;
    for (Vertex v = 0; v < 1000; ++v) {
      distances.push_back(static_cast<double>(random.below(greatest)));
      buckets.push(distances.back(), v);
    }
    const std::vector<Vertex> order = order_of(buckets, distances);
    ASSERT_EQ(order.size(), distances.size());
    EXPECT_TRUE(std::ranges::is_sorted(order, {}, [&](Vertex v) { return distances[v]; }))
        << greatest;
  }
}

TEST(LabelBuckets, TakeWhatIsOverdue) {
  LabelBuckets buckets(16);
  buckets.begin_at(1000);
  buckets.push(3, 5);
  Vertex v = 0;
  ASSERT_TRUE(buckets.pop(v));
  EXPECT_EQ(v, 5u);
  EXPECT_TRUE(buckets.empty());
}

TEST(LabelBuckets, BeginAgainWithoutWhatCameOut) {
  LabelBuckets buckets(16);
  for (int round = 0; round < 3; ++round) {
    buckets.begin_at(40);
    buckets.push(40, 1);
    Vertex v = 0;
    ASSERT_TRUE(buckets.pop(v));
    ASSERT_TRUE(buckets.empty());
  }
  EXPECT_EQ(order_of(buckets, {}).size(), 0u);
  buckets.begin_at(40);
  Vertex v = 0;
  EXPECT_FALSE(buckets.pop(v)) << "nothing is left of before";
}

TEST(LabelBuckets, TakeWeightsOfNothing) {
  LabelBuckets buckets(0);
  buckets.begin_at(0);
  for (Vertex v = 0; v < 10; ++v) buckets.push(0, v);
  EXPECT_EQ(order_of(buckets, std::vector<double>(10)).size(), 10u);
}

}  // namespace
}  // namespace apsp::search::bucket_queue_test
