// Processes that plan with rates of their own: all get those of the slowest.
#include "cluster/collective_rates.hpp"

#include "cluster/collective_plan.hpp"
#include "support/invented_devices.hpp"
#include "support/job_solve.hpp"
#include "support/on_processes.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"

namespace apsp::cluster::collective_rates_test {
namespace {

constexpr int kProcesses = 3;
constexpr planner::KernelKind kKind{Semiring::min_plus, ValueType::f32};

/// Of process i, which takes i + 1 times as long as the first.
planner::HostRates host_of(int process) {
  const double slow = process + 1;
  planner::HostRates rates;
  rates.solve = planner::RateCurve({{100, slow}, {1000, 900 * slow}});
  rates.statistics = 12e6 / slow;
  rates.arcs = 6e6 / slow;
  rates.uncalibrated = false;
  rates.measured = "2026-11-23T00:00:0" + std::to_string(process) + "Z";
  return rates;
}

planner::RateSource source_of(int process) {
  planner::RateSource source;
  source.host = [process](auto&&...) { return host_of(process); };
  return source;
}

/// body(job, graph) of each process, on a thread.
void run_job(const std::function<planner::RateSource(int)>& rates,
             const std::function<void(const Job&, const Graph&)>& body) {
  const auto work = [&](Processes& processes) {
    Job job{processes, {1, kProcesses}};
    job.of_machine = kProcesses;
    job.on_machine = processes.rank();
    job.rates = rates(processes.rank());
    body(job, random_graph({.n = 10, .arcs = 20}));
  };
  on_processes(kProcesses, work, 64);
}

TEST(CollectiveRates, AreThoseOfTheSlowestSharedOut) {
  run_job(source_of, [](const Job& job, const Graph& graph) {
    std::optional<planner::HostRates> heard;
    with_collective_rates(job, graph, 1, [&](const planner::RateSource& rates) {
      heard = rates.host({.kernel = kKind, .threads = 7, .guess = 1});
    });
    ASSERT_TRUE(heard);
    const planner::HostRates slowest = host_of(kProcesses - 1);
    EXPECT_DOUBLE_EQ(heard->solve.seconds(1000), slowest.solve.seconds(1000) / kProcesses);
    EXPECT_DOUBLE_EQ(heard->statistics, slowest.statistics * kProcesses);
    EXPECT_DOUBLE_EQ(heard->arcs, slowest.arcs * kProcesses);
    EXPECT_EQ(heard->measured, host_of(0).measured) << "the oldest";
    EXPECT_FALSE(heard->uncalibrated);
  });
}

TEST(CollectiveRates, AreAskedForWithTheThreadsOfEachProcess) {
  std::array<std::atomic<int>, kProcesses> asked{};
  const auto watched = [&](int process) {
    planner::RateSource source;
    source.elimination = [&asked, process](const planner::RateQuery& query) {
      asked.at(static_cast<std::size_t>(process)) += query.threads;
      return std::optional<planner::EliminationRates>();
    };
    return source;
  };
  run_job(watched, [](const Job& job, const Graph& graph) {
    with_collective_rates(
        job, graph, job.processes.rank() + 1, [&](const planner::RateSource& rates) {
          EXPECT_FALSE(rates.elimination({.kernel = kKind, .threads = 6, .guess = 1}))
              << "nobody knows";
        });
  });
  for (int process = 0; process < kProcesses; ++process) {
    EXPECT_EQ(asked.at(static_cast<std::size_t>(process)), process + 1) << "once";
  }
}

TEST(CollectiveRates, NobodyWaitsForWhatTheFirstDoesNotAsk) {
  run_job(source_of, [](const Job& job, const Graph& graph) {
    with_collective_rates(job, graph, 1, [&](const planner::RateSource& rates) {
      const auto host = [&](double guess) {
        return rates.host({.kernel = kKind, .guess = guess}).has_value();
      };
      if (job.processes.first()) {
        EXPECT_TRUE(host(1));
        return;
      }
      EXPECT_FALSE(rates.search({.kernel = kKind, .guess = 1}));
      EXPECT_FALSE(rates.sample(graph, {}, 1.0));
      if (job.processes.rank() == 1) {
        EXPECT_TRUE(host(2)) << "it was asked for with another guess";
      }
    });
  });
}

TEST(CollectiveRates, WhoCannotAnswerEndsAll) {
  const auto failing = [](int process) {
    planner::RateSource source = source_of(process);
    if (process == 1) {
      source.host = [](auto&&...) -> std::optional<planner::HostRates> {
        throw Error(ErrorKind::interrupted, "stopped");
      };
    }
    return source;
  };
  run_job(failing, [](const Job& job, const Graph& graph) {
    try {
      with_collective_rates(job, graph, 1, [&](const planner::RateSource& rates) {
        if (job.processes.rank() < 2) rates.host({.kernel = kKind, .guess = 1});
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::interrupted);
    }
    EXPECT_TRUE(job.processes.in_step());
  });
}

TEST(CollectiveRates, AnErrorOfOnePlanEndsAll) {
  run_job(source_of, [](const Job& job, const Graph& graph) {
    EXPECT_THROW(with_collective_rates(job, graph, 1,
                                       [&](const planner::RateSource& rates) {
                                         if (job.processes.first()) {
                                           throw Error(ErrorKind::usage, "no");
                                         }
                                         rates.host({.kernel = kKind, .guess = 1});
                                       }),
                 Error);
  });
}

planner::DeviceRates device_of(int process) {
  const double slow = process + 1;
  planner::DeviceRates rates;
  rates.run = planner::RateCurve({{1000, slow}, {8000, 100 * slow}});
  rates.setup = slow;
  rates.copies = {.relaxations = 1e12 / slow, .in = 6e10 / slow, .out = 5e10, .both = 8e10};
  rates.uncalibrated = false;
  return rates;
}

/// Two machines: of processes 0 and 1, and of process 2.
TEST(CollectiveRates, OfGpusAreThoseOfTheFirstProcessOfEachMachine) {
  const auto of_gpu = [](int process) {
    planner::RateSource source;
    source.device = [process](auto&&...) -> std::optional<planner::DeviceRates> {
      if (process == 1) ADD_FAILURE() << "its neighbour measures the same GPUs";
      return device_of(process);
    };
    return source;
  };
  run_job(of_gpu, [](const Job& given, const Graph&) {
    Job job = given;
    job.on_machine = job.processes.rank() == 1 ? 1 : 0;
    const GpuQuestion question{kKind, dense::Shape::full, planner::invented_h200(0), 1, 5, 0.4};
    const planner::RateSource rates = collective_gpu_rates(job, question);
    const auto heard =
        rates.device({.kernel = kKind, .device = planner::invented_h200(1), .guess = 1});
    ASSERT_TRUE(heard);
    EXPECT_EQ(heard->copies.relaxations, 1e12 / 3);
    EXPECT_EQ(heard->copies.in, 2e10);
    EXPECT_EQ(heard->setup, 3);
    EXPECT_DOUBLE_EQ(heard->run.seconds(8000), 300);
    EXPECT_FALSE(rates.link({.guess = 1})) << "nobody knows";
    GpuQuestion of_rows = question;
    of_rows.solve = 0;
    EXPECT_FALSE(collective_gpu_rates(job, of_rows).device({.kernel = kKind}));
    EXPECT_FALSE(collective_gpu_rates(job, {}).device({.kernel = kKind}));
  });
}

/// A solve of four processes, of which process i takes i + 1 times as long as the first.
TEST(CollectiveRates, APlanOfAllHasThem) {
  JobRun run{.rows = 2, .cols = 2, .options = small_tiles()};
  run.options.method.tile = 0;
  run.rates = source_of;
  const Answer answer = solve_on(run, random_graph({.n = 100, .arcs = 400}));
  ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
  EXPECT_FALSE(answer.planned.predicted.rough);
  EXPECT_NEAR(answer.planned.predicted.solve, 1, 0.01) << "4 s of one, by four";
  EXPECT_THAT(answer.plan, HasSubstr("predicted 1.0"));
}

/// Seconds that two processes, each on a machine of its own, plan for parts that stream.
double streamed_seconds(const std::function<planner::RateSource(int)>& rates,
                        const std::function<MessageRates()>& messages = {}) {
  const Graph graph = random_graph({.n = 320, .arcs = 1200, .seed = 7});
  SolveOptions options;
  options.method.algorithm = Algorithm::floyd_warshall;
  options.machine.device = Device::cuda;
  options.method.value_type = ValueType::f32;
  options.machine.device_memory = 320 * 320 * 4 / 2 + 28000;
  options.machine.threads = 1;
  std::array<double, 2> all{};
  on_processes(2, [&](Processes& processes) {
    Job job{processes, {1, 2}};
    job.find = planner::one_device;
    job.rates = rates(processes.rank());
    job.messages = messages;
    const planner::Plan plan = collective_plan(job, graph, options);
    ASSERT_TRUE(plan.on_device && plan.on_device->streamed);
    all.at(static_cast<std::size_t>(processes.rank())) = plan.on_device->seconds;
  });
  EXPECT_EQ(all[0], all[1]);
  return all[0];
}

TEST(CollectiveRates, PartsStreamByTheSlowestGpu) {
  const auto slow_is = [](int slow) {
    return [slow](int process) {
      planner::RateSource source;
      source.device = [process, slow](auto&&...) {
        return std::optional(device_of(process == slow ? 500 : 0));
      };
      return source;
    };
  };
  EXPECT_EQ(streamed_seconds(slow_is(0)), streamed_seconds(slow_is(1)));
  EXPECT_GT(streamed_seconds(slow_is(0)), 2 * streamed_seconds(slow_is(2)));
}

TEST(CollectiveRates, PartsStreamByMessagesAsMeasured) {
  const auto nothing = [](int) { return planner::RateSource(); };
  const auto messages_of = [](double bytes) {
    return [bytes] {
      MessageRates rates{.between = {bytes, 1e-5, true}};
      return rates;
    };
  };
  const double assumed = streamed_seconds(nothing);
  EXPECT_GT(streamed_seconds(nothing, messages_of(1e7)), 2 * assumed);
  EXPECT_LE(streamed_seconds(nothing, messages_of(1e11)), assumed);
}

}  // namespace
}  // namespace apsp::cluster::collective_rates_test
