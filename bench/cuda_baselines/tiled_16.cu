#include "tiled.cuh"

namespace apsp::baselines {

template <class T>
void solve_tiled_16(T* matrix, std::int64_t side, const Mark& mark) {
  solve_tiled<T, 16>(matrix, side, mark);
}

template void solve_tiled_16<float>(float*, std::int64_t, const Mark&);
template void solve_tiled_16<std::int32_t>(std::int32_t*, std::int64_t, const Mark&);

}  // namespace apsp::baselines
