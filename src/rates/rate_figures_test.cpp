#include "rates/rate_figures.hpp"

#include "rates/measure_rates.hpp"
#include "support/test.hpp"

namespace apsp::rates::rate_figures_test {
namespace {

using nlohmann::json;

/// Rates with the figures 1, 2, 3 … and a curve, if there is one.
template <class Rates>
Rates counted_up() {
  Rates rates;
  double next = 0;
  for (const auto& field : Rates::kFields) field.of(rates) = ++next;
  if constexpr (HasCurve<Rates>) rates.*Rates::kCurve.of = planner::RateCurve({{100, 1}});
  return rates;
}

/// Calls test(rates, what) for each kind of work.
template <class F>
void for_all_rates(F&& test) {
  planner::for_each_work([&]<class Rates>(planner::AskRates<Rates> planner::RateSource::*) {
    SCOPED_TRACE(std::string(work_of<Rates>().what));
    test(counted_up<Rates>());
  });
}

TEST(RateTables, NameEveryFigureOnce) {
  std::set<std::string_view> works;
  for_all_rates([&]<class Rates>(Rates rates) {
    EXPECT_TRUE(works.insert(work_of<Rates>().what).second) << "two kinds of one name";
    std::set<std::string_view> names;
    std::set<const double*> figures;
    for (const auto& field : Rates::kFields) {
      EXPECT_TRUE(names.insert(field.name).second) << field.name;
      EXPECT_TRUE(figures.insert(&field.of(rates)).second) << field.name << " is another figure";
      EXPECT_TRUE(field.is_time() || field.unit.ends_with("/s")) << field.name;
    }
    EXPECT_EQ(work_of<Rates>().least == nullptr, work_of<Rates>().measure == nullptr);
    json entry;
    work_of<Rates>().show(rates, entry);
    EXPECT_FALSE(entry.empty()) << "apsp info has nothing to show";
    for (const auto& [name, rate] : entry.items()) EXPECT_TRUE(name.ends_with("_per_second"));
  });
  EXPECT_EQ(works.size(), std::tuple_size_v<decltype(planner::kWorks)>);
}

TEST(RateTables, EveryFigureSurvivesTheRoundTrip) {
  for_all_rates([]<class Rates>(const Rates& rates) {
    auto again = rates_from_json<Rates>(to_json(rates));
    ASSERT_TRUE(again);
    EXPECT_EQ(to_json(*again), to_json(rates));
    double next = 0;
    for (const auto& field : Rates::kFields) EXPECT_EQ(field.of(*again), ++next) << field.name;
  });
}

TEST(RateTables, WhatIsNeededIsThere) {
  for_all_rates([]<class Rates>(const Rates& rates) {
    for (const auto& field : Rates::kFields) {
      json figures = to_json(rates);
      figures.erase(std::string(field.name));
      EXPECT_EQ(rates_from_json<Rates>(figures).has_value(), !field.needed) << field.name;
      for (const json& broken : {json(-1), json("x"), json(nullptr)}) {
        figures[std::string(field.name)] = broken;
        EXPECT_FALSE(rates_from_json<Rates>(figures)) << field.name << broken;
      }
    }
  });
}

TEST(RateTables, OfSeveralMachinesTheLongerTimeAndTheLowerRateCount) {
  for_all_rates([]<class Rates>(Rates rates) {
    for (const auto& field : Rates::kFields) {
      Rates other = rates;
      field.of(other) *= 2;
      Rates slower = slowest(rates, other);
      EXPECT_EQ(field.of(slower), field.of(field.is_time() ? other : rates)) << field.name;
      field.of(other) = 0;
      slower = slowest(other, rates);
      EXPECT_EQ(field.of(slower), field.of(rates)) << "only one knows " << field.name;
    }
  });
}

TEST(RateFigures, SurviveTheRoundTrip) {
  planner::HostRates host{planner::RateCurve({{256, 0.001}, {512, 0.004}}), 0.003, 1e8, 0, false};
  const auto host_again = rates_from_json<planner::HostRates>(to_json(host));
  ASSERT_TRUE(host_again);
  EXPECT_EQ(host_again->solve.seconds(400), host.solve.seconds(400));
  EXPECT_EQ(host_again->start, 0.003);
  EXPECT_EQ(host_again->arcs, 0);
  EXPECT_FALSE(host_again->uncalibrated);
  planner::DeviceRates device;
  device.run = planner::RateCurve({{1024, 1e-3}});
  device.touched = 3e9;
  device.copies = {1e13, 5e10, 6e10, 8e10};
  const auto device_again = rates_from_json<planner::DeviceRates>(to_json(device));
  ASSERT_TRUE(device_again);
  EXPECT_EQ(device_again->touched, 3e9);
  EXPECT_EQ(device_again->copies.both, 8e10);
  EXPECT_FALSE(rates_from_json<planner::HostRates>(to_json(device))) << "one is not the other";
}

TEST(RateFigures, WhatIsNoFigureIsNoAnswer) {
  for (const char* text :
       {"null", "[]", "{}", R"({"solve": []})", R"({"solve": [[1]]})", R"({"solve": [["a", 1]]})",
        R"({"solve": [[1, -1]]})", R"({"solve": [[1, 1]], "statistics": "x"})",
        R"({"solve": [[1, 1]], "start": -1})", R"({"solve": [[0, 0]]})"}) {
    EXPECT_FALSE(rates_from_json<planner::HostRates>(json::parse(text))) << text;
  }
  EXPECT_FALSE(rates_from_json<planner::StoreRates>(json::parse(R"({"bytes": 0})")));
}

TEST(SlowestRates, AreLongerTimesAndLowerRates) {
  planner::EliminationRates one{.eliminated = 5,
                                .assembled = 6,
                                .front = 1e-6,
                                .swept_alone = 7,
                                .swept_wide = 8,
                                .supernode = 3e-6,
                                .vertex = 4e-6,
                                .transposed = 9,
                                .counted = 10,
                                .counted_swept = 11};
  planner::EliminationRates other = one;
  other.eliminated = 4;
  other.front = 2e-6;
  other.transposed = 90;
  other.vertex = 1e-9;
  const planner::EliminationRates slower = slowest(one, other);
  EXPECT_EQ(slower.eliminated, 4);
  EXPECT_EQ(slower.front, 2e-6);
  EXPECT_EQ(slower.transposed, 9);
  EXPECT_EQ(slower.vertex, 4e-6);
  EXPECT_EQ(to_json(slowest(other, one)), to_json(slower));
}

TEST(SlowestRates, OfCurvesTakeTheLongerTimeOfEverySize) {
  planner::HostRates one, other;
  one.solve = planner::RateCurve({{100, 2}, {1000, 1000}});
  one.start = 1;
  other.solve = planner::RateCurve({{100, 1}, {500, 200}});
  other.arcs = 3;
  const planner::HostRates slower = slowest(one, other);
  for (const double n : {100.0, 500.0, 1000.0}) {
    EXPECT_DOUBLE_EQ(slower.solve.seconds(n),
                     std::max(one.solve.seconds(n), other.solve.seconds(n)))
        << n;
  }
  EXPECT_EQ(slower.start, 1) << "which one alone knows";
  EXPECT_EQ(slower.arcs, 3);
}

TEST(SlowestRates, OfAGpuAndItsLink) {
  const planner::LinkRates one{.start = 0.1, .launch = 2e-6, .pinned = 5, .in = 6, .out = 7};
  planner::LinkRates other = one;
  other.launch = 3e-6;
  other.out = 1;
  const planner::LinkRates slower = slowest(one, other);
  EXPECT_EQ(slower.launch, 3e-6);
  EXPECT_EQ(slower.out, 1);
}

}  // namespace
}  // namespace apsp::rates::rate_figures_test
