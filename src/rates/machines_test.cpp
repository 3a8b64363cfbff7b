// Tests the models on machines: every file of tests/machines has the figures of small solves, and
// measured times of larger ones. Missing figures skip their tests.
#include "base/json.hpp"
#include "planner/dense_model.hpp"
#include "planner/device_model.hpp"
#include "planner/device_plan.hpp"
#include "planner/elimination_model.hpp"
#include "planner/search_model.hpp"
#include "rates/rate_figures.hpp"
#include "sparse/factor_rows.hpp"
#include "support/invented_devices.hpp"
#include "support/test.hpp"

namespace apsp::rates::machines_test {
namespace {

using nlohmann::json;
using planner::KernelKind;

/// Largest factor of a prediction's error.
constexpr double kWithin = 1.25;
/// The same for sparse solves, whose times also depend on caches and on the load of a shared
/// machine. Long searches are sampled instead.
constexpr double kSparseWithin = 1.5, kSparseAtMost = 2.5, kSparseShare = 2.0 / 3;

struct Kind {
  KernelKind kernel;
  dense::Shape shape = dense::Shape::full;
};

Kind kind_of(const std::string& title) {
  for (const Semiring semiring : all_semirings()) {
    for (const ValueType type :
         {ValueType::f32, ValueType::f64, ValueType::i32, ValueType::u16, ValueType::boolean}) {
      for (const kernels::Sign sign : {kernels::Sign::any, kernels::Sign::non_negative}) {
        for (const dense::Shape shape : {dense::Shape::full, dense::Shape::symmetric}) {
          for (const bool via : {false, true}) {
            const KernelKind kernel{semiring, type, sign, via};
            if (planner::title(kernel, shape) == title) return {kernel, shape};
          }
        }
      }
    }
  }
  throw std::invalid_argument("no kind of kernel: " + title);
}

void expect_near(double predicted, const json& measured, const std::string& what) {
  const double seconds = measured.at("seconds").get<double>();
  const double ratio = predicted / seconds;
  EXPECT_LE(std::max(ratio, 1 / ratio), kWithin)
      << what << ", n = " << measured.at("n") << ": predicted " << predicted << " s, measured "
      << seconds << " s";
}

/// Returns the number of compared times.
int check_host(const json& block, const std::string& file) {
  const auto rates = rates_from_json<planner::HostRates>(block.at("figures"));
  if (!rates) throw std::invalid_argument(file + ": no rates");
  kind_of(block.at("kind").get<std::string>());  // throws if the title names no kind
  const int threads = block.at("threads").get<int>();
  for (const json& measured : block.at("measured")) {
    const auto n = measured.at("n").get<std::int64_t>();
    const planner::Prediction prediction = planner::predict_on_host(
        {n, measured.value("arcs", std::int64_t{0}), measured.value("statistics", true)}, *rates);
    const bool whole = measured.at("of") == "whole";
    expect_near(whole ? prediction.seconds : prediction.solve, measured,
                file + ", " + std::to_string(threads) + " threads");
  }
  return static_cast<int>(block.at("measured").size());
}

planner::EliminationCounts counts_from(const json& block) {
  planner::EliminationCounts counts;
  counts.vertices = block.at("vertices").get<double>();
  counts.supernodes = block.at("supernodes").get<double>();
  counts.front_entries = block.at("front_entries").get<double>();
  counts.eliminated = block.at("eliminated").get<double>();
  counts.upward = block.at("upward").get<double>();
  counts.all = {block.at("all").at(0).get<double>(), block.at("all").at(1).get<double>()};
  counts.once = {block.at("once").at(0).get<double>(), block.at("once").at(1).get<double>()};
  return counts;
}

/// Returns the factor by which a prediction is too long or too short.
double off(double predicted, double measured) {
  return std::max(predicted / measured, measured / predicted);
}

/// Sparse solves: most predictions must be near, none far off, because some graphs differ from the
/// two that give the figures.
int check_sparse(const json& block, const std::string& file) {
  const auto dissecting = rates_from_json<planner::EliminationRates>(block.at("elimination"));
  const auto searching = rates_from_json<planner::SearchRates>(block.at("search"));
  if (!dissecting || !searching) throw std::invalid_argument(file + ": no rates");
  const int threads = block.at("threads").get<int>();
  const Kind kind = kind_of(block.at("kind").get<std::string>());
  const std::int64_t rows = sparse::FactorRows::block_rows(kind.kernel.type);
  int near = 0, all = 0;
  for (const json& graph : block.at("measured")) {
    const planner::EliminationCounts counts = counts_from(graph.at("counts"));
    const json& found = graph.at("found");
    const double solved =
        graph.at("eliminating").get<double>() + graph.at("sweeping").get<double>();
    const double predicted = planner::eliminating_seconds(counts, graph.at("symmetric").get<bool>(),
                                                          threads, *dissecting) +
                             planner::sweeping_seconds(counts, {rows, threads, false}, *dissecting);
    const double searched = planner::search_seconds(
        {found.at("levels").get<double>(), found.at("vertices").get<double>(),
         found.at("arcs").get<double>()},
        counts.vertices, *searching);
    const double ordered =
        off(planner::ordering_seconds(counts.vertices, graph.at("arcs").get<double>()),
            graph.at("ordering").get<double>());
    EXPECT_LE(ordered, kSparseAtMost) << file << ", the order of " << graph.at("graph");
    const double dissection = off(predicted, solved);
    const double row = off(searched, graph.at("searching_row").get<double>());
    EXPECT_LE(dissection, kSparseAtMost) << file << ", " << graph.at("graph");
    EXPECT_LE(row, kSparseAtMost) << file << ", a row of " << graph.at("graph");
    near += (dissection <= kSparseWithin ? 1 : 0) + (row <= kSparseWithin ? 1 : 0);
    all += 2;
  }
  EXPECT_GE(near, kSparseShare * all) << file;
  return all;
}

int check_device(const json& block, const std::string& file) {
  const auto rates = rates_from_json<planner::DeviceRates>(block.at("figures"));
  if (!rates) throw std::invalid_argument(file + ": no rates");
  const Kind kind = kind_of(block.at("kind").get<std::string>());
  planner::RateSource source;
  source.device = [&](auto&&...) { return rates; };
  planner::DeviceFacts facts = planner::invented_h200(0);
  facts.name = block.at("gpu").get<std::string>();
  for (const json& measured : block.at("measured")) {
    const planner::DevicePlan plan =
        planner::plan_on_devices({.n = measured.at("n").get<std::int64_t>(),
                                  .kernel = kind.kernel,
                                  .shape = kind.shape,
                                  .memory = measured.value("device_memory", std::int64_t{0})},
                                 {facts}, planner::one_device(), source);
    EXPECT_EQ(plan.streamed, measured.contains("device_memory"));
    const bool whole = measured.at("of") == "whole";
    const planner::Prediction prediction = planner::predict_on_device(
        plan, measured.value("arcs", std::int64_t{0}), measured.value("statistics", true));
    expect_near(whole ? prediction.seconds : plan.seconds, measured, file);
  }
  return static_cast<int>(block.at("measured").size());
}

TEST(Machines, AreAllPredicted) {
  int files = 0, times = 0;
  for (const auto& entry : std::filesystem::directory_iterator(APSP_SOURCE_DIR "/tests/machines")) {
    if (entry.path().extension() != ".json") continue;
    const std::string name = entry.path().filename().string();
    SCOPED_TRACE(name);
    std::ifstream stream(entry.path());
    const json machine = json::parse(stream);
    EXPECT_FALSE(machine.at("machine").get<std::string>().empty());
    EXPECT_FALSE(machine.at("source").get<std::string>().empty()) << "say where figures come from";
    if (machine.contains("cluster")) continue;  // described, not measured
    int here = 0;
    for (const json& block : machine.value("host", json::array())) here += check_host(block, name);
    for (const json& block : machine.value("devices", json::array())) {
      here += check_device(block, name);
    }
    for (const json& block : machine.value("sparse", json::array())) {
      here += check_sparse(block, name);
    }
    EXPECT_GT(here, 0);
    times += here;
    ++files;
  }
  EXPECT_GE(files, 4);
  EXPECT_GE(times, 20);
}

}  // namespace
}  // namespace apsp::rates::machines_test
