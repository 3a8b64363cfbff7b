#include "cli/context.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/json.hpp"
#include "cli/interruption.hpp"
#include "cli/memory_use.hpp"
#include "io/output_file.hpp"

namespace apsp::cli {
namespace {

void fail_output(int reason) {
  std::clearerr(stdout);
  if (reason == EPIPE) return;
  throw Error(ErrorKind::input_output,
              fmt::format("standard output: {}", std::strerror(reason == 0 ? EIO : reason)));
}

void write_out(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail_output(errno);
}

}  // namespace

Context::Context(std::vector<std::string> words)
    : words_(std::move(words)),
      out_(look_of(STDOUT_FILENO)),
      err_(look_of(STDERR_FILENO)),
      bar_(stderr, err_) {}

Control Context::control() { return {quiet || silent() ? nullptr : &bar_, &cancellation()}; }

void Context::print(std::string_view text) const {
  if (!json && !silent()) write_out(text);
}

void Context::print_json(const nlohmann::json& content) const {
  if (!json || silent()) return;
  nlohmann::json object = content;
  reword_remarks(object);
  object["schema_version"] = 1;
  object["command"] = verb;
  // Only on request, because memory differs from run to run.
  if (gave("--memory") || gave("--plan")) {
    if (nlohmann::json memory = memory_json(); !memory.is_null()) object["memory"] = memory;
  }
  write_out(json_text(object) + "\n");
}

void Context::note(std::string_view line) const {
  if (quiet || silent()) return;
  flush();  // keeps the order of results and notes on a terminal
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fputc('\n', stderr);
}

void Context::flush() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) fail_output(errno);
}

void Context::let_write(const std::function<void()>& write) {
  flush();
  try {
    write();
  } catch (const io::ReaderGone&) {
  }
}

void Context::keep(const std::string& path) {
  const std::lock_guard lock(keeping_);
  kept_.push_back(path);
}

std::vector<std::string> Context::kept() const {
  const std::lock_guard lock(keeping_);
  return kept_;
}

std::optional<std::string> Context::value_of(std::string_view option) const {
  const auto found = std::find_if(given.rbegin(), given.rend(), [&](const Arguments::Given& one) {
    return one.front() == option;
  });
  if (found == given.rend()) return std::nullopt;
  return found->size() > 1 ? (*found)[1] : std::string();
}

io::ListReading list_reading(Context& context, io::Remarks* remarks) {
  return {context.control(), remarks, context.value_of("--encoding").value_or("")};
}

void Context::refuse_idle(std::span<const IdleOption> options) const {
  for (const IdleOption& one : options) {
    refuse_if(one.idle && gave(one.option), "{} {}", one.option, one.why);
  }
}

void Context::refuse_others(const std::set<std::string>& used, const std::string& why) const {
  for (const Arguments::Given& one : given) {
    const std::string& option = one.front();
    if (option == "--json" || option == "--quiet" || option == "--verbose") continue;
    refuse_if(!used.contains(option), "{} {}", option, why);
  }
}

std::string json_text(const nlohmann::json& object) {
  return base::json_text(object, 2, base::BadBytes::replaced);
}

}  // namespace apsp::cli
