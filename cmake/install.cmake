# `cmake --install`: the program, the library, its headers, find_package(bandolier) and pkg-config.
include(CMakePackageConfigHelpers)

install(TARGETS bandolier EXPORT bandolier_targets)
install(TARGETS bandolier_program)
install(DIRECTORY bandolier DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h"
        PATTERN "test_*" EXCLUDE)

# A user of the static library must also have what it links, a user of the shared one need not.
get_property(private GLOBAL PROPERTY BANDOLIER_PRIVATE_LIBRARIES)
set(needed ${BANDOLIER_INTERFACE_LIBRARIES})
if(NOT BUILD_SHARED_LIBS)
  list(APPEND needed ${private})
  set(private)
endif()

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/bandolier)
install(EXPORT bandolier_targets NAMESPACE bandolier:: DESTINATION ${config_folder})
set(BANDOLIER_DEPENDENCIES ${needed})
list(TRANSFORM BANDOLIER_DEPENDENCIES REPLACE "::.*" "")
configure_package_config_file(cmake/bandolier-config.cmake.in bandolier-config.cmake
                              INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(bandolier-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/bandolier-config.cmake
              ${PROJECT_BINARY_DIR}/bandolier-config-version.cmake DESTINATION ${config_folder})

# Names of the same in pkg-config.
set(pc_Eigen3::Eigen eigen3)
set(pc_fmt::fmt fmt)
set(pc_nlohmann_json::nlohmann_json nlohmann_json)
set(pc_tomlplusplus::tomlplusplus tomlplusplus)
set(pc_ZLIB::ZLIB zlib)
set(pc_CURL::libcurl libcurl)
set(pc_OpenSSL::Crypto libcrypto)
foreach(library IN LISTS needed)
  list(APPEND pc_requires ${pc_${library}})
endforeach()
foreach(library IN LISTS private)
  list(APPEND pc_private ${pc_${library}})
endforeach()
list(JOIN pc_requires ", " pc_requires)
list(JOIN pc_private ", " pc_private)
list(TRANSFORM BANDOLIER_INTERFACE_DEFINITIONS PREPEND -D OUTPUT_VARIABLE pc_definitions)
list(JOIN pc_definitions " " pc_definitions)
file(RELATIVE_PATH pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" pc_prefix ${pc_prefix})
configure_file(cmake/bandolier.pc.in bandolier.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/bandolier.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
