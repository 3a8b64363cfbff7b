// From messages that were timed to rates.
#include "cluster/measure_messages.hpp"

#include "support/test.hpp"

namespace apsp::cluster::measure_messages_test {
namespace {

TEST(MessageRates, AreOfTheBestWithoutTheLatency) {
  const MessageRate rate = rate_of({{3e-6, 2e-6, 9e-3}, {0.5, 1e-3 + 2e-6}, 4000000});
  EXPECT_DOUBLE_EQ(rate.seconds, 2e-6);
  EXPECT_NEAR(rate.bytes, 4e9, 1);
  EXPECT_TRUE(rate.measured);
}

TEST(MessageRates, StayFiniteWhereShortMessagesWereHeldUp) {
  const MessageRate held_up = rate_of({{5e-3}, {1e-3}, 4000000});
  EXPECT_NEAR(held_up.bytes, 8e9, 1) << "at most half of the time is taken for latency";
  EXPECT_GT(rate_of({{0}, {0}, 8}).seconds, 0);
}

TEST(MessageRates, OfAJobAreThoseItWaitsFor) {
  MessageRates rates;
  EXPECT_EQ(rates.slowest().bytes, rates.on_machine.bytes) << "there is but one machine";
  rates.between.measured = true;
  rates.between.bytes = 2 * rates.on_machine.bytes;
  EXPECT_EQ(rates.slowest().bytes, rates.between.bytes) << "a process of each machine";
  rates.on_machine.measured = true;
  EXPECT_EQ(rates.slowest().bytes, rates.on_machine.bytes);
  rates.between.bytes = rates.on_machine.bytes / 2;
  EXPECT_EQ(rates.slowest().bytes, rates.between.bytes);
}

}  // namespace
}  // namespace apsp::cluster::measure_messages_test
