#include "engine/run.hpp"

#include "engine/device_run.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "places/device_closure.hpp"
#include "places/one_memory.hpp"
#include "places/own_memory.hpp"
#include "places/transitive_closure.hpp"

namespace apsp::engine {
namespace {

places::TiledMatrix values_of(const planner::Plan& plan, const Planes& planes) {
  return {planes.values, size_of(plan.type), plan.tile};
}

/// No data: not tracked.
places::TiledMatrix via_of(const planner::Plan& plan, const Planes& planes) {
  if (planes.via.data == nullptr) return {};
  return {planes.via, sizeof(std::int32_t), plan.tile};
}

void solve_on_host(const planner::Plan& plan, const Planes& planes, const Control& control) {
  const Semiring semiring = plan.kernel_semiring();
  std::optional<places::Witness> witness;
  if (planes.via.data != nullptr) {
    witness = {via_of(plan, planes),
               kernels::cpu::witness_operations(semiring, plan.type, plan.sign)};
  }
  places::OneMemory(values_of(plan, planes), plan.shape,
                    kernels::cpu::operations(semiring, plan.type, plan.sign), plan.cycles,
                    plan.threads, control, witness)
      .run();
}

void close_on_host(const planner::Plan& plan, kernels::View reach, const Control& control,
                   const Graph* arcs) {
  if (arcs == nullptr) return places::transitive_closure(reach, plan.threads, control);
  places::transitive_closure(*arcs, reach, plan.threads, control);
}

double solve_on_devices(const OpenDevices& devices, const planner::Plan& plan, const Planes& planes,
                        const Control& control) {
  DeviceSolve claimed(devices, *plan.on_device, values_of(plan, planes), plan.cycles, control,
                      via_of(plan, planes));
  return claimed.run();
}

double close_on_devices(const OpenDevices& devices, const planner::Plan& plan, kernels::View reach,
                        const Control& control, const Graph* arcs) {
  if (arcs == nullptr) return places::device_closure(devices, reach, plan.threads, control);
  return places::device_closure(devices, *arcs, reach, plan.threads, control);
}

}  // namespace

std::optional<DeviceReport> run(const planner::Plan& plan, const Planes& planes,
                                const Control& control, const Graph* arcs) {
  if (!plan.on_device) {
    plan.in_bits() ? close_on_host(plan, planes.values, control, arcs)
                   : solve_on_host(plan, planes, control);
    return std::nullopt;
  }
  return with_devices(*plan.on_device, [&](const OpenDevices& devices) {
    return plan.in_bits() ? close_on_devices(devices, plan, planes.values, control, arcs)
                          : solve_on_devices(devices, plan, planes, control);
  });
}

void run(const planner::OwnPlan& plan, const detail::OwnKernels& kernels, kernels::View matrix,
         const Control& control) {
  places::OwnMemory({matrix, kernels.value_size, plan.tile}, kernels, plan.threads, control).run();
}

}  // namespace apsp::engine
