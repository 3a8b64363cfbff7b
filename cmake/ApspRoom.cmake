# A room of the house is one static library with its unit tests beside it. The installed library is
# made of all rooms' objects.

add_library(apsp_options INTERFACE)
target_compile_options(apsp_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion>)
# What these two warn of is right in a file by itself, where dev builds look for it.
# g++ collects its garbage from 128 MB on, which costs files as large as these a tenth of their time:
# here from 1 GB on, for a quarter of one more.
if(APSP_UNITY)
  target_compile_options(apsp_options INTERFACE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage --param=ggc-min-heapsize=1000000>)
else()
  target_compile_options(apsp_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wshadow>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # Warns of std::string's own code (GCC bug 105651).
  target_compile_options(apsp_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
# Position-independent code must not keep calls from being inlined.
target_compile_options(apsp_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-fno-semantic-interposition>)
target_link_libraries(apsp_options INTERFACE OpenMP::OpenMP_CXX)
if(APSP_SANITIZE)
  target_compile_options(apsp_options INTERFACE -fsanitize=${APSP_SANITIZE}
                         -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(apsp_options INTERFACE -fsanitize=${APSP_SANITIZE})
endif()

# With APSP_COVERAGE the lines of a target are counted, and those of tests are not.
if(APSP_COVERAGE)
  add_link_options(--coverage)
endif()
function(apsp_counted target)
  if(APSP_COVERAGE)
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:--coverage;-fprofile-update=atomic;-O1>")
  endif()
endfunction()

# With APSP_UNITY the files of a target are compiled as one, so that each header is read once: the
# names in their unnamed namespaces must differ. A source with the property UNITY_GROUP is one with
# the others of that group; "apart" is a group of files that stay what they are. A target of more
# than `most` files, where that is given, is compiled as two, for the sake of a second processor.
function(apsp_compile_as_one target)
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources left)
  math(EXPR second "${left} / 2")
  if(NOT ARGC GREATER 1 OR left LESS_EQUAL "${ARGV1}")
    set(second 0)
  endif()
  set(rest rest)
  foreach(source ${sources})
    if(left EQUAL second)
      set(rest second)
    endif()
    math(EXPR left "${left} - 1")
    get_source_file_property(group ${source} UNITY_GROUP)
    if(NOT group)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${rest})
    elseif(group STREQUAL "apart")
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${APSP_UNITY} UNITY_BUILD_MODE GROUP)
endfunction()

# Sets `group` to its files or, with APSP_UNITY, to one that includes them. For what CMake does not
# compile as one by itself: files that have options of their own, which the group is then given, and
# kernels for GPUs, where nvcc takes two thirds of the time of a small file whatever it holds.
function(apsp_group group)
  set(${group} ${ARGN} PARENT_SCOPE)
  if(APSP_UNITY)
    list(GET ARGN 0 first)
    get_filename_component(suffix ${first} LAST_EXT)
    list(TRANSFORM ARGN REPLACE "(.+)" "#include \"${CMAKE_CURRENT_SOURCE_DIR}/\\1\"\n" OUTPUT_VARIABLE lines)
    list(JOIN lines "" content)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/generated/${group}${suffix})
    file(CONFIGURE OUTPUT ${file} CONTENT "${content}" @ONLY)
    set_source_files_properties(${file} PROPERTIES UNITY_GROUP apart)
    set(${group} ${file} PARENT_SCOPE)
  endif()
endfunction()

# How a Release build optimises what does not need -O3, and so takes less time to compile: files that
# choose and report and leave the work to others (in a wheel for size); `apsp_few_loops`, files in which
# few loops take long; `apsp_simple_loops`, files whose loops are simple.
set(apsp_vectors $<$<CXX_COMPILER_ID:GNU>:-ftree-vectorize> $<$<CXX_COMPILER_ID:GNU>:-fvect-cost-model=dynamic>)
set(apsp_reports -Og $<$<CXX_COMPILER_ID:GNU>:--param=early-inlining-insns=14>)
if(SKBUILD)
  set(apsp_reports -Os)
endif()
set(apsp_few_loops -O1 -fstrict-aliasing -finline-functions $<$<CXX_COMPILER_ID:GNU>:-finline-small-functions> ${apsp_vectors})
set(apsp_simple_loops -O2 ${apsp_vectors})
function(apsp_optimise target)
  target_compile_options(${target} PRIVATE
    "$<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:${ARGN}>")
endfunction()

# Files that Highway compiles once an instruction set. With APSP_CPU=NATIVE the best set of this
# processor is the only one, which takes two fifths of the time; the program then needs its like.
if(APSP_CPU STREQUAL "NATIVE")
  message(STATUS "CPU kernels: for this processor alone (APSP_CPU=NATIVE); make build compiles them for all")
elseif(NOT APSP_CPU STREQUAL "ALL")
  message(FATAL_ERROR "APSP_CPU is '${APSP_CPU}': choose ALL or NATIVE")
