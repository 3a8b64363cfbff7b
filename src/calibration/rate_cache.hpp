// Rates of this machine, kept from one process to the next: one JSON file in the user's cache
// folder, `rates.json`.
//
// Nothing depends on it. A file that is broken, foreign or of another format counts as empty and is
// replaced by the next one. A folder that cannot be written to keeps nothing, without a message.
// An entry holds for exactly its key, which names all that its figures depend on: processor,
// instruction set, number of threads, GPU, driver, version. The file is written by rename, so two
// processes lose at most each other's last entry, never the file.
#pragma once

#include <optional>
#include <string>

#include "base/json.hpp"

namespace apsp::calibration {

/// "2026-11-21T20:00:00Z".
std::string utc_now();

class RateCache {
 public:
  /// Empty: nothing is kept.
  explicit RateCache(std::string folder) : folder_(std::move(folder)) {}

  /// $APSP_CACHE_DIR, else $XDG_CACHE_HOME/apsp, else ~/.cache/apsp; empty where none is named.
  static std::string default_folder();

  /// The figures kept under this key.
  std::optional<nlohmann::json> find(const nlohmann::json& key) const;
  /// When they were measured, UTC; empty where there are none.
  std::string measured(const nlohmann::json& key) const;
  /// Replaces what was kept under this key, with today's date.
  void keep(const nlohmann::json& key, const nlohmann::json& figures) const;
  /// [{"key": …, "measured": "2026-11-21T20:00:00Z", "figures": …}], the newest last. The file is
  /// read once, and again after `keep`.
  const nlohmann::json& entries() const;
  /// Empty where nothing is kept.
  std::string file() const;

 private:
  /// The entries as the file has them now.
  nlohmann::json read() const;
  /// Null where there is none.
  const nlohmann::json* entry_of(const nlohmann::json& key) const;

  std::string folder_;
  mutable std::optional<nlohmann::json> known_{};  // as the file was when it was first asked for
};

}  // namespace apsp::calibration
