#include "rates/rate_cache.hpp"

#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::rates::rate_cache_test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// Sets an environment variable during its lifetime.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const old = std::getenv(name)) before_ = old;
    value == nullptr ? unsetenv(name) : setenv(name, value, 1);
  }
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

const json kKey = {{"what", "cpu"}, {"threads", 2}};
const json kOther = {{"what", "cpu"}, {"threads", 4}};
const json kFigures = {{"solve", {{256, 0.001}, {512, 0.004}}}, {"statistics", 1e8}};

TEST(RateCache, KeepsFiguresUnderTheirKey) {
  const TemporaryFolder folder;
  const RateCache cache(folder / "deep/apsp");
  EXPECT_FALSE(cache.find(kKey));
  cache.keep(kKey, kFigures);
  cache.keep(kOther, {{"solve", 1}});
  EXPECT_EQ(RateCache(folder / "deep/apsp").find(kKey), kFigures);
  cache.keep(kKey, {{"solve", 2}});
  EXPECT_EQ(cache.find(kKey)->at("solve"), 2);
  ASSERT_EQ(cache.entries().size(), 2u);
  EXPECT_EQ(cache.entries()[1]["key"], kKey) << "the newest last";
  EXPECT_EQ(cache.entries()[0]["measured"].get<std::string>().size(), 20u);
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder / "deep/apsp")) {
    EXPECT_EQ(entry.path().filename(), "rates.json");
    ++files;
  }
  EXPECT_EQ(files, 1u) << "written by rename, nothing left beside it";
}

TEST(RateCache, WhatIsBrokenOrForeignCountsAsEmptyAndIsReplaced) {
  for (const std::string text :
       {"", "{", "[]", "3", "null", R"({"format": 2, "entries": []})",
        R"({"format": 1, "entries": 7})", R"({"format": 1, "entries": [1, {"key": 3}, null]})",
        R"({"format": "1", "entries": [{"key": {}, "measured": 1, "figures": {}}]})", "\xff\xfe"}) {
    const TemporaryFolder folder;
    write(folder / "rates.json", text);
    const RateCache cache(folder / "");
    EXPECT_EQ(cache.entries(), json::array()) << text;
    EXPECT_FALSE(cache.find(kKey)) << text;
    cache.keep(kKey, kFigures);
    EXPECT_EQ(cache.find(kKey), kFigures) << text;
  }
}

TEST(RateCache, AFolderThatCannotBeWrittenIsNoError) {
  const TemporaryFolder folder;
  write(folder / "file", "in the way");
  const RateCache blocked(folder / "file/apsp");
  EXPECT_NO_THROW(blocked.keep(kKey, kFigures));
  EXPECT_FALSE(blocked.find(kKey));
  const RateCache none("");
  EXPECT_NO_THROW(none.keep(kKey, kFigures));
  EXPECT_FALSE(none.find(kKey));
  EXPECT_EQ(none.file(), "");
}

TEST(RateCache, StaysSmall) {
  const TemporaryFolder folder;
  const RateCache cache(folder / "");
  json entries = json::array();
  for (int i = 0; i < 1000; ++i) {
    entries.push_back({{"key", {{"threads", i}}}, {"measured", "x"}, {"figures", json::object()}});
  }
  write(folder / "rates.json", json({{"format", 1}, {"entries", entries}}).dump());
  cache.keep(kKey, kFigures);
  EXPECT_EQ(cache.entries().size(), 400u);
  EXPECT_EQ(cache.find(kKey), kFigures);
}

TEST(RateCache, TheFolderIsOursThenXdgsThenTheHomes) {
  const Variable home("HOME", "/home/someone");
  const Variable xdg("XDG_CACHE_HOME", "/caches");
  {
    const Variable own("APSP_CACHE_DIR", "/mine");
    EXPECT_EQ(RateCache::default_folder(), "/mine");
  }
  const Variable own("APSP_CACHE_DIR", nullptr);
  EXPECT_EQ(RateCache::default_folder(), "/caches/apsp");
  const Variable relative("XDG_CACHE_HOME", "caches");
  EXPECT_EQ(RateCache::default_folder(), "/home/someone/.cache/apsp") << "relative: ignored";
  const Variable nowhere("HOME", nullptr);
  EXPECT_EQ(RateCache::default_folder(), "");
}

}  // namespace
}  // namespace apsp::rates::rate_cache_test
