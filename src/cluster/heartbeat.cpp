#include "cluster/heartbeat.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <cstdlib>
#include <random>
#include <span>
#include <system_error>
#include <utility>

#include "system/threads.hpp"

namespace apsp::cluster {
namespace {

constexpr int kMostAddresses = 8;
constexpr std::uint64_t kBeat = 1, kFarewell = 2;
/// A datagram may be lost.
constexpr int kFarewells = 3;

struct Datagram {
  std::uint64_t job = 0;  // a random number, which strangers do not know
  std::uint64_t from = 0;
  std::uint64_t kind = 0;
};

sockaddr_in endpoint(std::uint32_t host, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = host;
  address.sin_port = port;
  return address;
}

/// −1: none.
int open_socket() {
  const int opened = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (opened < 0) return -1;
  const sockaddr_in any = endpoint(INADDR_ANY, 0);
  if (bind(opened, reinterpret_cast<const sockaddr*>(&any), sizeof any) == 0) return opened;
  close(opened);
  return -1;
}

std::uint16_t port_of(int socket) {
  sockaddr_in here{};
  socklen_t length = sizeof here;
  getsockname(socket, reinterpret_cast<sockaddr*>(&here), &length);
  return here.sin_port;
}

std::uint64_t drawn() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

}  // namespace

struct Heartbeat::Address {
  std::int32_t machine = 0;  // Launch::machine
  std::int32_t hosts = 0;
  std::uint32_t host[kMostAddresses] = {};  // in network byte order
  std::uint16_t port = 0;
  char name[62] = {};

  static Address here(int socket, int machine) {
    Address address;
    address.machine = machine;
    gethostname(address.name, sizeof address.name - 1);
    ifaddrs* all = nullptr;
    if (socket < 0 || getifaddrs(&all) != 0) return address;
    address.port = port_of(socket);
    for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
      const bool is_usable = one->ifa_addr != nullptr && one->ifa_addr->sa_family == AF_INET &&
                             (one->ifa_flags & IFF_UP) != 0 && (one->ifa_flags & IFF_LOOPBACK) == 0;
      if (!is_usable || address.hosts == kMostAddresses) continue;
      address.host[address.hosts++] =
          reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr.s_addr;
    }
    freeifaddrs(all);
    return address;
  }
};

Heartbeat::Heartbeat(Processes& processes, const Launch& launch, Seconds limit,
                     std::function<void(const Error&)> on_silent)
    : limit_(limit),
      interval_(std::min(Seconds(0.5), limit / 10)),
      rank_(processes.rank()),
      size_(processes.size()),
      machine_(launch.machine),
      on_silent_(std::move(on_silent)) {
  const std::uint64_t job = processes.of_first(drawn());
  // Each process reads its own limit; those without one still take part in the exchange.
  if (size_ == 1) return;
  if (limit.count() > 0) socket_ = open_socket();
  const Address mine = Address::here(socket_, launch.machine);
  Address before, next;
  const int to = (rank_ + 1) % size_, from = (rank_ + size_ - 1) % size_;
  constexpr int kForward = 0, kBack = 1;
  processes.send(to, kForward, std::as_bytes(std::span(&mine, 1)));
  processes.send(from, kBack, std::as_bytes(std::span(&mine, 1)));
  processes.receive(from, kForward, std::as_writable_bytes(std::span(&before, 1)));
  processes.receive(to, kBack, std::as_writable_bytes(std::span(&next, 1)));
  processes.finish();
  if (socket_ < 0) return;
  const system::BlockedSignals blocked;
  try {
    thread_ = std::thread([this, before, next, job] { run(before, next, job); });
  } catch (const std::system_error&) {  // without a thread, this process is not heard
  }
}

Heartbeat::~Heartbeat() {
  ended_ = true;
  if (thread_.joinable()) thread_.join();
  if (socket_ >= 0) close(socket_);
}

void Heartbeat::beat(const Address& next, std::uint64_t job, std::uint64_t kind) const {
  if (next.port == 0 || silent_) return;
  const Datagram datagram{job, static_cast<std::uint64_t>(rank_), kind};
  const auto send = [&](std::uint32_t host) {
    const sockaddr_in to = endpoint(host, next.port);
    // A heartbeat that cannot be sent counts as lost.
    [[maybe_unused]] const ssize_t sent = sendto(socket_, &datagram, sizeof datagram, MSG_NOSIGNAL,
                                                 reinterpret_cast<const sockaddr*>(&to), sizeof to);
  };
  for (int i = 0; i < next.hosts; ++i) send(next.host[i]);
  if (next.machine == machine_) send(htonl(INADDR_LOOPBACK));
}

void Heartbeat::listen(std::uint64_t job, Silence& silence) const {
  const auto before = static_cast<std::uint64_t>((rank_ + size_ - 1) % size_);
  for (Datagram datagram;;) {
    const ssize_t length = recv(socket_, &datagram, sizeof datagram, 0);
    if (length < 0) return;
    const bool is_known = length == ssize_t{sizeof datagram} && datagram.job == job;
    if (!is_known || datagram.from != before) continue;
    datagram.kind == kFarewell ? silence.said_farewell() : silence.heard();
  }
}

Error Heartbeat::silent_error(const Address& before) const {
  return Error(
      ErrorKind::device,
      fmt::format("process {} of {}, on {}, has not answered for {:g} seconds: it is stopped, or "
                  "its machine cannot be reached. End it and start the job again; "
                  "APSP_SILENCE_SECONDS sets a longer time, and 0 waits for ever",
                  (rank_ + size_ - 1) % size_, size_, before.name, limit_.count()));
}

void Heartbeat::run(const Address& before, const Address& next, std::uint64_t job) {
  using Clock = std::chrono::steady_clock;
  Silence silence(limit_, 2 * interval_);
  constexpr int kNap = 50;  // ms; the longest time that the end waits for this thread
  Clock::time_point last = Clock::now(), beaten = last - std::chrono::hours(1);
  while (!ended_) {
    const Clock::time_point now = Clock::now();
    if (now - beaten >= interval_) {
      beat(next, job, kBeat);
      beaten = now;
    }
    pollfd wait{socket_, POLLIN, 0};
    poll(&wait, 1, std::min(kNap, static_cast<int>(interval_.count() * 1000)));
    silence.passed(Clock::now() - last);
    last = Clock::now();
    listen(job, silence);
    if (silence.too_long()) break;
  }
  for (int i = 0; i < kFarewells; ++i) beat(next, job, kFarewell);
  if (!ended_) on_silent_(silent_error(before));
}

std::unique_ptr<Heartbeat> watch_launch(Launch& launch, Communicator& all) {
  return with_processes(launch, all, [&](Processes& processes) {
    // Launchers often pass the environment only to the processes of one machine.
    const Seconds limit(processes.of_first(silence_limit().count()));
    return std::make_unique<Heartbeat>(processes, launch, limit, launch.on_late);
  });
}

Seconds silence_limit() {
  constexpr double kUsual = 40, kLongest = 1e6;
  const char* const text = std::getenv("APSP_SILENCE_SECONDS");
  if (text == nullptr) return Seconds(kUsual);
  char* end = nullptr;
  const double seconds = std::strtod(text, &end);
  if (end == text || !(seconds >= 0)) return Seconds(kUsual);
  return Seconds(std::min(seconds, kLongest));
}

}  // namespace apsp::cluster
