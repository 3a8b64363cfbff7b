// Cache of the rates of this machine: `rates.json` in the user's cache folder.
//
// A broken, foreign or outdated file counts as empty and is replaced. If the folder is not
// writable, nothing is kept, without a message. An entry is valid for its exact key: processor,
// instruction set, number of threads, GPU, driver, version. The file is replaced by rename, so
// concurrent processes lose at most each other's last entry.
#pragma once

#include <optional>
#include <string>

#include "base/json.hpp"

namespace apsp::rates {

/// "2026-11-21T20:00:00Z".
std::string utc_now();

class RateCache {
 public:
  explicit RateCache(std::string folder) : folder_(std::move(folder)) {}

  /// $APSP_CACHE_DIR, else $XDG_CACHE_HOME/apsp, else ~/.cache/apsp; empty without any of these.
  static std::string default_folder();

  std::optional<nlohmann::json> find(const nlohmann::json& key) const;
  /// UTC time of the measurement; empty if there is none.
  std::string measured(const nlohmann::json& key) const;
  /// Replaces the figures of the key, with the present time.
  void keep(const nlohmann::json& key, const nlohmann::json& figures) const;
  /// [{"key": …, "measured": "2026-11-21T20:00:00Z", "figures": …}], the newest last.
  const nlohmann::json& entries() const;
  /// Empty if nothing is kept.
  std::string file() const;

 private:
  nlohmann::json read() const;
  const nlohmann::json* entry_of(const nlohmann::json& key) const;

  std::string folder_;
  mutable std::optional<nlohmann::json> known_{};  // content of the file when it was first read
};

}  // namespace apsp::rates
