// A process that may ask the system for only so much more memory, for tests of what is refused.
#pragma once

#include <sys/resource.h>

#include <cstdint>

#include "system/machine.hpp"

namespace apsp {

/// While it lives, the addresses of this process may grow by `bytes`. Sanitizers take addresses of
/// their own: tests under them leave it out (watched.hpp).
class AddressLimit {
 public:
  explicit AddressLimit(std::int64_t bytes) {
    getrlimit(RLIMIT_AS, &before_);
    rlimit limit = before_;
    limit.rlim_cur = static_cast<rlim_t>(system::process_memory("VmSize") + bytes);
    setrlimit(RLIMIT_AS, &limit);
  }
  ~AddressLimit() { setrlimit(RLIMIT_AS, &before_); }
  AddressLimit(const AddressLimit&) = delete;
  AddressLimit& operator=(const AddressLimit&) = delete;

 private:
  rlimit before_ = {};
};

}  // namespace apsp
