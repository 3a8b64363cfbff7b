#include "cli/failure.hpp"

#include "cli/exit_code.hpp"
#include "support/test.hpp"

namespace apsp::cli::failure_test {
namespace {

TEST(ExitCode, IsWhatTheDocumentationPromises) {
  EXPECT_EQ(exit_kind(ErrorKind::usage).code, 2);
  EXPECT_EQ(exit_kind(ErrorKind::input).code, 3);
  EXPECT_EQ(exit_kind(ErrorKind::negative_cycle).code, 4);
  EXPECT_EQ(exit_kind(ErrorKind::does_not_fit).code, 5);
  EXPECT_EQ(exit_kind(ErrorKind::input_output).code, 6);
  EXPECT_EQ(exit_kind(ErrorKind::device).code, 7);
  EXPECT_EQ(exit_kind(ErrorKind::interrupted).code, 8);
}

TEST(Guarded, TurnsEveryExceptionIntoAnExitCode) {
  const Context context({});
  EXPECT_EQ(guarded(context, [] { return 1; }), 1);
  EXPECT_EQ(guarded(context, []() -> int { throw Error(ErrorKind::device, "no GPU"); }), 7);
  EXPECT_EQ(guarded(context, []() -> int { throw std::bad_alloc(); }), 5);
  EXPECT_EQ(guarded(context,
                    []() -> int {
                      throw std::system_error(std::make_error_code(std::errc::no_space_on_device));
                    }),
            6);
  EXPECT_EQ(guarded(context, []() -> int { throw std::logic_error("oops"); }), 70);
}

TEST(ShellCommand, QuotesWhatAShellWouldTakeApart) {
  EXPECT_EQ(shell_command({}), "apsp");
  EXPECT_EQ(shell_command({"solve", "a.mtx", "-o", "b.zarr"}), "apsp solve a.mtx -o b.zarr");
  EXPECT_EQ(shell_command({"path", "New York", "O'Hare", ""}),
            "apsp path 'New York' 'O'\\''Hare' ''");
}

}  // namespace
}  // namespace apsp::cli::failure_test
