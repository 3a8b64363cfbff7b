#include "cluster/collective_rates.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "rates/measure_rates.hpp"
#include "rates/rate_figures.hpp"

namespace apsp::cluster {
namespace {

using nlohmann::json;

/// Questions that are not about a kind of work; those are numbered from 0.
enum : int { kNoMore = -3, kRowSample = -2, kAnyLink = -1 };

struct Question {
  int work = kNoMore;
  planner::KernelKind kernel{};
  dense::Shape shape = dense::Shape::full;
  planner::RowSample rows{};
  bool compress = false;
  double guess = 0;
};

struct SampleRates {
  double row = 0;
  std::string measured{};
  static constexpr planner::RateField<SampleRates> kFields[] = {
      {"row", "s", planner::at<&SampleRates::row>}};
};

template <class Rates>
base::ByteVector told(const std::optional<Rates>& rates) {
  if (!rates) return {};
  return base::bytes_of_text(
      base::json_text(json{{"figures", rates::to_json(*rates)}, {"measured", rates->measured}}));
}

template <class Rates>
std::optional<Rates> heard(const base::ByteVector& text) {
  if (text.empty()) return std::nullopt;
  const json said = base::json_of(base::text_of(text));
  auto rates = rates::rates_from_json<Rates>(said["figures"]);
  if (rates) rates->measured = said["measured"].get<std::string>();
  return rates;
}

/// A process without figures leaves the answer to the others.
template <class Rates>
std::optional<Rates> slower(std::optional<Rates> one, std::optional<Rates> other) {
  if (!one || !other) return one ? one : other;
  return rates::slowest(*std::move(one), *std::move(other));
}

/// The processes together do so many times the work of one.
template <class Rates>
Rates of_all(Rates one, int processes) {
  if constexpr (requires { one.solve; }) {
    std::vector<planner::CurvePoint> points = one.solve.points();
    for (planner::CurvePoint& point : points) point.seconds /= processes;
    one.solve = planner::RateCurve(std::move(points));
  }
  if constexpr (requires { one.statistics, one.arcs; }) {
    one.statistics *= processes;
    one.arcs *= processes;
  }
  return one;
}

class Asking {
 public:
  Asking(const Job& job, const Graph& graph, int threads)
      : mine_(job.rates), processes_(job.processes), graph_(graph), threads_(threads) {}

  planner::RateSource source();
  /// Called once by every process after its last question.
  void end() {
    if (processes_.first()) return ask({}, {});
    while (!ended_) serve();
  }
  std::exception_ptr failure() const { return failed_; }

 private:
  using Key = std::tuple<int, std::string, std::string>;

  static Key key_of(const Question& asked, const std::string& path) {
    return {asked.work, planner::title(asked.kernel, asked.shape),
            std::string(name(asked.rows.algorithm)) + path};
  }

  template <class Rates>
  std::optional<Rates> answer(const Question& asked, const std::string& path = {}) {
    const Key key = key_of(asked, path);
    if (!processes_.first()) {
      while (!ended_ && !known_.contains(key)) serve();
      return heard<Rates>(known_[key]);
    }
    ask(asked, path);
    auto slowest = heard<Rates>(own(asked, path));
    for (int other = 1; other < processes_.size(); ++other) {
      slowest = slower(std::move(slowest), heard<Rates>(processes_.receive_whole(other)));
    }
    say_to_others(told(slowest));
    if (failed_) std::rethrow_exception(failed_);
    return slowest;
  }

  void serve() {
    Question asked;
    std::string path;
    base::read_fields(processes_.receive_whole(0), std::tie(asked, path));
    ended_ = asked.work == kNoMore;
    if (ended_) return;
    processes_.send_whole(0, own(asked, path));
    known_[key_of(asked, path)] = processes_.receive_whole(0);
  }

  base::ByteVector own(const Question& asked, const std::string& path) {
    try {
      return looked_up(asked, path);
    } catch (...) {
      failed_ = std::current_exception();
      return {};
    }
  }
  base::ByteVector looked_up(const Question& asked, const std::string& path) const {
    if (asked.work == kAnyLink) {
      return mine_.any_link ? told(mine_.any_link()) : base::ByteVector();
    }
    if (asked.work == kRowSample) return looked_up_sample(asked);
    const planner::RateQuery query{.kernel = asked.kernel,
                                   .shape = asked.shape,
                                   .threads = threads_,
                                   .path = path,
                                   .compress = asked.compress,
                                   .guess = asked.guess};
    int work = 0;
    base::ByteVector found;
    planner::for_each_work([&](auto ask) {
      if (work++ == asked.work && mine_.*ask) found = told((mine_.*ask)(query));
    });
    return found;
  }
  base::ByteVector looked_up_sample(const Question& asked) const {
    planner::RowSample rows = asked.rows;
    rows.threads = threads_;
    const auto seconds = mine_.sample ? mine_.sample(graph_, rows, asked.guess) : std::nullopt;
    return seconds ? told(std::optional(SampleRates{.row = *seconds})) : base::ByteVector();
  }

