// apsp clean: names and removes what killed runs left beside an output.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/leftovers_view.hpp"
#include "cli/table.hpp"
#include "cli/verb.hpp"

namespace apsp::cli {
namespace {

class Clean : public Verb {
 public:
  void declare(Arguments& arguments) override {
    arguments.positional("OUT", output_,
                         "what the killed run was to write; or a folder, for all outputs in it");
    arguments.section("Options");
    arguments.flag("--list", list_, "name what would be removed, and remove nothing");
  }

  int run(Session& session) override {
    store::FileSystem& files = store::posix_file_system();
    const std::vector<store::Leftover> leftovers =
        list_ ? store::find_leftovers(files, output_) : store::clean_leftovers(files, output_);
    session.print(text_of(leftovers, session.out()));
    if (session.json) {
      nlohmann::json all = nlohmann::json::array();
      for (const store::Leftover& leftover : leftovers) all.push_back(to_json(leftover, list_));
      session.print_json({{"output", output_}, {"leftovers", all}});
    }
    return kExitOk;
  }

 private:
  std::string text_of(const std::vector<store::Leftover>& leftovers, const Look& look) const {
    if (leftovers.empty()) return printable(output_) + ": nothing was left behind\n";
    constexpr std::size_t kWidest = 72;  // names with process numbers, and reasons
    Table table({Align::left, Align::right, Align::left, Align::left}, kWidest);
    for (const store::Leftover& leftover : leftovers) {
      table.row({printable(leftover.path), base::format_bytes(leftover.bytes),
                 fate_text(leftover.fate, list_), why_text(leftover, list_)});
    }
    return heading(look, printable(output_), "left by runs that were killed") + table.text(look);
  }

  std::string output_;
  bool list_ = false;
};

}  // namespace

VerbEntry clean_verb() {
  return {
      "clean",
      "clean OUT",
      "names and removes what killed runs left beside OUT",
      "Clean: a run that is killed leaves hidden partial files beside its output. Names and "
      "removes\nthem; what a living process writes, or what no lock tells about, is named and "
      "stays.\nThe next run that writes OUT does the same first, but keeps what can be resumed.",
      {"apsp clean flights.zarr                      beside this result",
       "apsp clean flights.zarr --list               what would be removed",
       "apsp clean results/                          all outputs of a folder"},
      [] { return std::unique_ptr<Verb>(std::make_unique<Clean>()); }};
}

}  // namespace apsp::cli
