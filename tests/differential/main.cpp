// The differential campaign: problems by lot, asked of the library and of an oracle in exact
// arithmetic. What fails is shrunk to the least graph and stored as a file that repeats it.
//
//   apsp_campaign                          problems 1, 2, … until the time is over
//   apsp_campaign --problem FOUND.json     repeats a finding
//   apsp_campaign --cuda                   the same of the GPUs of this machine
//   apsp_campaign --tell 10 --seed 7       problems 7 to 16, a line of JSON each
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

#include "differential/ask.hpp"
#include "differential/case.hpp"
#include "differential/problem.hpp"
#include "differential/shrink.hpp"
#include "differential/workers.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace apsp;
using namespace apsp::campaign;

/// What a refusal says, without its numbers and names.
std::string without_numbers(const std::string& text) {
  std::string words;
  for (const char c : text.substr(0, text.find_first_of(";(,"))) {
    const bool of_number = (c >= '0' && c <= '9') || c == '+' || c == '.';
    if (!of_number) words += c;
    if (of_number && (words.empty() || words.back() != '#')) words += '#';
  }
  return words.substr(0, 90);
}

/// What was asked and what came of it.
class Tally {
 public:
  void add(const Told& told) {
    const Problem problem = draw(told.seed);
    ++asked_;
    ++of_[0][std::string(name(problem.question))];
    ++of_[1][std::string(name(problem.algorithm))];
    ++of_[2][std::string(name(problem.semiring))];
    ++of_[3][problem.type ? std::string(name(*problem.type)) : "auto"];
    ++of_[4][problem.gpus == 0 ? "cpu" : fmt::format("{} strict devices", problem.gpus)];
    ++of_[5][fmt::format("{} threads", problem.threads)];
    ++of_[6][problem.n == 0   ? "n = 0"
             : problem.n < 15 ? "n < 15"
             : problem.n < 41 ? "n < 41"
                              : "n > 40"];
    if (told.kind == "refused") ++refusals_[without_numbers(told.text)];
    refused_ += told.kind == "refused";
  }
  std::int64_t asked() const { return asked_; }
  void print(double seconds) const {
    for (const auto& counts : of_) {
      std::string line;
      for (const auto& [what, count] : counts)
        line += fmt::format("{}{}: {}", line.empty() ? "" : ", ", what, count);
      fmt::print("{}\n", line);
    }
    for (const auto& [why, count] : refusals_) fmt::print("  refused {}: {}\n", count, why);
    fmt::print("{} problems in {:.0f} s, {} of them refused first\n", asked_, seconds, refused_);
  }

 private:
  std::int64_t asked_ = 0, refused_ = 0;
  std::map<std::string, std::int64_t> of_[7], refusals_;
};

int repeat(const std::vector<std::string>& files) {
  int wrong = 0;
  for (const std::string& file : files) {
    const Outcome outcome = ask(from_text(read_bytes(file)));
    if (!outcome.refused.empty()) fmt::print("refused: {}\n", outcome.refused);
    fmt::print("{}: {}\n", file, outcome.wrong.empty() ? "right" : outcome.wrong);
    wrong += outcome.wrong.empty() ? 0 : 1;
  }
  return wrong == 0 ? 0 : 1;
}

/// Shrinks a finding, and says how to repeat it.
void keep(const Told& told, const Problem& problem, const std::string& folder) {
  constexpr int kTries = 400, kSeconds = 20;
  const std::string kind = without_numbers(told.text).substr(0, 16);
  const auto fails = [&](const Problem& p) {
    return without_numbers(ask_apart(p, kSeconds).wrong).substr(0, 16) == kind;
  };
  const Problem least = fails(problem) ? shrunk(problem, fails, kTries) : problem;
  std::filesystem::create_directories(folder);
  const std::string file = fmt::format("{}/{}-{}.json", folder, name(problem.question), told.seed);
  write_bytes(file, to_text(least) + "\n");
  fmt::print("\nseed {}, shrunk: {}\n  {}\n  repeat: apsp_campaign --problem {}\n", told.seed,
             ask_apart(least, kSeconds).wrong, to_text(least), file);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Random problems against exact arithmetic"};
  Work work;
  std::string folder = "campaign-findings";
  std::vector<std::string> files;
  bool plant = false, cuda = false;
  std::uint64_t tell = 0;
  std::int64_t most_findings = 20;
  app.add_option("--problems", work.problems, "at most so many");
  app.add_option("--seconds", work.seconds, "no problem begins later");
  app.add_option("--jobs", work.jobs, "processes");
  app.add_option("--seed", work.first, "of the first problem");
  app.add_option("--findings", folder, "where findings are kept");
  app.add_option("--most-findings", most_findings, "so many are shrunk");
  app.add_option("--problem", files, "repeat these");
  app.add_flag("--plant", plant, "tell the oracle wrong weights: a trial of the campaign itself");
  app.add_flag("--cuda", cuda, "every problem, of the GPUs of this machine");
  app.add_option("--tell", tell, "print so many problems");
  CLI11_PARSE(app, argc, argv);
  setenv("APSP_MEASURE", "never", 0);
  if (cuda) take_devices(planner::cuda_devices);
  if (!files.empty()) return repeat(files);
  for (std::uint64_t i = 0; i < tell; ++i) std::cout << to_text(draw(work.first + i)) << '\n';
  if (tell > 0) return 0;
  if (std::filesystem::exists("/dev/shm")) setenv("TMPDIR", "/dev/shm", 0);

  Tally tally;
  std::vector<Told> findings;
  const auto drawn = [&](std::uint64_t seed) {
    Problem problem = draw(seed);
    problem.planted = plant;
    if (cuda) problem.gpus = std::max(1, problem.gpus);
    return problem;
  };
  work.ask = [&](std::uint64_t seed) -> Told {
    const Outcome outcome = ask(drawn(seed));
    if (!outcome.wrong.empty()) return {seed, "wrong", outcome.wrong};
    return {seed, outcome.refused.empty() ? "answered" : "refused", outcome.refused};
  };
  work.take = [&](const Told& told) {
    tally.add(told);
    if (told.kind != "wrong") return;
    findings.push_back(told);
    fmt::print("seed {}: {}\n", told.seed, told.text);
    std::fflush(stdout);
  };
  const auto begin = std::chrono::steady_clock::now();
  run(work);
  tally.print(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  for (const Told& told : findings) {
    if (most_findings-- > 0) keep(told, drawn(told.seed), folder);
  }
  fmt::print("{} wrong\n", findings.size());
  return findings.empty() ? 0 : 1;
}
