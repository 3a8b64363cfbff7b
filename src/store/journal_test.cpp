// A ledger that is torn or damaged anywhere names fewer bands, never others.
#include "store/journal.hpp"

#include <fmt/format.h>

#include "store/crc32c.hpp"
#include "support/memory_file_system.hpp"
#include "support/power_cut.hpp"
#include "support/test.hpp"

namespace apsp::store::journal_test {
namespace {

constexpr const char* kPath = "p/.ledger";

JournalHead sample_head() {
  JournalHead head;
  head.layout = {9, ValueType::u16, Semiring::min_plus, 2, {Plane::distance, Plane::predecessor}};
  head.recipe = {"fnv1a64:0123456789abcdef", "johnson", "", R"({"dtype":null})"};
  return head;
}

void put(MemoryFileSystem& disk, const std::string& text) {
  if (disk.kind("p") == FileKind::none) disk.make_directory("p");
  disk.remove_all(kPath);
  disk.create(kPath)->write(0, std::as_bytes(std::span(text)));
}

std::string written(MemoryFileSystem& disk) {
  disk.make_directory("p");
  Journal ledger(disk, "p", sample_head());
  EXPECT_TRUE(ledger.empty());
  for (const std::int64_t band : {3, 0, 3, 4}) ledger.note(band);
  EXPECT_FALSE(ledger.empty());
  return disk.read_text(kPath);
}

TEST(Journal, ComesBackAsItWasWritten) {
  MemoryFileSystem disk;
  const std::string text = written(disk);
  const auto contents = read_journal(disk, "p");
  ASSERT_TRUE(contents);
  EXPECT_THAT(contents->bands, ElementsAre(0, 3, 4));
  EXPECT_EQ(contents->done(), 2 + 2 + 1);
  EXPECT_EQ(contents->bytes, std::ssize(text));
  EXPECT_THAT(differences(contents->head, sample_head()), IsEmpty());
  EXPECT_EQ(contents->head.recipe.options, R"({"dtype":null})");
  EXPECT_FALSE(read_journal(disk, "elsewhere"));
}

TEST(Journal, CutOffAnywhereNamesFewerBands) {
  MemoryFileSystem disk;
  const std::string text = written(disk);
  const std::vector<std::int64_t> all = {3, 0, 4};
  const std::size_t first = text.find('\n') + 1;
  for (std::size_t length = 0; length < text.size(); ++length) {
    put(disk, text.substr(0, length));
    const auto contents = read_journal(disk, "p");
    ASSERT_EQ(contents.has_value(), length >= first) << length;
    if (!contents) continue;
    const auto lines = std::count(text.begin(), text.begin() + static_cast<long>(length), '\n') - 1;
    std::vector<std::int64_t> expected(all.begin(), all.begin() + lines);
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(contents->bands, expected) << length;
    // Whoever goes on writes behind the intact lines.
    Journal(disk, "p", *contents).note(1);
    expected.push_back(1);
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(read_journal(disk, "p")->bands, expected) << length;
  }
}

std::string with_line(std::string text, const std::string& line) {
  return text += fmt::format("{} {:08x}\n", line, crc32c(std::as_bytes(std::span(line))));
}

TEST(Journal, ALineThatNamesWhatTheMatrixHasNotEndsIt) {
  MemoryFileSystem disk;
  const std::string whole = written(disk);
  const std::string head = whole.substr(0, whole.find('\n') + 1);
  const auto read_with = [&](const std::string& line) {
    put(disk, with_line(with_line(head, line), "band 1"));
    return *read_journal(disk, "p");
  };
  for (const char* const known : {"band 0", "band 4"}) {
    EXPECT_EQ(read_with(known).bands.size(), 2u) << known;
  }
  for (const char* const wrong : {"band 5", "band -1", "band", "band 1x", "cut 10 in 0",
                                  "cut 9 in 2", "cut 9", "cut -1 in 0", "tile 1"}) {
    EXPECT_THAT(read_with(wrong).bands, IsEmpty()) << wrong;
    EXPECT_FALSE(read_with(wrong).checkpoint) << wrong;
    EXPECT_EQ(read_with(wrong).bytes, std::ssize(head)) << wrong;
  }
  for (const int generation : {0, 1}) {
    const auto checkpoint = read_with(fmt::format("cut 9 in {}", generation)).checkpoint;
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->pivots, 9);
    EXPECT_EQ(checkpoint->generation, generation);
  }
}

TEST(Journal, AFlippedBitAnywhereNamesFewerBands) {
  MemoryFileSystem disk;
  const std::string text = written(disk);
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char bit : {'\x01', '\x10', '\x40'}) {
      std::string damaged = text;
      damaged[at] = static_cast<char>(damaged[at] ^ bit);
      put(disk, damaged);
      const auto contents = read_journal(disk, "p");
      if (!contents) continue;
      EXPECT_THAT(differences(contents->head, sample_head()), IsEmpty());
      EXPECT_LT(contents->bands.size(), 3u) << at;
      for (const std::int64_t band : contents->bands) {
        EXPECT_THAT((std::vector<std::int64_t>{0, 3, 4}), Contains(band));
      }
    }
  }
}

