# A room of the house is one static library with its unit tests beside it. The installed library is
# made of all rooms' objects.

add_library(apsp_options INTERFACE)
target_compile_options(apsp_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
target_link_libraries(apsp_options INTERFACE OpenMP::OpenMP_CXX)
if(APSP_SANITIZE)
  target_compile_options(apsp_options INTERFACE -fsanitize=${APSP_SANITIZE}
                         -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(apsp_options INTERFACE -fsanitize=${APSP_SANITIZE})
endif()

# apsp_room(NAME x SOURCES a.cpp... [ROOMS y...] [LIBRARIES lib...] [TESTS a_test.cpp...]
#           [TEST_LIBRARIES lib...])
function(apsp_room)
  cmake_parse_arguments(ARG "" "NAME" "SOURCES;ROOMS;LIBRARIES;TESTS;TEST_LIBRARIES" ${ARGN})
  add_library(apsp_${ARG_NAME} STATIC ${ARG_SOURCES})
  target_include_directories(apsp_${ARG_NAME} PUBLIC ${PROJECT_SOURCE_DIR}/include
                             ${PROJECT_SOURCE_DIR}/src)
  list(TRANSFORM ARG_ROOMS PREPEND apsp_)
  target_link_libraries(apsp_${ARG_NAME} PUBLIC ${ARG_ROOMS} fmt::fmt PRIVATE apsp_options
                        ${ARG_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY APSP_ROOMS apsp_${ARG_NAME})
  set_property(GLOBAL APPEND PROPERTY APSP_ROOM_LIBRARIES ${ARG_LIBRARIES})
  if(APSP_BUILD_TESTS AND ARG_TESTS)
    apsp_test(NAME ${ARG_NAME}_test SOURCES ${ARG_TESTS}
              LIBRARIES apsp_${ARG_NAME} ${ARG_TEST_LIBRARIES})
  endif()
endfunction()

# apsp_test(NAME x SOURCES a.cpp... LIBRARIES lib... [LABEL quick|slow])
function(apsp_test)
  cmake_parse_arguments(ARG "" "NAME;LABEL" "SOURCES;LIBRARIES" ${ARGN})
  if(NOT ARG_LABEL)
    set(ARG_LABEL quick)
  endif()
  add_executable(apsp_${ARG_NAME} ${ARG_SOURCES})
  target_link_libraries(apsp_${ARG_NAME} PRIVATE ${ARG_LIBRARIES} apsp_options GTest::gmock
                        GTest::gtest_main)
  target_compile_definitions(apsp_${ARG_NAME} PRIVATE
    APSP_SOURCE_DIR="${PROJECT_SOURCE_DIR}" APSP_PYTHON="${APSP_PYTHON}")
  gtest_discover_tests(apsp_${ARG_NAME} DISCOVERY_TIMEOUT 60
                       PROPERTIES LABELS ${ARG_LABEL} TIMEOUT 600)
endfunction()

# The library that users link: all rooms in one archive, with its package files.
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
  target_link_libraries(apsp PRIVATE $<BUILD_INTERFACE:${libraries}> fmt::fmt OpenMP::OpenMP_CXX)
  set_target_properties(apsp PROPERTIES LINKER_LANGUAGE CXX)
  add_library(apsp::apsp ALIAS apsp)
endfunction()
