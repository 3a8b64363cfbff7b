// std::condition_variable::wait for systems whose libstdc++ is older than the compiler's.
//
// GCC 12 gave this function a new version of its symbol, GLIBCXX_3.4.30, and it is all that a wheel
// asks of a libstdc++ that manylinux_2_34 does not promise (3.4.29). The linker leads every call
// here (--wrap in python/CMakeLists.txt).
#include <pthread.h>

#include <condition_variable>
#include <mutex>

#ifdef __GLIBCXX__
extern "C" void __wrap__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(  // NOLINT
    std::condition_variable* condition, std::unique_lock<std::mutex>* lock) noexcept {
  pthread_cond_wait(condition->native_handle(), lock->mutex()->native_handle());
}
#endif
