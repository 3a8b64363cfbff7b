#include "cluster/measure_messages.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <thread>

namespace apsp::cluster {
namespace {

using dense::Along;

constexpr std::int64_t kShort = 8, kLong = std::int64_t{4} << 20;  // bytes
/// Short messages in a row that are timed together; rounds after the first, which connects
/// processes, touches memory and finds the network's rate; seconds of all rounds of a ring if they
/// allow more than two.
constexpr int kShortOnes = 16, kMostRounds = 3;
constexpr double kMostSeconds = 20e-3;

/// Two neighbours of a ring; -1: this process is in no ring.
struct Neighbours {
  int before = -1, behind = -1;
};

Neighbours neighbours_in(const std::vector<int>& ring, int rank) {
  const auto found = std::find(ring.begin(), ring.end(), rank);
  if (found == ring.end() || ring.size() < 2) return {};
  const auto place = static_cast<std::size_t>(found - ring.begin()), count = ring.size();
  return {ring[(place + count - 1) % count], ring[(place + 1) % count]};
}

class Ring {
 public:
  Ring(Communicator& communicator, const Pace& pace, const Neighbours& neighbours)
      : communicator_(communicator), pace_(pace), neighbours_(neighbours) {
    samples_.bytes = std::min(kLong, communicator.most_bytes());
    if (!in_ring()) return;
    sent_.resize(static_cast<std::size_t>(samples_.bytes));
    received_.resize(sent_.size());
  }

  /// Collective over the job, in or out of the ring.
  MessageRate measure(const MessageRate& assumed) {
    const double first = round();
    const double rounds =
        std::clamp(kMostSeconds / std::max(first, 1e-6) - 1, 1.0, static_cast<double>(kMostRounds));
    const auto more = static_cast<int>(least(static_cast<std::int64_t>(rounds)));
    samples_.short_seconds.clear();
    samples_.long_seconds.clear();
    for (int i = 0; i < more; ++i) round();
    return slowest(assumed);
  }

 private:
  bool in_ring() const { return neighbours_.behind >= 0; }

  std::int64_t least(std::int64_t mine) {
    const Communicator::Request vote = communicator_.least(mine);
    wait_for(vote);
    return communicator_.result(vote);
  }
  void wait_for(Communicator::Request request) {
    while (!communicator_.done(request)) pace_.wait();
  }

  /// Sends and receives so many messages, each after the one before. Returns the seconds of each.
  double exchange(std::int64_t bytes, int times) {
    std::vector<Communicator::Request> going;
    const double began = pace_.now();
    for (int tag = 0; tag < times; ++tag) {
      const Communicator::Request coming =
          communicator_.receive(Along::all, neighbours_.before, tag, received_.data(), bytes);
      going.push_back(communicator_.send(Along::all, neighbours_.behind, tag, sent_.data(), bytes));
      wait_for(coming);
    }
    const double seconds = pace_.now() - began;
    for (const Communicator::Request request : going) wait_for(request);
    return seconds / times;
  }

  double round() {
    least(0);
    const double began = pace_.now();
    if (in_ring()) samples_.short_seconds.push_back(exchange(kShort, kShortOnes));
    least(0);
    if (in_ring()) samples_.long_seconds.push_back(exchange(samples_.bytes, 1));
    return pace_.now() - began;
  }

  MessageRate slowest(const MessageRate& assumed) {
    constexpr double kNano = 1e9;
    std::int64_t rate = INT64_MAX, early = INT64_MAX;
    if (in_ring()) {
      const MessageRate mine = rate_of(samples_);
      rate = static_cast<std::int64_t>(mine.bytes);
      early = -static_cast<std::int64_t>(mine.seconds * kNano);
    }
    rate = least(rate);
    early = least(early);
    if (rate == INT64_MAX) return assumed;
    return {static_cast<double>(std::max<std::int64_t>(rate, 1)),
            static_cast<double>(-early) / kNano, true};
  }

  Communicator& communicator_;
  const Pace& pace_;
  Neighbours neighbours_;
  MessageSamples samples_;
  std::vector<std::byte> sent_, received_;
};

}  // namespace

MessageRate rate_of(const MessageSamples& samples) {
  static constexpr double kLeast = 1e-9;  // s: resolution of clocks
  const auto best = [](const std::vector<double>& all) {
    return std::max(kLeast, *std::min_element(all.begin(), all.end()));
  };
  const double latency = best(samples.short_seconds), whole = best(samples.long_seconds);
  // A short message may have waited longer than the long one took.
  const double moving = std::max(whole - latency, whole / 2);
  return {static_cast<double>(samples.bytes) / moving, latency, true};
}

Pace own_pace() {
  return {[] {
            const auto time = std::chrono::steady_clock::now().time_since_epoch();
            return std::chrono::duration<double>(time).count();
          },
          [] { std::this_thread::yield(); }};
}

MessageRates measure_messages(Communicator& communicator, const std::vector<int>& machines,
                              const Pace& pace) {
  const int rank = communicator.rank(Along::all), count = communicator.size(Along::all);
  std::vector<int> same, firsts;
  for (int process = 0; process < count; ++process) {
    const int machine = machines[static_cast<std::size_t>(process)];
    if (machine == machines[static_cast<std::size_t>(rank)]) same.push_back(process);
    if (std::find(machines.begin(), machines.end(), machine) == machines.begin() + process) {
      firsts.push_back(process);
    }
  }
  MessageRates rates;
  rates.on_machine = Ring(communicator, pace, neighbours_in(same, rank)).measure(rates.on_machine);
  if (firsts.size() > 1) {
    rates.between = Ring(communicator, pace, neighbours_in(firsts, rank)).measure(rates.between);
  }
  return rates;
}

MessageRates measure_messages(Processes& processes, int machine) {
  const std::vector<int> machines = processes.of_first(processes.gather_values(machine));
  return measure_messages(processes.communicator(), machines);
}

}  // namespace apsp::cluster
