// The exception type of the library, which never prints, exits or aborts.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace apsp {

enum class ErrorKind {
  usage,           ///< the call or an option is wrong
  input,           ///< malformed graph or result; `location()` says where
  negative_cycle,  ///< distances are undefined; `cycle()` holds one such cycle
  does_not_fit,    ///< memory or value type too small; the message says what fits
  input_output,    ///< the operating system refused: disk full, permission, missing file
  device,          ///< a GPU or MPI failed
  interrupted,
  defect,  ///< a result fails its own check: a fault of this library or of the machine
};

/// A place in a text file. `line` and `column` count from 1; 0: unknown.
struct Location {
  std::string file;
  std::int64_t line = 0;
  std::int64_t column = 0;
};

/// A closed walk v0 → v1 → … → v0 (the last vertex is not repeated) and its total weight.
struct Cycle {
  std::vector<std::uint32_t> vertices;
  double weight = 0;
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

  /// Malformed input; `what()` begins with "file:line:column: ".
  static Error malformed(Location where, const std::string& message);

  static Error negative_cycle(Cycle cycle, const std::string& message);

  ErrorKind kind() const noexcept { return kind_; }
  const Location& location() const noexcept { return location_; }
  const Cycle& cycle() const noexcept { return cycle_; }

 private:
  ErrorKind kind_;
  Location location_;
  Cycle cycle_;
};

}  // namespace apsp
