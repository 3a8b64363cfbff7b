// The `apsp` program.
#include "cli/application.hpp"

int main(int count, char** words) {
  return apsp::cli::run({words + (count > 0 ? 1 : 0), words + count});
}