  void ask(const Question& asked, const std::string& path) {
    say_to_others(base::bytes_of(std::tie(asked, path)));
  }
  void say_to_others(const base::ByteVector& said) {
    for (int other = 1; other < processes_.size(); ++other) processes_.send_whole(other, said);
  }

  const planner::RateSource& mine_;
  Processes& processes_;
  const Graph& graph_;
  int threads_;
  bool ended_ = false;
  std::exception_ptr failed_;
  std::map<Key, base::ByteVector> known_;
};

planner::RateSource Asking::source() {
  planner::RateSource all;
  int work = 0;
  planner::for_each_work(
      [&]<class Rates>(planner::AskRates<Rates> planner::RateSource::*const ask) {
        const int number = work++;
        // Only processes that have a GPU are asked for its rates.
        if (rates::work_of<Rates>().key.gpu) return;
        all.*ask = [this, number](const planner::RateQuery& query) {
          auto rates = answer<Rates>({.work = number,
                                      .kernel = query.kernel,
                                      .shape = query.shape,
                                      .compress = query.compress,
                                      .guess = query.guess},
                                     query.path);
          if (rates) rates = of_all(*std::move(rates), processes_.size());
          return rates;
        };
      });
  all.any_link = [this] { return answer<planner::LinkRates>({.work = kAnyLink}); };
  all.sample = [this](const Graph&, const planner::RowSample& rows, double guess) {
    const auto found = answer<SampleRates>(
        {.work = kRowSample, .kernel = rows.kernel, .rows = rows, .guess = guess});
    return found ? std::optional(found->row) : std::nullopt;
  };
  return all;
}

template <class Rates>
std::optional<Rates> slowest_of_all(Processes& processes, const std::optional<Rates>& mine) {
  std::optional<Rates> slowest;
  for (const base::ByteVector& said : processes.gather(told(mine))) {
    slowest = slower(std::move(slowest), heard<Rates>(said));
  }
  return heard<Rates>(processes.share(told(slowest)));
}

}  // namespace

void with_collective_rates(const Job& job, const Graph& graph, int threads,
                           const std::function<void(const planner::RateSource&)>& work) {
  Asking asking(job, graph, threads);
  std::exception_ptr failed;
  job.processes.communicate([&] {
    try {
      work(asking.source());
    } catch (...) {
      failed = std::current_exception();
    }
    asking.end();
  });
  job.processes.run_local([&] {
    if (!failed) failed = asking.failure();
    if (failed) std::rethrow_exception(failed);
  });
}

planner::RateSource collective_gpu_rates(const Job& job, const std::optional<GpuQuestion>& mine) {
  std::optional<planner::LinkRates> link;
  std::optional<planner::DeviceRates> device;
  std::optional<planner::DeviceRowRates> rows;
  job.processes.run_local([&] {
    if (!mine || job.on_machine > 0) return;
    const auto& [kernel, shape, facts, threads, solve, start] = *mine;
    if (job.rates.link) link = job.rates.link({.device = facts, .guess = start});
    if (job.rates.device_rows) rows = job.rates.device_rows({.device = facts});
    if (solve == 0 || !job.rates.device) return;
    device = job.rates.device(
        {.kernel = kernel, .shape = shape, .threads = threads, .device = facts, .guess = solve});
  });
  job.processes.communicate([&] {
    link = slowest_of_all(job.processes, link);
    device = slowest_of_all(job.processes, device);
    rows = slowest_of_all(job.processes, rows);
    if (device) device = of_all(*std::move(device), job.processes.size());
  });
  planner::RateSource all;
  all.link = [link](auto&&...) { return link; };
  all.any_link = [link] { return link; };
  all.device = [device](auto&&...) { return device; };
  all.device_rows = [rows](auto&&...) { return rows; };
  return all;
}

}  // namespace apsp::cluster
