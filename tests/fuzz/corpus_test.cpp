// What the fuzz targets check, over their seeds and over seeds that were changed at random: so the
// targets compile with every build, and a reader that breaks shows it without a fuzzer. A finding
// aborts.
#include "base/random.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/edge_list_ways.hpp"
#include "fuzz/round_trip.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::fuzz::corpus_test {
namespace {

/// The format of a folder of seeds; none: it is recognised.
std::optional<GraphFormat> format_of(std::string folder) {
  std::replace(folder.begin(), folder.end(), '_', '-');
  return parse_graph_format(folder);
}

using Check = void (*)(const std::uint8_t*, std::size_t);
/// Checks that make their own files, and how many inputs of each are drawn here.
const std::map<std::string, std::pair<Check, int>> kChecks = {
    {"store", {check_store, 1500}},
    {"ledger", {check_ledger, 1500}},
    {"factor", {check_factor, 800}},
    {"messages", {check_messages, 1500}},
    {"machine", {check_machine, 1000}},
    {"arguments", {check_arguments, 200}},
    {"lists", {check_lists, 1500}},
    {"result", {check_result, 800}},
    {"solve", {check_solve, 800}},
    {"resume", {check_resume, 400}},
    {"matrices", {check_matrices, 1500}},
    {"problem", {check_problem, 300}},
    {"c_interface", {check_c_interface, 800}}};

void check_bytes(Check check, const std::string& bytes) {
  check(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

void check(const std::string& text, std::optional<GraphFormat> format) {
  const auto* const data = reinterpret_cast<const std::uint8_t*>(text.data());
  check_reader(data, text.size(), format);
  if (format == GraphFormat::edge_list) check_edge_list_ways(data, text.size());
}

/// Some bytes replaced, left out, or said twice.
std::string changed(std::string text, base::SplitMix64& random) {
  static constexpr char kTelling[] =
      "0129 \t\n\r,;.-+e\"#%|:/\\apN\x7F\xFF";  // and the zero behind
  for (std::uint64_t changes = 1 + random.below(4); changes > 0 && !text.empty(); --changes) {
    const std::size_t at = random.below(text.size());
    const std::size_t length = 1 + random.below(std::min<std::size_t>(8, text.size() - at));
    switch (random.below(3)) {
      case 0:
        text[at] = kTelling[random.below(sizeof(kTelling))];
        break;
      case 1:
        text.erase(at, length);
        break;
      default:
        text.insert(at, text.substr(at, length));
    }
  }
  return text;
}

TEST(FuzzCorpus, SeedsAndWhatIsNearThemGiveAGraphOrAnError) {
  constexpr int kChanged = 400;  // of each seed
  base::SplitMix64 random(1);
  int seeds = 0;
  const std::filesystem::path corpus = APSP_SOURCE_DIR "/tests/fuzz/corpus";
  for (const auto& folder : std::filesystem::directory_iterator(corpus)) {
    if (kChecks.contains(folder.path().filename().string())) continue;
    const auto format = format_of(folder.path().filename().string());
    for (const auto& seed : std::filesystem::directory_iterator(folder)) {
      SCOPED_TRACE(seed.path().string());
      const std::string text = read_bytes(seed.path().string());
      check(text, format);
      for (int i = 0; i < kChanged; ++i) check(changed(text, random), format);
      ++seeds;
    }
  }
  EXPECT_GT(seeds, 20);
}

TEST(FuzzCorpus, DamagedFilesAndOddWordsGiveAnErrorAtMost) {
  base::SplitMix64 random(1);
  for (const auto& [name, check] : kChecks) {
    SCOPED_TRACE(name);
    const std::filesystem::path folder = APSP_SOURCE_DIR "/tests/fuzz/corpus/" + name;
    std::vector<std::string> seeds;
    for (const auto& seed : std::filesystem::directory_iterator(folder)) {
      seeds.push_back(read_bytes(seed.path().string()));
      check_bytes(check.first, seeds.back());
    }
    std::sort(seeds.begin(), seeds.end());  // the same draws everywhere
    for (int i = 0; i < check.second; ++i) {
      std::string drawn(random.below(48), ' ');
      for (char& byte : drawn) byte = static_cast<char>(random.next());
      check_bytes(check.first,
                  i % 2 == 0 ? drawn : changed(seeds[random.below(seeds.size())], random));
    }
  }
}

TEST(FuzzCorpus, EveryOptionWithEveryOddValueEndsTheLineWithItsExitCode) {
#if defined(__SANITIZE_ADDRESS__)
  constexpr int kEvery = 1;
#else
  constexpr int kEvery = 11;
#endif
  EXPECT_GT(check_each_option(kEvery), 15000);
}

}  // namespace
}  // namespace apsp::fuzz::corpus_test
