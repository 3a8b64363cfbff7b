# Compilers are called through ccache, if there is one: what was compiled before, in any build folder
# with the same flags, comes from its cache. A launcher that was named by the caller stays. ccache
# takes files that read a precompiled header (all of release builds) where it is told so.
find_program(APSP_CCACHE_PROGRAM ccache)
mark_as_advanced(APSP_CCACHE_PROGRAM)
foreach(language CXX CUDA)
  if(APSP_CCACHE AND APSP_CCACHE_PROGRAM AND NOT CMAKE_${language}_COMPILER_LAUNCHER)
    set(CMAKE_${language}_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros ${APSP_CCACHE_PROGRAM})
    add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
  endif()
endforeach()
