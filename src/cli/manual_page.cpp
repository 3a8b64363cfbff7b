// Manual pages, from what the help is made of.
#include <fmt/format.h>

#include <string_view>

#include "calibration/machine_report.hpp"
#include "cli/help_pages.hpp"

namespace apsp::cli {
namespace {

/// Text as roff shows it: hyphens as they are, no line that looks like a request.
std::string roff(std::string_view text) {
  std::string result;
  bool begins = true;
  for (const char letter : text) {
    if (begins && (letter == '.' || letter == '\'')) result += "\\&";
    if (letter == '\\') {
      result += "\\e";
    } else if (letter == '-') {
      result += "\\-";
    } else {
      result += letter;
    }
    begins = letter == '\n';
  }
  return result;
}

std::string title(const std::string& name) {
  std::string upper;
  for (const char letter : name) {
    upper += letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  }
  return fmt::format(".TH {} 1 \"\" \"apsp {}\" \"apsp manual\"\n", roff(upper),
                     calibration::version());
}

/// Lines as they are.
std::string as_they_are(std::string_view lines) {
  return ".PP\n.nf\n" + roff(lines) + (lines.ends_with('\n') ? "" : "\n") + ".fi\n";
}

std::string option_entry(const Arguments::Option& option) {
  std::string names = option.names;
  if (const std::size_t comma = names.find(','); comma != std::string::npos) {
    names.replace(comma, 1, ", ");
  }
  std::string line = ".TP\n\\fB" + roff(names) + "\\fR";
  if (!option.placeholder.empty()) line += " \\fI" + roff(option.placeholder) + "\\fR";
  return line + "\n" + roff(option.about) + "\n";
}

}  // namespace

std::string manual_page(const VerbHelp& verb) {
  const std::string name = "apsp-" + verb.entry->name();
  std::string text = title(name);
  text += ".SH NAME\n" + roff(name) + " \\- " + roff(verb.entry->brief) + "\n";
  text += ".SH SYNOPSIS\n\\fB" + roff(verb.arguments->usage()) + "\\fR\n";
  text += ".SH DESCRIPTION\n" + roff(verb.arguments->about()) + "\n";
  for (const Arguments::Positional& positional : verb.arguments->positionals()) {
    text += ".TP\n\\fI" + roff(positional.name) + "\\fR\n" + roff(positional.about) + "\n";
  }
  text += ".SH OPTIONS\n";
  std::string section;
  for (const Arguments::Option& option : verb.arguments->options()) {
    if (option.section != section) text += ".SS \"" + roff(option.section) + "\"\n";
    section = option.section;
    text += option_entry(option);
  }
  text += ".SH EXAMPLES\n";
  for (const std::string& example : verb.arguments->examples()) text += as_they_are(example);
  return text + ".SH SEE ALSO\n\\fBapsp\\fR(1)\n";
}

std::string overview_page(const std::string& text) {
  return title("apsp") + ".SH NAME\napsp \\- all\\-pairs shortest paths\n" +
         ".SH SYNOPSIS\n\\fBapsp\\fR \\fIVERB\\fR [\\fIarguments\\fR] [\\fIoptions\\fR]\n" +
         ".SH DESCRIPTION\n" + as_they_are(text) +
         ".PP\nEach verb has a page of its own, such as \\fBapsp\\-solve\\fR(1).\n";
}

}  // namespace apsp::cli
