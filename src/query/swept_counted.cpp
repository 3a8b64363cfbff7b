// The counter that finds all counted already: by a device, from the distances that it keeps.
#include <apsp/error.hpp>

#include "query/swept_counter.hpp"
#include "query/swept_whole.hpp"

namespace apsp::query {
namespace {

class CountedCounter final : public SweptCounter {
 public:
  CountedCounter(const SweptProblem& problem, const store::CountedDistances& counted)
      : totals_(problem.n, problem.cells.count()) {
    double* const sum = totals_.sum.whole_numbers(0).held[0].sums;
    double* const upper = totals_.harmonic.slice(-1, 0).sums;
    double* const lower = totals_.harmonic.slice(-2, 0).sums;
    for (std::size_t v = 0; v < counted.to.size(); ++v) {
      const store::CountedDistances::To& to = counted.to[v];
      ReciprocalSum harmonic;
      harmonic.add(ReciprocalSum{to.high, to.low});
      sum[v] = static_cast<double>(to.sum);
      upper[v] = harmonic.upper();
      lower[v] = harmonic.lower();
      totals_.reached[v] = to.reached;
      const store::CountedDistances::From& from = counted.from[v];
      if (from.reaches) totals_.farthest[v] = {static_cast<double>(from.greatest), from.farthest};
    }
    auto* const cells = totals_.counts.as<std::int64_t>() + problem.cells.of_integer(0);
    for (std::size_t distance = 0; distance < counted.counts.size(); ++distance) {
      if (counted.counts[distance] == 0) continue;
      cells[distance] = counted.counts[distance];
      const auto value = static_cast<double>(distance);
      if (totals_.range.least > value) totals_.range.least = value;
      totals_.range.greatest = value;
    }
  }

  void begin(std::span<const Vertex>) override { refuse(); }
  void take(std::span<const Vertex>, const void*, std::int64_t) override { refuse(); }
  void end() override { refuse(); }
  SweptTotals& totals() override { return totals_; }

 private:
  [[noreturn]] static void refuse() {
    throw Error(ErrorKind::defect, "distances come beside counts of all of them");
  }

  SweptTotals totals_;
};

}  // namespace

std::unique_ptr<SweptCounter> counted_counter(const SweptProblem& problem,
                                              const store::CountedDistances& counted) {
  return std::make_unique<CountedCounter>(problem, counted);
}

}  // namespace apsp::query