TEST(Journal, BandsOfOtherProcessesCount) {
  MemoryFileSystem disk;
  disk.make_directory("p");
  Journal first(disk, "p", sample_head());
  {
    Journal second(disk, "p", 1), third(disk, "p", 12);
    EXPECT_TRUE(first.empty());
    for (const std::int64_t band : {4, 1}) second.note(band);
    third.note(2);
  }
  EXPECT_FALSE(first.empty()) << "others have named some";
  first.note(4);
  const auto contents = read_journal(disk, "p");
  EXPECT_THAT(contents->bands, ElementsAre(1, 2, 4));
  EXPECT_THAT(contents->of_others, ElementsAre(1, 2));
  // Who goes on names them, once, and the others' ledgers are gone.
  Journal(disk, "p", *contents).note(1);
  EXPECT_THAT(disk.list("p"), ElementsAre(kJournalName));
  EXPECT_THAT(read_journal(disk, "p")->bands, ElementsAre(1, 2, 4));
  EXPECT_THAT(read_journal(disk, "p")->of_others, IsEmpty());
  Journal(disk, "p", 1).note(0);
  EXPECT_THAT(read_journal(disk, "p")->bands, ElementsAre(0, 1, 2, 4));
}

/// What the ledger says after power cuts at the end of all that was recorded.
std::vector<JournalContents> after_power_cuts(const RecordedFileSystem& files) {
  std::vector<JournalContents> found;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    base::SplitMix64 random(seed);
    const auto disk = files.after(files.moments(), Names::in_order, random);
    found.push_back(read_journal(*disk, "p").value_or(JournalContents{}));
  }
  return found;
}

TEST(Journal, AStepThatWasNamedOutlivesAPowerCut) {
  RecordedFileSystem files;
  files.make_directory("p");
  Journal ledger(files, "p", sample_head());
  files.sync_tree("p");
  for (const std::int64_t pivots : {2, 4}) {
    ledger.note(Checkpoint{pivots, 1});
    for (const JournalContents& contents : after_power_cuts(files)) {
      ASSERT_TRUE(contents.checkpoint);
      EXPECT_EQ(contents.checkpoint->pivots, pivots);
    }
  }
}

TEST(Journal, BandsOfOthersOutliveAPowerCutOnceTheyAreTakenOver) {
  RecordedFileSystem files;
  files.make_directory("p");
  Journal(files, "p", sample_head()).note(0);
  Journal(files, "p", 1).note(3);
  files.sync_tree("p");
  const Journal taken_over(files, "p", *read_journal(files, "p"));
  for (const JournalContents& contents : after_power_cuts(files)) {
    EXPECT_THAT(contents.bands, ElementsAre(0, 3));
  }
}

