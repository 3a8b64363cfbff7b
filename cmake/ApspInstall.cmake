# What `cmake --install` leaves besides the programs: the library with its package files, manual pages
# and completions from the program's own help, and the licence.

# A shared library, too: its version is in its name, and it exports only what include/apsp declares.
# Where it is there, apsp::apsp is this one, and apsp::static the other.
function(apsp_shared_library)
  # A shared library needs a source of its own. The static library has all other code.
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/shared_library.cpp CONTENT "#include <apsp/apsp.h>\n")
  add_library(apsp_shared SHARED ${PROJECT_BINARY_DIR}/shared_library.cpp)
  set_target_properties(apsp_shared PROPERTIES OUTPUT_NAME apsp EXPORT_NAME shared
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/package/exported.map;$<TARGET_FILE:apsp>")
  target_include_directories(apsp_shared PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(apsp_shared INTERFACE cxx_std_20)
  target_link_libraries(apsp_shared PRIVATE
    "$<BUILD_INTERFACE:-Wl,--whole-archive,$<TARGET_FILE:apsp>,--no-whole-archive>"
    ${ARGN} fmt::fmt OpenMP::OpenMP_CXX)
  add_dependencies(apsp_shared apsp)
  target_link_options(apsp_shared PRIVATE -Wl,--no-undefined
    -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/package/exported.map)
  add_library(apsp::shared ALIAS apsp_shared)
endfunction()

# The file of pkg-config. A static library alone needs its own libraries in every link.
function(apsp_pkg_config)
  file(RELATIVE_PATH APSP_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" APSP_PC_PREFIX "${APSP_PC_PREFIX}")
  set(APSP_PC_PRIVATE " -lfmt -lz -lzstd -lhwy -lmetis -fopenmp -lstdc++ -lm")
  foreach(library IN LISTS APSP_OPTIONAL_LIBRARIES APSP_SYSTEM_LIBRARIES)
    string(APPEND APSP_PC_PRIVATE " -l${library}")
  endforeach()
  if(APSP_WITH_CUDA)
    string(APPEND APSP_PC_PRIVATE " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt -lpthread")
  endif()
  set(APSP_PC_LIBS "")
  if(NOT APSP_SHARED)
    set(APSP_PC_LIBS "${APSP_PC_PRIVATE}")
    set(APSP_PC_PRIVATE "")
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/package/apsp.pc.in apsp.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/apsp.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

# The libraries, their headers and licence, and what CMake and pkg-config find them by.
function(apsp_install_library)
  if(NOT APSP_WITH_CUDA)
    set(APSP_WITH_CUDA FALSE)
  endif()
  set(package ${CMAKE_INSTALL_LIBDIR}/cmake/apsp)
  include(CMakePackageConfigHelpers)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/apspConfig.cmake.in apspConfig.cmake
                                INSTALL_DESTINATION ${package})
  write_basic_package_version_file(apspConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(TARGETS apsp EXPORT apspTargets)
  if(APSP_SHARED)
    install(TARGETS apsp_shared EXPORT apspTargets)
  endif()
  apsp_pkg_config()
  install(EXPORT apspTargets NAMESPACE apsp:: DESTINATION ${package})
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/apspConfig.cmake
          ${CMAKE_CURRENT_BINARY_DIR}/apspConfigVersion.cmake DESTINATION ${package})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/apsp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(FILES ${PROJECT_SOURCE_DIR}/tests/machines/summit.json
                ${PROJECT_SOURCE_DIR}/tests/machines/dgx-h200.json
          DESTINATION ${CMAKE_INSTALL_DATADIR}/apsp/machines)
endfunction()

# Manual pages and completions: the program prints them where it can run. A build for another machine
# without an emulator leaves them out.
function(apsp_help_files)
  if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    message(STATUS "Manual pages and completions: none, this machine cannot run the program")
    return()
  endif()
  set(pages ${PROJECT_BINARY_DIR}/pages)
  install(CODE "set(apsp ${CMAKE_CROSSCOMPILING_EMULATOR} \"$<TARGET_FILE:apsp_cli>\")\n set(pages \"${pages}\")")
  install(CODE [[
    file(REMOVE_RECURSE "${pages}")
    file(MAKE_DIRECTORY "${pages}/man1")
    macro(write_help file)
      execute_process(COMMAND ${apsp} ${ARGN} OUTPUT_FILE "${pages}/${file}" COMMAND_ERROR_IS_FATAL ANY)
    endmacro()
    write_help(man1/apsp.1 help --man)
    execute_process(COMMAND ${apsp} help OUTPUT_VARIABLE verbs COMMAND_ERROR_IS_FATAL ANY)
    # The list of verbs follows its title, two columns in, and ends with an empty line.
    string(REGEX REPLACE ".*\nVerbs(\n([^\n]+\n)+).*" "\\1" verbs "${verbs}")
    string(REGEX MATCHALL "\n  [a-z]+" verbs "${verbs}")
    foreach(verb IN LISTS verbs)
      string(STRIP "${verb}" verb)
      write_help(man1/apsp-${verb}.1 help ${verb} --man)
    endforeach()
    write_help(apsp completion bash)
    write_help(_apsp completion zsh)
    write_help(apsp.fish completion fish)
  ]])
  install(DIRECTORY ${pages}/man1/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  set(data ${CMAKE_INSTALL_DATAROOTDIR})
  install(FILES ${pages}/apsp DESTINATION ${data}/bash-completion/completions)
  install(FILES ${pages}/_apsp DESTINATION ${data}/zsh/site-functions)
  install(FILES ${pages}/apsp.fish DESTINATION ${data}/fish/vendor_completions.d)
endfunction()
