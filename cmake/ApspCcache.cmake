# Compilers are called through ccache, if there is one: what was compiled before, in any build folder
# with the same flags, comes from its cache. A launcher that was named by the caller stays. Files
# that read a precompiled header (tests of release builds) are cached where ccache is told so:
# CCACHE_SLOPPINESS=pch_defines,time_macros.
find_program(APSP_CCACHE_PROGRAM ccache)
mark_as_advanced(APSP_CCACHE_PROGRAM)
foreach(language CXX CUDA)
  if(APSP_CCACHE AND APSP_CCACHE_PROGRAM AND NOT CMAKE_${language}_COMPILER_LAUNCHER)
    set(CMAKE_${language}_COMPILER_LAUNCHER ${APSP_CCACHE_PROGRAM})
  endif()
endforeach()
