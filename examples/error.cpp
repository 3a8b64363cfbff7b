// <apsp/error.hpp>: everything that goes wrong arrives as an apsp::Error that says what and where.
#include <apsp/error.hpp>
#include <apsp/io.hpp>
#include <apsp/solve.hpp>

#include <iostream>
#include <string>

int main() {
  bool right = true;
  try {
    const std::string text = "p sp 2 1\na 1 two 5\n";  // a DIMACS file with a word for a number
    apsp::parse_graph(text, "broken.gr");
    right = false;
  } catch (const apsp::Error& error) {
    std::cout << error.what() << '\n';
    right = right && error.kind() == apsp::ErrorKind::input && error.location().line == 2;
  }
  try {
    apsp::GraphBuilder builder(2);
    builder.add_edge(0, 1, 3);
    builder.add_edge(1, 0, -5);  // around both: −2, again and again
    apsp::solve(std::move(builder).build());
    right = false;
  } catch (const apsp::Error& error) {
    std::cout << error.what() << '\n';
    right = right && error.kind() == apsp::ErrorKind::negative_cycle &&
            error.cycle().vertices.size() == 2 && error.cycle().weight == -2;
  }
  return right ? 0 : 1;
}
