// Strict devices have no products by the names of operations.
#include <apsp/error.hpp>

#include "kernels/cuda/compiled_product.hpp"

namespace apsp::kernels::cuda {

void multiply_add_compiled(const SemiringExpressions&, const CompiledProduct&) {
  throw Error(ErrorKind::device, "strict devices compile nothing");
}

}  // namespace apsp::kernels::cuda
