// The sources of ⊕ and ⊗ by name, and their compilation if NVRTC is installed; no GPU is needed.
#include "kernels/cuda/expressions.hpp"

#include "kernels/cuda/compiled_product.hpp"
#include "kernels/cuda/runtime_compiler.hpp"
#include "support/test.hpp"

namespace apsp::kernels::cuda::expressions_test {
namespace {

TEST(Expressions, AreTheSourceOfAKernel) {
  const std::string source = expression_source({"max", "*"}, ValueType::f32);
  EXPECT_THAT(source, HasSubstr("struct Multiplier"));
  EXPECT_THAT(source, HasSubstr("using Value = float;"));
  EXPECT_THAT(source, HasSubstr("fmaxf(a, b)"));
  EXPECT_THAT(source, HasSubstr("a * b"));
  EXPECT_THAT(source, HasSubstr(kExpressionKernel));
}

TEST(Expressions, UnknownNamesAndTypesAreRefused) {
  const std::tuple<SemiringExpressions, ValueType, const char*> refused[] = {
      {{"least", "+"}, ValueType::f32, "there is no ⊕ 'least'; known: min, max, +, or"},
      {{"min", "/"}, ValueType::f32, "there is no ⊗ '/'; known: +, -, *, min, max, and"},
      {{"or", "and"}, ValueType::f32, "⊕ 'or' does not go with values of type f32"},
      {{"or", "+"}, ValueType::boolean, "⊗ '+' does not go with values of type bool"}};
  for (const auto& [semiring, type, words] : refused) {
    const Error error = error_of([&] { expression_source(semiring, type); });
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.what(), HasSubstr(words));
  }
}

TEST(Expressions, AWrongNameIsToldBeforeAMissingGpu) {
  EXPECT_EQ(error_of([] { multiply_add_compiled({"least", "+"}, {}); }).kind(), ErrorKind::usage);
}

TEST(RuntimeCompiler, MakesMachineCodeOfEveryTypeAndOperation) {
  if (!has_runtime_compiler()) GTEST_SKIP() << "NVRTC is not installed";
  const auto compiled = [](const SemiringExpressions& semiring, ValueType type, int capability) {
    return compile_for_device(expression_source(semiring, type), capability).substr(1, 3);
  };
  for (const ValueType type : all_value_types()) {
    const bool bits = type == ValueType::boolean;
    EXPECT_EQ(compiled({bits ? "or" : "min", bits ? "and" : "+"}, type, 90), "ELF");
  }
  EXPECT_EQ(compiled({"max", "-"}, ValueType::f32, 80), "ELF");
  EXPECT_EQ(compiled({"+", "*"}, ValueType::f32, 90), "ELF");
  EXPECT_EQ(compiled({"max", "min"}, ValueType::i32, 90), "ELF");
  EXPECT_EQ(compiled({"min", "max"}, ValueType::f64, 90), "ELF");
}

TEST(RuntimeCompiler, SaysWhatDoesNotCompile) {
  if (!has_runtime_compiler()) GTEST_SKIP() << "NVRTC is not installed";
  const Error error = error_of([] { compile_for_device("no CUDA at all;", 90); });
  EXPECT_EQ(error.kind(), ErrorKind::device);
}

}  // namespace
}  // namespace apsp::kernels::cuda::expressions_test
