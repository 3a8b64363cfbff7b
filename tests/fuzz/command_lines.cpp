#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "cli/application.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/choices.hpp"
#include "fuzz/held_folder.hpp"
#include "fuzz/report.hpp"

namespace apsp::fuzz {
namespace {

using Words = std::vector<std::string>;

Words split(const std::string& text) {
  std::istringstream in(text);
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// Lines that succeed. Of verbs that solve or look, not of those that measure the machine.
const std::vector<Words>& lines() {
  static const std::vector<Words> all = [] {
    std::vector<Words> split_lines;
    for (const char* const line :
         {"solve g.txt", "solve g.txt -o o.zarr", "plan g.txt", "path small.zarr 0 1",
          "distance small.zarr 0 1", "nearest g.txt --to 0,1", "access g.txt --within 7",
          "stats small.zarr", "report small.zarr -o o.html", "verify small.zarr g.txt",
          "update small.zarr changes.csv -o o.zarr", "update factor.zarr changes.csv",
          "convert g.txt o.csv", "generate grid o.csv --vertices 7", "clean o.zarr",
          "betweenness g.txt", "closure g.txt", "info", "completion bash"}) {
      split_lines.push_back(split(line));
    }
    return split_lines;
  }();
  return all;
}

/// Values at which code tends to break, files, and names. Last comes the empty word.
const Words& values() {
  static const Words all = [] {
    Words words = split(
        "0 1 2 3 7 -1 0,1 0,0 1:3 3:1 2x1 1e400 nan inf 0.5 9223372036854775807 "
        "18446744073709551616 4KiB 1GiB -5GiB auto g.txt small.zarr small.npy factor.zarr "
        "pairs.csv changes.csv at.csv none.txt o.zarr o.npy o.csv o.html . @pairs.csv johnson "
        "floyd-warshall nested-dissection bfs boundary min-plus max-min max-plus or-and f32 f64 "
        "i32 u16 cpu cuda cuda:7 factor matrix grid path star -- = - sole help");
    words.emplace_back();
    return words;
  }();
  return all;
}

/// A folder with a graph and results of it, in which all runs take place; each finds it as it was.
void enter_folder() {
  static HeldFolder folder;
  static const Files files = [] {
    setenv("APSP_MEASURE", "never", 1);
    setenv("APSP_CACHE_DIR", folder.path().c_str(), 1);
    std::filesystem::current_path(folder.path());
    write_bytes("g.txt", "0 1 4\n1 2 3\n2 0 1\n0 3 9\n");
    write_bytes("pairs.csv", "0,1\n2,3\n");
    write_bytes("changes.csv", "0,1,5\n");
    write_bytes("at.csv", "0,8.1,47.2\n1,8.2,47.3\n2,8.3,47.1\n3,8.4,47.4\n");
    for (const char* const result : {"small.zarr", "small.npy", "factor.zarr --keep factor"}) {
      cli::run(split(std::string("solve g.txt --directed --quiet -o ") + result));
    }
    return folder.contents();
  }();
  folder.hold(files);
  std::filesystem::current_path(folder.path());
}

/// What is printed while this lives goes to a file, what is complained about nowhere.
class Redirected {
 public:
  explicit Redirected(int file) {
    flush();
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) kept_[stream - 1] = dup(stream);
    dup2(file, STDOUT_FILENO);
    dup2(nothing_, STDERR_FILENO);
  }
  ~Redirected() {
    flush();
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
      dup2(kept_[stream - 1], stream);
      close(kept_[stream - 1]);
    }
    close(nothing_);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  static void flush() {
    std::cout.flush();
    std::fflush(nullptr);
  }
  int nothing_ = open("/dev/null", O_WRONLY), kept_[2] = {-1, -1};
};

/// All that the help of a verb names, but what measures the machine.
Words options_of(const std::string& verb) {
  std::FILE* const file = std::tmpfile();
  if (file == nullptr) report("no temporary file");
  {
    const Redirected here(fileno(file));
    cli::run({verb, "--help"});
  }
  std::string help(static_cast<std::size_t>(lseek(fileno(file), 0, SEEK_END)), ' ');
  if (pread(fileno(file), help.data(), help.size(), 0) < 0) report("the help cannot be read");
  std::fclose(file);
  Words options;
  std::istringstream in(help);
  for (std::string line; std::getline(in, line);) {
    for (std::string& word : split(line)) {
      if (word.size() < 2 || word[0] != '-') break;
      if (word.back() == ',') word.pop_back();
      if (word != "--measure") options.push_back(word);
    }
  }
  return options;
}

/// Of each line.
const std::vector<Words>& options() {
  static const std::vector<Words> all = [] {
    std::vector<Words> of_lines;
    for (const Words& line : lines()) of_lines.push_back(options_of(line[0]));
    return of_lines;
  }();
  return all;
}

Words words_of(Choices& choices) {
  const std::size_t line = choices.below(lines().size());
  Words words = lines()[line];
  if (choices.below(8) == 0) words.resize(1);
  const auto one_of = [&](const Words& all) {
    return all.empty() ? std::string() : all[choices.below(all.size())];
  };
  while (!choices.empty() && words.size() < 24) {
    const std::size_t how = choices.below(16);
    if (how < 7) {
      words.push_back(one_of(options()[line]));
    } else if (how < 13) {
      words.push_back(one_of(values()));
    } else if (how == 13) {
      words.back() += "=" + one_of(values());
    } else if (how == 14) {
      words.push_back(one_of(options()[choices.below(options().size())]));
    } else {
      std::string text = choices.text(1 + choices.below(12));
      // Words come without zeros, and nothing leaves the folder.
      std::erase_if(text, [](char c) { return c == '\0' || c == '/'; });
      // A graph of a million vertices takes seconds.
      if (text.find_first_not_of("0123456789") == text.npos && text.size() > 4) text.resize(4);
      words.push_back(text);
    }
  }
  return words;
}

void check_line(const Words& words) {
  int code = 0;
  {
    static const int nothing = open("/dev/null", O_WRONLY);
    const Redirected away(nothing);
    enter_folder();
    code = cli::run(words);
  }
  if (code >= 0 && code <= 7) return;
  std::string line;
  for (const std::string& word : words) line += " '" + word + "'";
  report("exit " + std::to_string(code) + ":" + line);
}

}  // namespace

void check_arguments(const std::uint8_t* data, std::size_t size) {
  Choices choices(data, size);
  check_line(words_of(choices));
}

int check_each_option(int every) {
  int number = 0;
  for (std::size_t line = 0; line < lines().size(); ++line) {
    for (const std::string& option : options()[line]) {
      for (const std::string& value : values()) {
        if (number++ % every != 0) continue;
        Words words = lines()[line];
        words.insert(words.end(), {option, value});
        check_line(words);
      }
    }
  }
  return number;
}

}  // namespace apsp::fuzz