TEST(Journal, AnotherProcessSCutOffAnywhereNamesFewerBands) {
  MemoryFileSystem disk;
  disk.make_directory("p");
  Journal(disk, "p", sample_head()).note(3);
  {
    Journal second(disk, "p", 1);
    for (const std::int64_t band : {0, 4}) second.note(band);
  }
  const std::string text = disk.read_text("p/.ledger-1");
  for (std::size_t length = 0; length < text.size(); ++length) {
    disk.reopen("p/.ledger-1", static_cast<std::int64_t>(length))
        ->write(0, std::as_bytes(std::span(text).first(length)));
    const auto lines = std::count(text.begin(), text.begin() + static_cast<long>(length), '\n');
    EXPECT_EQ(std::ssize(read_journal(disk, "p")->of_others), lines) << length;
    EXPECT_THAT(read_journal(disk, "p")->bands, Contains(3));
  }
}

TEST(Journal, SaysInWhatTwoSolvesDiffer) {
  const auto difference = [](const auto& change) {
    JournalHead other = sample_head();
    change(other);
    const std::vector<std::string> found = differences(sample_head(), other);
    return found.size() == 1 ? found.front() : fmt::format("{} differences", found.size());
  };
  EXPECT_EQ(difference([](JournalHead& head) { head.recipe.graph = "fnv1a64:1"; }),
            "graph: there fnv1a64:0123456789abcdef, here fnv1a64:1");
  EXPECT_EQ(difference([](JournalHead& head) { head.layout.n = 8; }), "vertices: there 9, here 8");
  EXPECT_EQ(difference([](JournalHead& head) { head.layout.semiring = Semiring::max_min; }),
            "semiring: there min-plus, here max-min");
  EXPECT_EQ(difference([](JournalHead& head) { head.layout.type = ValueType::f32; }),
            "value type: there u16, here f32");
  EXPECT_EQ(difference([](JournalHead& head) { head.layout.planes.pop_back(); }),
            "planes: there distance+predecessor, here distance");
  EXPECT_EQ(difference([](JournalHead& head) { head.compress = true; }),
            "compression: there none, here zstd");
  EXPECT_EQ(difference([](JournalHead& head) { head.layout.tile = 3; }),
            "side of a tile: there 2, here 3");
  EXPECT_EQ(difference([](JournalHead& head) { head.recipe.algorithm = "bfs"; }),
            "algorithm: there johnson, here bfs");
  EXPECT_THAT(difference([](JournalHead& head) { head.recipe.rounding = "order 1"; }),
              HasSubstr("rounding"));
  EXPECT_EQ(difference([](JournalHead& head) { head.recipe.options = "{}"; }), "0 differences");
  EXPECT_EQ(difference([](JournalHead& head) { head.layout.selection.sources = {4}; }),
            "sources: there all, here 1");
  EXPECT_EQ(difference([](JournalHead& head) {
              head.layout.selection.targets = {4, 2};
            }),
            "targets: there all, here 2");
  JournalHead there = sample_head(), here = sample_head();
  there.layout.selection.sources = {4, 2};
  here.layout.selection.sources = {4, 3};
  EXPECT_THAT(differences(there, here), ElementsAre("sources: others there than here"));
}

TEST(Journal, OfAnotherVersionIsAnErrorAndNotNothing) {
  MemoryFileSystem disk;
  std::string text = written(disk);
  std::string line = text.substr(0, text.find('\n') - 9);
  const std::string known = "\"format_version\":1";
  line.replace(line.find(known), known.size(), "\"format_version\":9");
  put(disk, with_line("", line));
  EXPECT_THAT(error_of([&] { read_journal(disk, "p"); }).what(), HasSubstr("format version 9"));
}

}  // namespace
}  // namespace apsp::store::journal_test
