# Not tested.
vcpkg_download_distfile(archive URLS ARCHIVE_URL FILENAME apsp-0.2.0.tar.gz SHA512 ARCHIVE_SHA512)
vcpkg_extract_source_archive(source ARCHIVE ${archive})
vcpkg_cmake_configure(SOURCE_PATH ${source}
  OPTIONS -DAPSP_UNITY=ON -DAPSP_CUDA=OFF -DAPSP_BUILD_TESTS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/apsp)
vcpkg_fixup_pkgconfig()
vcpkg_copy_tools(TOOL_NAMES apsp AUTO_CLEAN)
file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/debug/include ${CURRENT_PACKAGES_DIR}/debug/share)
vcpkg_install_copyright(FILE_LIST ${source}/LICENSE)
