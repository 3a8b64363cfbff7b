#include "rates/rate_cache.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <array>
#include <cstdlib>
#include <ctime>
#include <span>

#include "store/file_system.hpp"

namespace apsp::rates {
namespace {

using nlohmann::json;

constexpr int kFormat = 1;
/// One machine has some dozens. Home folders shared by many machines keep the newest.
constexpr std::size_t kMostEntries = 400;
constexpr std::int64_t kMostBytes = std::int64_t{4} << 20;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

bool is_entry(const json& entry) {
  return entry.is_object() && entry.contains("key") && entry["key"].is_object() &&
         entry.contains("figures") && entry["figures"].is_object() && entry.contains("measured") &&
         entry["measured"].is_string();
}

}  // namespace

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", ::gmtime_r(&now, &utc));
  return text.data();
}

std::string RateCache::default_folder() {
  if (std::string own = variable("APSP_CACHE_DIR"); !own.empty()) return own;
  // The XDG base directory specification ignores relative paths.
  if (const std::string xdg = variable("XDG_CACHE_HOME"); xdg.starts_with('/')) {
    return store::join(xdg, "apsp");
  }
  const std::string home = variable("HOME");
  return home.starts_with('/') ? store::join(home, ".cache/apsp") : std::string();
}

std::string RateCache::file() const {
  return folder_.empty() ? std::string() : store::join(folder_, "rates.json");
}

json RateCache::read() const {
  if (folder_.empty()) return json::array();
  try {
    const store::FileSystem& files = store::posix_file_system();
    if (files.kind(file()) != store::FileKind::file) return json::array();
    if (files.open(file())->size() > kMostBytes) return json::array();
    const json kept = base::parsed_json(files.read_text(file()));
    if (!kept.is_object() || kept.value("format", json()) != kFormat) return json::array();
    json entries = json::array();
    for (const json& entry : kept.value("entries", json::array())) {
      if (is_entry(entry)) entries.push_back(entry);
    }
    return entries;
  } catch (const Error&) {
  } catch (const json::exception&) {
  }
  return json::array();
}

const json& RateCache::entries() const {
  if (!known_) known_ = read();
  return *known_;
}

const json* RateCache::entry_of(const json& key) const {
  for (const json& entry : entries()) {
    if (entry["key"] == key) return &entry;
  }
  return nullptr;
}

std::optional<json> RateCache::find(const json& key) const {
  const json* const entry = entry_of(key);
  return entry == nullptr ? std::nullopt : std::optional<json>((*entry)["figures"]);
}

std::string RateCache::measured(const json& key) const {
  const json* const entry = entry_of(key);
  return entry == nullptr ? std::string() : (*entry)["measured"].get<std::string>();
}

void RateCache::keep(const json& key, const json& figures) const {
  if (folder_.empty()) return;
  known_.reset();
  json kept = json::array();
  for (json& entry : read()) {
    if (entry["key"] != key) kept.push_back(std::move(entry));
  }
  kept.push_back({{"key", key}, {"measured", utc_now()}, {"figures", figures}});
  while (kept.size() > kMostEntries) kept.erase(kept.begin());
  const json whole = {{"format", kFormat},
                      {"what", "rates of this machine as apsp measured them; safe to remove"},
                      {"entries", std::move(kept)}};
  const std::string text = base::json_text(whole, 1, base::BadBytes::replaced) + "\n";
  try {
    store::FileSystem& files = store::posix_file_system();
    files.make_directories(folder_);
    files.write_atomically(file(), std::as_bytes(std::span(text)));
  } catch (const Error&) {  // the next process measures again
  }
}

}  // namespace apsp::rates