endif()
function(apsp_once_a_set)
  if(APSP_CPU STREQUAL "NATIVE")
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -march=native -DHWY_COMPILE_ONLY_STATIC)
  endif()
endfunction()

# apsp_room(NAME x SOURCES a.cpp... [ROOMS y...] [LIBRARIES lib...] [TESTS a_test.cpp...]
#           [TEST_LIBRARIES lib...] [TEST_SHARDS n] [OPTIMISED option...] [SEPARATE] [TESTS_UNOPTIMISED])
# SEPARATE: its files are long to compile, and are never compiled as one.
function(apsp_room)
  cmake_parse_arguments(ARG "SEPARATE;TESTS_UNOPTIMISED" "NAME;TEST_SHARDS"
                        "SOURCES;ROOMS;LIBRARIES;TESTS;TEST_LIBRARIES;OPTIMISED"
                        ${ARGN})
  add_library(apsp_${ARG_NAME} STATIC ${ARG_SOURCES})
  if(NOT ARG_SEPARATE)
    apsp_compile_as_one(apsp_${ARG_NAME})
  endif()
  if(ARG_OPTIMISED)
    apsp_optimise(apsp_${ARG_NAME} ${ARG_OPTIMISED})
  endif()
  target_include_directories(apsp_${ARG_NAME} PUBLIC ${PROJECT_SOURCE_DIR}/include
                             ${PROJECT_SOURCE_DIR}/src)
  apsp_counted(apsp_${ARG_NAME})
  list(TRANSFORM ARG_ROOMS PREPEND apsp_)
  target_link_libraries(apsp_${ARG_NAME} PUBLIC ${ARG_ROOMS} fmt::fmt PRIVATE apsp_options
                        ${ARG_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY APSP_ROOMS apsp_${ARG_NAME})
  set_property(GLOBAL APPEND PROPERTY APSP_ROOM_LIBRARIES ${ARG_LIBRARIES})
  if(APSP_BUILD_TESTS AND ARG_TESTS)
    if(ARG_TESTS_UNOPTIMISED)
      set(unoptimised UNOPTIMISED)
    endif()
    apsp_test(NAME ${ARG_NAME}_test ${unoptimised} SHARDS ${ARG_TEST_SHARDS} SOURCES ${ARG_TESTS}
              LIBRARIES apsp_${ARG_NAME} ${ARG_TEST_LIBRARIES})
  endif()
endfunction()

# The first target with a header and an optimisation compiles what all of them include, the others
# read that.
function(apsp_precompile target header level)
  set(precompiled APSP_PRECOMPILED_${header}_${level})
  get_property(first GLOBAL PROPERTY ${precompiled})
  if(NOT APSP_UNITY)
    return()
  elseif(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/${header})
    set_property(GLOBAL PROPERTY ${precompiled} ${target})
  endif()
endfunction()

# apsp_tool(NAME x SOURCES a.cpp... LIBRARIES lib...)
# A program for those who work on the library: it measures or tries it, and leaves the work to it.
function(apsp_tool)
  cmake_parse_arguments(ARG "" "NAME" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(apsp_${ARG_NAME} ${ARG_SOURCES})
  target_link_libraries(apsp_${ARG_NAME} PRIVATE ${ARG_LIBRARIES} apsp_options)
  apsp_optimise(apsp_${ARG_NAME} ${apsp_few_loops})
  apsp_precompile(apsp_${ARG_NAME} bench/precompiled.hpp ${apsp_few_loops})
endfunction()

# apsp_files_in_memory(TEST...)
# These tests write and remove thousands of small files, for which a disk's file system may take longer than the tests
# compute: they are in memory where 2 GiB are free there when the build is configured. Not for what tests a file system,
# room on a disk or memory. Kills between a write and its sync are those of `make kills`, whose files are on a disk.
execute_process(COMMAND sh -c "test -w /dev/shm && df --output=avail -k /dev/shm" OUTPUT_VARIABLE apsp_shm_free ERROR_QUIET)
string(REGEX MATCH "[0-9]+" apsp_shm_free "${apsp_shm_free}")
function(apsp_files_in_memory)
  if(apsp_shm_free GREATER 2097152)
    set_property(TEST ${ARGN} APPEND PROPERTY ENVIRONMENT TMPDIR=/dev/shm)
  endif()
endfunction()

# apsp_test(NAME x SOURCES a.cpp... LIBRARIES lib... [LABEL quick|slow|gpu] [SHARDS n] [UNOPTIMISED])
# SHARDS: the processes that share its tests, which are as many entries for ctest. Otherwise all tests are one entry;
# most tests take less time than the start of a process. Those of a GPU are one each: ctest says which were skipped.
# UNOPTIMISED: it computes little, so that it takes longer to compile than to run.
# The tests of a file are in a namespace of its name, so that all of them can be compiled as one.
function(apsp_test)
  cmake_parse_arguments(ARG "UNOPTIMISED" "NAME;LABEL;SHARDS" "SOURCES;LIBRARIES" ${ARGN})
  if(NOT ARG_LABEL)
    set(ARG_LABEL quick)
  endif()
  add_executable(apsp_${ARG_NAME} ${ARG_SOURCES})
  if(ARG_LABEL STREQUAL "gpu")  # what scripts/gpu-check builds
    if(NOT TARGET apsp_gpu_tests)
      add_custom_target(apsp_gpu_tests)
    endif()
    add_dependencies(apsp_gpu_tests apsp_${ARG_NAME})
  endif()
  target_link_libraries(apsp_${ARG_NAME} PRIVATE apsp_textbook ${ARG_LIBRARIES} apsp_options GTest::gmock
                        GTest::gtest_main)
  set(level -O1)
  if(ARG_UNOPTIMISED)
    set(level -O0)
    # An inline function is in many objects, of which the linker takes the first: the room's, which is optimised.
    list(GET ARG_LIBRARIES 0 room)
    target_link_options(apsp_${ARG_NAME} PRIVATE $<TARGET_OBJECTS:${room}>)
  endif()
  apsp_optimise(apsp_${ARG_NAME} ${level})
  apsp_precompile(apsp_${ARG_NAME} tests/precompiled.hpp ${level})
  set(files_for_one_processor 24)  # of more, two processors compile a half each
  apsp_compile_as_one(apsp_${ARG_NAME} ${files_for_one_processor})
  target_include_directories(apsp_${ARG_NAME} PRIVATE ${PROJECT_SOURCE_DIR}/tests)  # support
  target_compile_definitions(apsp_${ARG_NAME} PRIVATE
    APSP_SOURCE_DIR="${PROJECT_SOURCE_DIR}" APSP_PYTHON="${APSP_PYTHON}")
  set(cache APSP_CACHE_DIR=${PROJECT_BINARY_DIR}/test-cache)
  if(ARG_LABEL STREQUAL "gpu")
    gtest_discover_tests(apsp_${ARG_NAME} DISCOVERY_TIMEOUT 60
                         PROPERTIES LABELS gpu TIMEOUT 600 ENVIRONMENT ${cache})
  elseif(ARG_SHARDS)
    foreach(shard RANGE 1 ${ARG_SHARDS})
      math(EXPR index "${shard} - 1")
      add_test(NAME ${ARG_NAME}_${shard} COMMAND apsp_${ARG_NAME})
      set_tests_properties(${ARG_NAME}_${shard} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT 1800 COST 60
        ENVIRONMENT "${cache};GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${index}")
    endforeach()
  else()
    add_test(NAME ${ARG_NAME} COMMAND apsp_${ARG_NAME})
    set_tests_properties(${ARG_NAME} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT 1800 ENVIRONMENT ${cache})
  endif()
endfunction()

# The library that users link: all rooms in one archive.
function(apsp_library)
  get_property(rooms GLOBAL PROPERTY APSP_ROOMS)
  get_property(libraries GLOBAL PROPERTY APSP_ROOM_LIBRARIES)
  list(REMOVE_DUPLICATES libraries)
  add_library(apsp STATIC)
  foreach(room ${rooms})
    target_sources(apsp PRIVATE $<TARGET_OBJECTS:${room}>)
  endforeach()
  target_include_directories(apsp PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  list(TRANSFORM libraries REPLACE "(.+)" "$<BUILD_INTERFACE:\\1>")
  list(TRANSFORM APSP_OPTIONAL_LIBRARIES REPLACE "(.+)" "$<INSTALL_INTERFACE:apsp::\\1>" OUTPUT_VARIABLE optional)
  list(TRANSFORM APSP_SYSTEM_LIBRARIES REPLACE "(.+)" "$<INSTALL_INTERFACE:\\1>" OUTPUT_VARIABLE system)
  target_link_libraries(apsp PRIVATE ${libraries} ${system} fmt::fmt OpenMP::OpenMP_CXX
    $<INSTALL_INTERFACE:ZLIB::ZLIB> $<INSTALL_INTERFACE:apsp::zstd> $<INSTALL_INTERFACE:apsp::hwy>
    $<INSTALL_INTERFACE:apsp::metis> ${optional}
    $<$<BOOL:${APSP_WITH_CUDA}>:$<INSTALL_INTERFACE:CUDA::cudart_static>>)
  target_compile_features(apsp PUBLIC cxx_std_20)
  set_target_properties(apsp PROPERTIES LINKER_LANGUAGE CXX)
  add_library(apsp::apsp ALIAS apsp)
  add_library(apsp::static ALIAS apsp)
  set_target_properties(apsp PROPERTIES EXPORT_NAME static)
  if(APSP_SHARED)
    apsp_shared_library(${libraries})
  endif()
endfunction()
