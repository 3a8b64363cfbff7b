# The CUDA engine: which kernels are compiled, and for which GPUs. A library without
# them looks for libapsp_cuda.so when it is asked for a GPU.
#
# APSP_CUDA: AUTO (the kernels where a GPU and a toolkit are), TOOLKIT (where a toolkit is: the tests'
# build), ON (a toolkit must be there), APART (the same, but in libapsp_cuda.so), OFF.

set(APSP_CUDA AUTO CACHE STRING "CUDA engine: AUTO (where a GPU is), TOOLKIT (where nvcc is), ON, APART (libapsp_cuda.so) or OFF")
set_property(CACHE APSP_CUDA PROPERTY STRINGS AUTO TOOLKIT ON APART OFF)
set(APSP_CUDA_FOLDER ${CMAKE_INSTALL_LIBDIR} CACHE STRING "Where libapsp_cuda.so is installed")
mark_as_advanced(APSP_CUDA_FOLDER)

# Sets `capabilities` to the compute capability of every GPU of this machine, such as 9.0.
function(apsp_find_gpus capabilities)
  set(found "")
  find_program(APSP_NVIDIA_SMI nvidia-smi)
  mark_as_advanced(APSP_NVIDIA_SMI)
  if(APSP_NVIDIA_SMI)
    execute_process(COMMAND ${APSP_NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
                    OUTPUT_VARIABLE lines RESULT_VARIABLE failed ERROR_QUIET)
    if(NOT failed AND lines MATCHES "^[0-9.\n]+$")
      string(REGEX MATCHALL "[0-9.]+" found "${lines}")
    endif()
  endif()
  set(${capabilities} ${found} PARENT_SCOPE)
endfunction()

# Machine code for what these GPUs run; without one, for 8.0 and 9.0. The code for 9.0 is kept as PTX
# too, so that later GPUs run it. The tests' build on a machine without a GPU only sees that kernels
# compile: PTX that is not optimised takes a seventh of the time.
function(apsp_choose_architectures result)
  if(APSP_CUDA STREQUAL "TOOLKIT" AND NOT ARGN)
    set(${result} 90-virtual PARENT_SCOPE)
    return()
  endif()
  set(chosen "")
  foreach(gpu IN LISTS ARGN)
    if(gpu VERSION_LESS 9.0)
      list(APPEND chosen 80-real)
    else()
      list(APPEND chosen 90)
    endif()
  endforeach()
  list(REMOVE_DUPLICATES chosen)
  if(NOT chosen)
    set(chosen 80-real 90)
  endif()
  set(${result} ${chosen} PARENT_SCOPE)
endfunction()

# Sets `group` to its files or, with APSP_UNITY, to one that includes them: of the time of a small file
# nvcc takes two thirds whatever it holds. CMake does this by itself for C++ alone. The names in the
# unnamed namespaces of a group must differ.
function(apsp_cuda_group group)
  set(${group} ${ARGN} PARENT_SCOPE)
  if(APSP_UNITY)
    list(TRANSFORM ARGN REPLACE "(.+)" "#include \"${CMAKE_CURRENT_SOURCE_DIR}/\\1\"\n" OUTPUT_VARIABLE lines)
    list(JOIN lines "" content)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/generated/${group}.cu)
    file(CONFIGURE OUTPUT ${file} CONTENT "${content}" @ONLY)
    set(${group} ${file} PARENT_SCOPE)
  endif()
endfunction()

set(APSP_WITH_CUDA FALSE)   # in the library
set(APSP_CUDA_APART FALSE)  # in a library of their own
set(apsp_cuda_reason "APSP_CUDA is OFF")
set(apsp_cuda_extent "")
apsp_find_gpus(apsp_gpus)
if(APSP_SANITIZE)
  set(apsp_cuda_reason "sanitizers do not watch it")
elseif(APSP_CUDA STREQUAL "AUTO" AND NOT apsp_gpus)
  set(apsp_cuda_reason "no GPU here: cmake -DAPSP_CUDA=ON build/release && make build adds its kernels")
elseif(NOT APSP_CUDA STREQUAL "OFF")
  set(apsp_cuda_reason "no CUDA toolkit; nvcc on the PATH would be found")
  find_program(APSP_NVCC nvcc HINTS ENV CUDACXX PATHS /usr/local/cuda/bin)
  if(APSP_NVCC AND NOT CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_COMPILER ${APSP_NVCC})
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    apsp_choose_architectures(CMAKE_CUDA_ARCHITECTURES ${apsp_gpus})
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    # Of the host's part, which only launches; kernels are optimised as ever.
    string(REPLACE "-O3" "-O1" CMAKE_CUDA_FLAGS_RELEASE "${CMAKE_CUDA_FLAGS_RELEASE}")
    if(APSP_CUDA STREQUAL "TOOLKIT" AND NOT apsp_gpus)
      string(APPEND CMAKE_CUDA_FLAGS " -Xcicc -O0")
      set(apsp_cuda_extent ", not optimised: there is no GPU to run it")
    endif()
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc has it
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
    endif()
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    find_package(CUDAToolkit QUIET)
    set(APSP_WITH_CUDA ${CUDAToolkit_FOUND})
  endif()
  if(NOT APSP_WITH_CUDA AND APSP_CUDA MATCHES "^(ON|APART)$")
    message(FATAL_ERROR "APSP_CUDA is ${APSP_CUDA} and no CUDA toolkit was found: install one (nvcc on the "
                        "PATH or in /usr/local/cuda), or name it with -DCMAKE_CUDA_COMPILER=")
  endif()
  if(APSP_CUDA STREQUAL "APART")
    set(APSP_CUDA_APART TRUE)
    set(APSP_WITH_CUDA FALSE)
  endif()
endif()
if(APSP_WITH_CUDA OR APSP_CUDA_APART)
  message(STATUS "CUDA engine: toolkit ${CUDAToolkit_VERSION}, for ${CMAKE_CUDA_ARCHITECTURES}${apsp_cuda_extent}")
else()
  message(STATUS "CUDA engine: none (${apsp_cuda_reason})")
endif()
