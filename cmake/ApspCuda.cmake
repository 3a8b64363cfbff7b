# The CUDA toolkit, wherever it is; the kernels are compiled with it, GPU or not. Without one the
# library is built without its CUDA engine, and says so.
#
# APSP_CUDA: AUTO (the engine if there is a toolkit), ON (it must be there), OFF.

set(APSP_CUDA AUTO CACHE STRING "CUDA engine: AUTO, ON or OFF")
set_property(CACHE APSP_CUDA PROPERTY STRINGS AUTO ON OFF)
set(APSP_WITH_CUDA FALSE)
if(NOT APSP_CUDA STREQUAL "OFF" AND NOT APSP_SANITIZE)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    # Machine code for 8.0 and 9.0; what comes later is compiled from the latter when it starts.
    set(CMAKE_CUDA_ARCHITECTURES 80-real 90)
  endif()
  find_program(APSP_NVCC nvcc HINTS ENV CUDACXX PATHS /usr/local/cuda/bin)
  if(APSP_NVCC AND NOT CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_COMPILER ${APSP_NVCC})
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc has it
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
    endif()
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    find_package(CUDAToolkit QUIET)
    set(APSP_WITH_CUDA ${CUDAToolkit_FOUND})
  endif()
  if(NOT APSP_WITH_CUDA AND APSP_CUDA STREQUAL "ON")
    message(FATAL_ERROR "APSP_CUDA is ON and no CUDA toolkit was found: install one (nvcc on the "
                        "PATH or in /usr/local/cuda), or name it with -DCMAKE_CUDA_COMPILER=")
  endif()
endif()
if(APSP_WITH_CUDA)
  message(STATUS "CUDA engine: toolkit ${CUDAToolkit_VERSION}, for ${CMAKE_CUDA_ARCHITECTURES}")
else()
  message(STATUS "CUDA engine: none (a CUDA toolkit would be found by nvcc on the PATH)")
endif()
