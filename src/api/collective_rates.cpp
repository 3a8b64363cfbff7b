#include "api/collective_rates.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "calibration/rate_figures.hpp"
#include "calibration/slowest_rates.hpp"

namespace apsp::api {
namespace {

using nlohmann::json;

enum class What {
  host,
  any_link,
  elimination,
  search,
  breadth_first,
  sample,
  store,
  transfers,
  end
};

/// What process 0 asks for.
struct Question {
  What what = What::end;
  planner::KernelKind kernel{};
  places::Shape shape = places::Shape::full;
  planner::RowSample rows{};
  bool compress = false;
  double guess = 0;  // s
};

/// Figures, or an empty text where there are none.
template <class Rates>
std::string told(const std::optional<Rates>& rates) {
  if (!rates) return {};
  return json{{"figures", calibration::to_json(*rates)}, {"measured", rates->measured}}.dump();
}
std::string told(const std::optional<double>& seconds) {
  return seconds ? json{{"figures", {{"start", *seconds}}}, {"measured", ""}}.dump() : "";
}

template <class Rates>
std::optional<Rates> heard(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const json said = json::parse(text);
  auto rates = calibration::rates_from_json<Rates>(said["figures"]);
  if (rates) rates->measured = said["measured"].get<std::string>();
  return rates;
}
template <>
std::optional<double> heard<double>(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return json::parse(text)["figures"]["start"].get<double>();
}

/// Whoever knows nothing leaves it to the others.
std::string slower(const std::string& one, const std::string& other) {
  if (one.empty() || other.empty()) return one + other;
  const json a = json::parse(one), b = json::parse(other);
  return json{
      {"figures", calibration::slowest_rates(a["figures"], b["figures"])},
      {"measured", std::min(a["measured"].get<std::string>(), b["measured"].get<std::string>())}}
      .dump();
}

class Asking {
 public:
  Asking(const Job& job, const Graph& graph, int threads)
      : mine_(job.rates), processes_(job.processes), graph_(graph), threads_(threads) {}

  /// Refers to this object.
  planner::RateSource source();
  /// Every process, once, when it asks no more.
  void end() {
    if (processes_.first()) return say_to_others(bytes_of({}, {}));
    while (!ended_) serve();
  }
  /// What kept this process from answering, if anything did.
  std::exception_ptr failure() const { return failed_; }

 private:
  using Key = std::tuple<What, std::string, std::string>;

