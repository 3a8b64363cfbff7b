// Problems of the differential campaign, of which the input draws the parts. With APSP_FUZZ_GPUS=1
// in the environment, all are asked of this machine's GPUs, by the engine that APSP_CUDA_ENGINE
// names.
#include <algorithm>
#include <cstdlib>

#include "base/random.hpp"
#include "differential/ask.hpp"
#include "differential/case.hpp"
#include "differential/problem.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/choices.hpp"
#include "fuzz/report.hpp"

namespace apsp::fuzz {
namespace {

/// The input first. Behind its end a generator goes on, so short inputs make whole graphs.
class ChosenLots final : public campaign::Lots {
 public:
  ChosenLots(Choices& choices, std::uint64_t seed) : choices_(choices), random_(seed) {}
  std::uint64_t below(std::uint64_t bound) override {
    if (choices_.empty()) return random_.below(bound);
    return bound <= 256 ? choices_.byte() % bound : choices_.take<std::uint64_t>() % bound;
  }
  double uniform() override {
    return choices_.empty() ? random_.uniform() : choices_.take<std::uint16_t>() * 0x1p-16;
  }

 private:
  Choices& choices_;
  base::SplitMix64 random_;
};

bool on_gpus() {
  static const bool asked = [] {
    const bool set = std::getenv("APSP_FUZZ_GPUS") != nullptr;
    if (set) campaign::take_devices(planner::cuda_devices);
    return set;
  }();
  return asked;
}

}  // namespace

void check_problem(const std::uint8_t* data, std::size_t size) {
  constexpr std::int64_t kMostVertices = 90;  // more take long and reach little else
  ::setenv("APSP_MEASURE", "never", 1);
  Choices choices(data, size);
  const auto seed = choices.take<std::uint16_t>();
  ChosenLots lots(choices, seed);
  campaign::Problem problem = campaign::draw(lots, seed);
  if (problem.n > kMostVertices) return;
  problem.threads = 1;  // the same input takes the same way
  if (on_gpus()) problem.gpus = std::max(1, problem.gpus);
  const campaign::Outcome outcome = campaign::ask(problem);
  if (!outcome.wrong.empty()) report(outcome.wrong + "\n" + campaign::to_text(problem));
}

}  // namespace apsp::fuzz
