#include "cli/late_end.hpp"

#include <unistd.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <charconv>
#include <chrono>
#include <fstream>
#include <set>
#include <thread>

#include "cli/exit_code.hpp"
#include "cli/interruption.hpp"
#include "store/leftovers.hpp"
#include "system/file_lock.hpp"

namespace apsp::cli {
namespace {

void put_list(std::vector<std::string>& words, const std::vector<std::string>& list) {
  words.push_back(std::to_string(list.size()));
  words.insert(words.end(), list.begin(), list.end());
}

std::optional<std::vector<std::string>> take_list(std::span<const std::string>& words) {
  if (words.empty()) return std::nullopt;
  const std::string& number = words.front();
  std::size_t count = 0;
  const auto [end, failure] = std::from_chars(number.data(), number.data() + number.size(), count);
  const bool is_number = failure == std::errc() && end == number.data() + number.size();
  if (!is_number || count >= words.size()) return std::nullopt;
  const auto list = words.subspan(1, count);
  words = words.subspan(1 + count);
  return std::vector<std::string>(list.begin(), list.end());
}

/// Removes unfinished files of the run. A child process (system/child_process.hpp) may hold the
/// lock until the system has ended it.
std::vector<store::Leftover> clean(const std::string& output) {
  constexpr int kMostTimes = 100;
  for (int times = 0;; ++times) {
    std::vector<store::Leftover> left =
        store::clean_leftovers(store::posix_file_system(), output, store::Resumables::spared);
    const bool held = std::ranges::any_of(
        left, [](const store::Leftover& one) { return one.fate == store::Fate::in_use; });
    if (!held || times == kMostTimes) return left;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

/// The words before the program's own: its name, or an interpreter and what it runs.
std::vector<std::string> leading_words(std::size_t own) {
  std::ifstream file("/proc/self/cmdline");
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  if (words.size() <= own) return {"apsp"};
  words.resize(words.size() - own);
  return words;
}

}  // namespace

std::vector<std::string> LateEnd::as_words() const {
  std::vector<std::string> all = {std::string(kAfterLateEnd)};
  put_list(all, kept);
  put_list(all, claims);
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

std::optional<LateEnd> LateEnd::of(std::span<const std::string> words) {
  if (words.empty() || words.front() != kAfterLateEnd) return std::nullopt;
  words = words.subspan(1);
  const auto kept = take_list(words);
  const auto claims = kept ? take_list(words) : std::nullopt;
  if (!claims) return std::nullopt;
  return LateEnd{*kept, *claims, {words.begin(), words.end()}};
}

void end_late(const Context& context) {
  std::vector<std::string> words = leading_words(context.words().size());
  for (std::string& word :
       LateEnd{context.kept(), system::held_claims(), context.words()}.as_words()) {
    words.push_back(std::move(word));
  }
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  release_signals();
  ::execv("/proc/self/exe", pointers.data());
  _exit(kExitInterrupted);  // without /proc; the next run cleans up
}

void clean_after(const LateEnd& end, Context& context) {
  for (const std::string& file : end.kept) context.keep(file);
  std::set<std::string> outputs;
  for (const std::string& claim : end.claims) outputs.insert(store::output_of(claim));
  for (const std::string& output : outputs) {
    try {
      for (const store::Leftover& left : clean(output)) {
        if (left.fate != store::Fate::resumable || context.verb != "solve") continue;
        context.unfinished = {context.value_of("--output").value_or(output), left.done, left.all,
                              left.unit};
      }
    } catch (const Error&) {
    }
  }
}

}  // namespace apsp::cli