  static Key key_of(const Question& asked, const std::string& text) {
    return {asked.what, planner::title(asked.kernel, asked.shape),
            std::string(name(asked.rows.algorithm)) + text};
  }
  static std::string bytes_of(const Question& asked, const std::string& text) {
    base::ByteWriter writer;
    writer.put(asked);
    writer.put_text(text);
    const base::ByteVector bytes = writer.take();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  /// What the slowest says.
  template <class Rates>
  std::optional<Rates> answer(const Question& asked, const std::string& text = {}) {
    return heard<Rates>(answered(asked, text));
  }
  std::string answered(const Question& asked, const std::string& text) {
    const Key key = key_of(asked, text);
    if (!processes_.first()) {
      while (!ended_ && !known_.contains(key)) serve();
      return known_[key];
    }
    say_to_others(bytes_of(asked, text));
    std::string slowest = own(asked, text);
    for (int other = 1; other < processes_.size(); ++other) {
      slowest = slower(slowest, hear(other));
    }
    say_to_others(slowest);
    if (failed_) std::rethrow_exception(failed_);
    return slowest;
  }

  /// Another process than the first hears a question, answers, and hears what comes of it.
  void serve() {
    const std::string said = hear(0);
    base::ByteReader reader(std::as_bytes(std::span(said)));
    const auto asked = reader.get<Question>();
    const std::string text = reader.get_text();
    ended_ = asked.what == What::end;
    if (ended_) return;
    say(0, own(asked, text));
    known_[key_of(asked, text)] = hear(0);
  }

  /// What this process knows or measures; nothing where that fails.
  std::string own(const Question& asked, const std::string& text) {
    try {
      return looked_up(asked, text);
    } catch (...) {
      failed_ = std::current_exception();
      return {};
    }
  }
  std::string looked_up(const Question& asked, const std::string& text) const {
    const auto& [what, kernel, shape, rows, compress, guess] = asked;
    const auto from = [&](const auto& function, const auto&... words) {
      return function ? told(function(words...)) : std::string();
    };
    planner::RowSample sample = rows;
    sample.threads = threads_;
    switch (what) {
      case What::host:
        return from(mine_.host, kernel, shape, threads_, guess);
      case What::any_link:
        return from(mine_.any_link);
      case What::elimination:
        return from(mine_.elimination, kernel, threads_, guess);
      case What::search:
        return from(mine_.search, kernel, threads_, guess);
      case What::breadth_first:
        return from(mine_.breadth_first, kernel, threads_, guess);
      case What::sample:
        return from(mine_.sample, graph_, sample, guess);
      case What::store:
        return from(mine_.store, text, compress, threads_, guess);
      case What::transfers:
        return from(mine_.transfers, text, threads_, guess);
      case What::end:
        break;
    }
    return {};
  }

  void say_to_others(const std::string& text) {
    for (int other = 1; other < processes_.size(); ++other) say(other, text);
  }
  void say(int to, const std::string& text) {
    const auto length = static_cast<std::int64_t>(text.size());
    processes_.send(to, 0, std::as_bytes(std::span(&length, 1)));
    processes_.send(to, 1, std::as_bytes(std::span(text)));
    processes_.finish();
  }
  std::string hear(int from) {
    std::int64_t length = 0;
    processes_.receive(from, 0, std::as_writable_bytes(std::span(&length, 1)));
    processes_.finish();
    std::string text(static_cast<std::size_t>(length), '\0');
    processes_.receive(from, 1, std::as_writable_bytes(std::span(text)));
    processes_.finish();
    return text;
  }

  const planner::RateSource& mine_;
  engine::Processes& processes_;
  const Graph& graph_;
  int threads_;
  bool ended_ = false;
  std::exception_ptr failed_;
  std::map<Key, std::string> known_;
};

/// All processes do together what one of them does alone.
planner::HostRates of_all(planner::HostRates one, int processes) {
  std::vector<planner::CurvePoint> points = one.solve.points();
  for (planner::CurvePoint& point : points) point.seconds /= processes;
  one.solve = planner::RateCurve(std::move(points));
  one.statistics *= processes;
  one.arcs *= processes;
  return one;
}

planner::RateSource Asking::source() {
  using planner::KernelKind;
  planner::RateSource all;
  all.host = [this](const KernelKind& kernel, places::Shape shape, int, double guess) {
    auto rates = answer<planner::HostRates>(
        {.what = What::host, .kernel = kernel, .shape = shape, .guess = guess});
    if (rates) rates = of_all(*std::move(rates), processes_.size());
    return rates;
  };
  all.any_link = [this] { return answer<planner::LinkRates>({.what = What::any_link}); };
  all.elimination = [this](const KernelKind& kernel, int, double guess) {
    return answer<planner::EliminationRates>(
        {.what = What::elimination, .kernel = kernel, .guess = guess});
  };
  all.search = [this](const KernelKind& kernel, int, double guess) {
    return answer<planner::SearchRates>({.what = What::search, .kernel = kernel, .guess = guess});
  };
  all.breadth_first = [this](const KernelKind& kernel, int, double guess) {
    return answer<planner::BreadthFirstRates>(
        {.what = What::breadth_first, .kernel = kernel, .guess = guess});
  };
  all.sample = [this](const Graph&, const planner::RowSample& rows, double guess) {
    return answer<double>(
        {.what = What::sample, .kernel = rows.kernel, .rows = rows, .guess = guess});
  };
  all.store = [this](const std::string& output, bool compress, int, double guess) {
    return answer<planner::StoreRates>({.what = What::store, .compress = compress, .guess = guess},
                                       output);
  };
  all.transfers = [this](const std::string& path, int, double guess) {
    return answer<planner::TransferRates>({.what = What::transfers, .guess = guess}, path);
  };
  return all;
}

/// What the slowest of all processes says, which need not know anything.
std::string slowest_of_all(engine::Processes& processes, const std::string& mine) {
  const auto bytes = std::as_bytes(std::span(mine));
  std::string slowest;
  for (const base::ByteVector& said : processes.gather({bytes.begin(), bytes.end()})) {
    slowest = slower(slowest, {reinterpret_cast<const char*>(said.data()), said.size()});
  }
  return processes.share_text(slowest);
}

}  // namespace

void with_collective_rates(const Job& job, const Graph& graph, int threads,
                           const std::function<void(const planner::RateSource&)>& work) {
  Asking asking(job, graph, threads);
  std::exception_ptr failed;
  job.processes.apart([&] {
    try {
      work(asking.source());
    } catch (...) {
      failed = std::current_exception();
    }
    asking.end();
  });
  job.processes.collective([&] {
    if (!failed) failed = asking.failure();
    if (failed) std::rethrow_exception(failed);
  });
}

planner::RateSource collective_gpu_rates(const Job& job, const std::optional<GpuQuestion>& mine) {
  std::string link, device;
  job.processes.collective([&] {
    if (!mine || job.on_machine > 0) return;
    const auto& [kernel, shape, facts, threads, solve, start] = *mine;
    if (job.rates.link) link = told(job.rates.link(facts, start));
    if (solve == 0 || !job.rates.device) return;
    device = told(job.rates.device(kernel, shape, facts, threads, solve));
  });
  job.processes.apart([&] {
    link = slowest_of_all(job.processes, link);
    device = slowest_of_all(job.processes, device);
  });
  planner::RateSource all;
  all.link = [link](auto&&...) { return heard<planner::LinkRates>(link); };
  all.any_link = [link] { return heard<planner::LinkRates>(link); };
  all.device = [device, processes = job.processes.size()](auto&&...) {
    auto rates = heard<planner::DeviceRates>(device);
    if (rates) rates->statistics *= processes;
    if (rates) rates->arcs *= processes;
    return rates;
  };
  return all;
}

}  // namespace apsp::api
