#include "kernels/cuda/expressions.hpp"

#include <fmt/format.h>

#include <span>

#include <device_product_source.hpp>  // generated (src/kernels/CMakeLists.txt)
#include "base/refusal.hpp"

namespace apsp::kernels::cuda {
namespace {

enum class Over { numbers, bits };

struct Expression {
  std::string_view name;
  Over over;
  std::string_view code;
  std::string_view of_float;  // for f32, if it has an instruction; empty: `code`
};

constexpr Expression kPlus[] = {
    {"min", Over::numbers, "a < b ? a : b", "fminf(a, b)"},
    {"max", Over::numbers, "a > b ? a : b", "fmaxf(a, b)"},
    {"+", Over::numbers, "a + b", ""},
    {"or", Over::bits, "a | b", ""},
};
constexpr Expression kTimes[] = {
    {"+", Over::numbers, "a + b", ""},
    {"-", Over::numbers, "a - b", ""},
    {"*", Over::numbers, "a * b", ""},
    {"min", Over::numbers, "a < b ? a : b", "fminf(a, b)"},
    {"max", Over::numbers, "a > b ? a : b", "fmaxf(a, b)"},
    {"and", Over::bits, "a & b", ""},
};

std::string_view type_in_cuda(ValueType type) {
  switch (type) {
    case ValueType::f64:
      return "double";
    case ValueType::i32:
      return "int";
    case ValueType::u16:
      return "unsigned short";
    case ValueType::boolean:
      return "unsigned char";
    default:
      return "float";
  }
}

bool holds(ValueType type, Over over) {
  if (over == Over::numbers) return type != ValueType::boolean;
  return type != ValueType::f32 && type != ValueType::f64;
}

std::string_view code_of(std::span<const Expression> all, const char* symbol,
                         std::string_view wanted, ValueType type) {
  std::string names;
  for (const Expression& each : all) {
    if (each.name != wanted) {
      names.append(names.empty() ? "" : ", ").append(each.name);
      continue;
    }
    refuse_if(!holds(type, each.over), "{} '{}' does not go with values of type {}", symbol, wanted,
              name(type));
    return type == ValueType::f32 && !each.of_float.empty() ? each.of_float : each.code;
  }
  throw usage_error("there is no {} '{}'; known: {}", symbol, wanted, names);
}

}  // namespace

std::string expression_source(const SemiringExpressions& semiring, ValueType type) {
  const std::string_view plus = code_of(kPlus, "⊕", semiring.plus, type);
  const std::string_view times = code_of(kTimes, "⊗", semiring.times, type);
  constexpr const char* kSemiring = R"cuda(
struct Chosen {{
  using Value = {0};
  static __device__ Value plus(Value a, Value b) {{ return static_cast<Value>({1}); }}
  static __device__ Value times(Value a, Value b) {{ return static_cast<Value>({2}); }}
}};
using ChosenShape = apsp::device::Shape<int{{sizeof({0})}}>;
extern "C" __global__ void __launch_bounds__(ChosenShape::kThreads, ChosenShape::kBlocks)
    {3}(const __grid_constant__ apsp::device::Product<{0}> product) {{
  apsp::device::multiply_add_block<Chosen>(product);
}}
)cuda";
  return kDeviceProductSource +
         fmt::format(fmt::runtime(kSemiring), type_in_cuda(type), plus, times, kExpressionKernel);
}

}  // namespace apsp::kernels::cuda
