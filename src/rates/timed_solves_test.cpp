#include "rates/timed_solves.hpp"

#include "support/test.hpp"

namespace apsp::rates::timed_solves_test {
namespace {

/// Records the requested rows.
class NotedRows final : public flow::RowSource {
 public:
  explicit NotedRows(std::int64_t n) : order_(static_cast<std::size_t>(n)) {
    std::iota(order_.begin(), order_.end(), Vertex{0});
  }
  std::int64_t vertices() const override { return std::ssize(order_); }
  Semiring semiring() const override { return Semiring::min_plus; }
  ValueType type() const override { return ValueType::u16; }
  std::span<const Vertex> order() const override { return order_; }
  std::int64_t block_rows() const override { return 1; }
  std::int64_t worker_bytes() const override { return 0; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<Noting>(*this); }

  std::vector<Vertex> asked() const { return asked_; }

 private:
  struct Noting final : Worker {
    explicit Noting(const NotedRows& of) : rows(of) {}
    void compute(std::span<const Vertex> sources, void*, std::int64_t) override {
      const std::lock_guard lock(rows.mutex_);
      rows.asked_.insert(rows.asked_.end(), sources.begin(), sources.end());
    }
    const NotedRows& rows;
  };

  std::vector<Vertex> order_;
  mutable std::mutex mutex_;
  mutable std::vector<Vertex> asked_;
};

TEST(TimeRows, ComputesEachRowOnceWhereThereIsTime) {
  for (const std::int64_t n : {1, 2, 3, 100, 101}) {
    const NotedRows rows(n);
    EXPECT_EQ(time_rows(rows, n, 2, 1e30, {}).rows, n);
    std::vector<Vertex> asked = rows.asked();
    std::sort(asked.begin(), asked.end());
    EXPECT_EQ(asked, std::vector<Vertex>(rows.order().begin(), rows.order().end()));
  }
}

TEST(TimeRows, ThoseOfAShortTimeStandFarApart) {
  const NotedRows rows(1000);
  EXPECT_EQ(time_rows(rows, 1000, 1, 0, {}).rows, 1) << "one a thread, however late it is";
  const NotedRows more(1000);
  time_rows(more, 4, 1, 1e30, {});
  std::vector<Vertex> asked = more.asked();
  std::sort(asked.begin(), asked.end());
  EXPECT_EQ(asked, (std::vector<Vertex>{0, 250, 500, 750}));
}

TEST(TimeRows, TheFirstFewOfManyAreOfAllRegions) {
  const NotedRows rows(1000);
  time_rows(rows, 1000, 1, 1e30, {});
  std::vector<Vertex> first = rows.asked();
  first.resize(8);
  for (Vertex region = 0; region < 4; ++region) {
    EXPECT_TRUE(
        std::any_of(first.begin(), first.end(), [&](Vertex v) { return v / 250 == region; }))
        << "a walk that ends early must have been in quarter " << region;
  }
}

}  // namespace
}  // namespace apsp::rates::timed_solves_test
