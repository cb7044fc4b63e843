# `cmake --install`: the program, the libraries, their headers, find_package(bandolier) and pkg-config.
include(CMakePackageConfigHelpers)

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/bandolier)
set(pc_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_prefix /prefix/${pc_folder} /prefix)
string(REGEX REPLACE "/$" "" pc_prefix ${pc_prefix})
list(TRANSFORM BANDOLIER_INTERFACE_DEFINITIONS PREPEND -D OUTPUT_VARIABLE pc_definitions)
list(JOIN pc_definitions " " pc_definitions)

# Names of targets in pkg-config.
set(pc_bandolier bandolier)
set(pc_Eigen3::Eigen eigen3)
set(pc_fmt::fmt fmt)
set(pc_nlohmann_json::nlohmann_json nlohmann_json)
set(pc_simdjson::simdjson simdjson)
set(pc_tomlplusplus::tomlplusplus tomlplusplus)
set(pc_ZLIB::ZLIB zlib)
set(pc_CURL::libcurl libcurl)

# install_library(TARGET DESCRIPTION): the library, its part of find_package(bandolier), and NAME.pc.
# Sets TARGET_DEPENDENCIES, the packages that the exported target needs.
function(install_library target description)
  install(TARGETS ${target} EXPORT ${target}_targets)
  install(EXPORT ${target}_targets NAMESPACE bandolier:: DESTINATION ${config_folder})

  # A user of a static library must also have what it links, a user of a shared one need not.
  get_target_property(private ${target} LINK_LIBRARIES)
  get_target_property(needed ${target} INTERFACE_LINK_LIBRARIES)
  list(TRANSFORM needed REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1")
  list(REMOVE_ITEM private ${needed})
  set(packages ${needed})
  list(REMOVE_ITEM packages bandolier)
  list(TRANSFORM packages REPLACE "::.*" "")
  set(${target}_DEPENDENCIES ${packages} PARENT_SCOPE)

  set(pc_requires)
  set(pc_private)
  foreach(library IN LISTS needed)
    list(APPEND pc_requires ${pc_${library}})
  endforeach()
  foreach(library IN LISTS private)
    list(APPEND pc_private ${pc_${library}})
  endforeach()
  list(JOIN pc_requires ", " pc_requires)
  list(JOIN pc_private ", " pc_private)
  get_target_property(pc_name ${target} OUTPUT_NAME)
  configure_file(cmake/bandolier.pc.in ${pc_name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${pc_name}.pc DESTINATION ${pc_folder})
endfunction()

# install_headers(FOLDER [PATTERN ... EXCLUDE]): those of FOLDER but the tests'.
function(install_headers folder)
  install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder}
          FILES_MATCHING PATTERN "*.h" PATTERN "test_*" EXCLUDE ${ARGN})
endfunction()

install_library(bandolier "${PROJECT_DESCRIPTION}")
install_headers(bandolier PATTERN "lab" EXCLUDE)
if(BANDOLIER_BUILD_LAB)
  install_library(bandolier_lab "Problems, experiments and reports for bandolier")
  install_headers(bandolier/lab)
endif()
if(BANDOLIER_BUILD_PROGRAM)
  install(TARGETS bandolier_program)
endif()

configure_package_config_file(cmake/bandolier-config.cmake.in bandolier-config.cmake
                              INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(bandolier-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/bandolier-config.cmake
              ${PROJECT_BINARY_DIR}/bandolier-config-version.cmake DESTINATION ${config_folder})
