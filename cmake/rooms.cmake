# A room is one folder of the library. Its objects see the rooms before it in BANDOLIER_ROOMS, and
# its tests link those and no others, so that an upward dependency fails to link.

# Flags that everything of this project is compiled with.
add_library(bandolier_flags INTERFACE)
target_include_directories(bandolier_flags INTERFACE ${PROJECT_SOURCE_DIR})
# Part of the binary interface: how Eigen aligns memory must be the same on both sides of it.
set(BANDOLIER_INTERFACE_DEFINITIONS EIGEN_MAX_ALIGN_BYTES=32)
target_compile_definitions(bandolier_flags INTERFACE ${BANDOLIER_INTERFACE_DEFINITIONS}
                           EIGEN_DONT_PARALLELIZE)
# What public headers include.
set(BANDOLIER_INTERFACE_LIBRARIES Eigen3::Eigen fmt::fmt nlohmann_json::nlohmann_json)
target_link_libraries(bandolier_flags INTERFACE ${BANDOLIER_INTERFACE_LIBRARIES})
target_compile_options(bandolier_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                       -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual)
# What g++ says of inlined code (Eigen, std::string, its own avx512fintrin.h) is wrong, and changes
# with every version and processor. clang++ checks the same without false alarms, and CI asks it.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(bandolier_flags INTERFACE -Wno-uninitialized -Wno-maybe-uninitialized
                         -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread
                         -Wno-free-nonheap-object -Wno-restrict -Wno-dangling-pointer)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    target_compile_options(bandolier_flags INTERFACE -Wno-dangling-reference)
  endif()
endif()
if(BANDOLIER_WERROR)
  target_compile_options(bandolier_flags INTERFACE -Werror)
endif()
if(BANDOLIER_ARCH)
  target_compile_options(bandolier_flags INTERFACE -march=${BANDOLIER_ARCH})
endif()

# The heaviest headers, compiled once for the rooms and once for their tests. Sources include what they
# use all the same: scripts/check-headers compiles every header without. A compiler cache does this job better.
set(BANDOLIER_HEAVY_HEADERS <Eigen/Core> <fmt/format.h> <functional> <memory> <nlohmann/json.hpp>
                            <string> <vector>)
if(BANDOLIER_PCH AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  add_library(bandolier_headers OBJECT ${PROJECT_SOURCE_DIR}/cmake/headers.cc)
  target_link_libraries(bandolier_headers PRIVATE bandolier_flags)
  target_precompile_headers(bandolier_headers PRIVATE ${BANDOLIER_HEAVY_HEADERS})
endif()

if(BANDOLIER_BUILD_TESTS)
  include(GoogleTest)
endif()
if(BANDOLIER_BUILD_BENCHMARKS)
  add_custom_target(bench)  # all benchmarks; no part of `all`
endif()

# bandolier_benchmark(NAME SOURCES... [LIBRARIES ...]): the program bin/NAME_bench.
function(bandolier_benchmark name)
  cmake_parse_arguments(BENCH "" "" "LIBRARIES" ${ARGN})
  add_executable(${name}_bench EXCLUDE_FROM_ALL ${BENCH_UNPARSED_ARGUMENTS})
  target_link_libraries(${name}_bench PRIVATE bandolier_flags ${BENCH_LIBRARIES}
                        benchmark::benchmark_main)
  add_dependencies(bench ${name}_bench)
endfunction()

# bandolier_room(NAME SOURCES ... [TESTS ...] [BENCHES ...] [LIBRARIES ...])
function(bandolier_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;TESTS;BENCHES;LIBRARIES" ${ARGN})
  add_library(bandolier_${name} OBJECT ${ROOM_SOURCES})
  target_link_libraries(bandolier_${name} PUBLIC bandolier_flags ${ROOM_LIBRARIES})
  if(TARGET bandolier_headers)
    target_precompile_headers(bandolier_${name} REUSE_FROM bandolier_headers)
  endif()
  set_property(GLOBAL APPEND PROPERTY BANDOLIER_BUILT_ROOMS ${name})
  set_property(GLOBAL APPEND PROPERTY BANDOLIER_LIBRARIES ${ROOM_LIBRARIES})
  get_property(rooms GLOBAL PROPERTY BANDOLIER_BUILT_ROOMS)
  list(TRANSFORM rooms PREPEND bandolier_ OUTPUT_VARIABLE objects)
  if(BANDOLIER_BUILD_TESTS AND ROOM_TESTS)
    add_executable(${name}_test ${ROOM_TESTS})
    target_link_libraries(${name}_test PRIVATE ${objects} bandolier_testing GTest::gtest_main)
    # What is tested is optimised in full; the tests themselves compile in two thirds of the time.
    target_compile_options(${name}_test PRIVATE $<$<CONFIG:Release>:-O1>)
    if(TARGET bandolier_headers AND name STREQUAL "core")
      target_precompile_headers(core_test PRIVATE ${BANDOLIER_HEAVY_HEADERS} <gtest/gtest.h>)
    elseif(TARGET bandolier_headers)
      target_precompile_headers(${name}_test REUSE_FROM core_test)
    endif()
    if(BANDOLIER_SLOW_TESTS)
      # Four processes a room and not one a test: a sanitizer's start takes longer than most tests.
      list(JOIN BANDOLIER_SLOW_TESTS ":" slow)
      foreach(shard 0 1 2 3)
        add_test(NAME ${name}.fast_tests_${shard} COMMAND ${name}_test --gtest_filter=-${slow})
        set_tests_properties(${name}.fast_tests_${shard} PROPERTIES ENVIRONMENT
                             "GTEST_TOTAL_SHARDS=4;GTEST_SHARD_INDEX=${shard}")
      endforeach()
    else()
      gtest_discover_tests(${name}_test TEST_PREFIX ${name}. NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60)
    endif()
  endif()
  if(BANDOLIER_BUILD_BENCHMARKS AND ROOM_BENCHES)
    bandolier_benchmark(${name} ${ROOM_BENCHES} LIBRARIES ${objects})
  endif()
endfunction()

# The one library that users link: all rooms' objects.
function(bandolier_library)
  get_property(rooms GLOBAL PROPERTY BANDOLIER_BUILT_ROOMS)
  get_property(libraries GLOBAL PROPERTY BANDOLIER_LIBRARIES)
  list(REMOVE_DUPLICATES libraries)
  add_library(bandolier)
  add_library(bandolier::bandolier ALIAS bandolier)
  foreach(room IN LISTS rooms)
    target_sources(bandolier PRIVATE $<TARGET_OBJECTS:bandolier_${room}>)
  endforeach()
  # What public headers include, then what is linked; headers for the library's own use are neither.
  target_link_libraries(bandolier PUBLIC ${BANDOLIER_INTERFACE_LIBRARIES})
  list(REMOVE_ITEM libraries ${BANDOLIER_INTERFACE_LIBRARIES})
  set(private)
  foreach(library IN LISTS libraries)
    get_target_property(type ${library} TYPE)
    get_target_property(links ${library} INTERFACE_LINK_LIBRARIES)
    if(NOT type STREQUAL "INTERFACE_LIBRARY" OR links)
      list(APPEND private ${library})
    endif()
  endforeach()
  target_link_libraries(bandolier PRIVATE ${private})
  set_property(GLOBAL PROPERTY BANDOLIER_PRIVATE_LIBRARIES ${private})
  target_compile_definitions(bandolier PUBLIC ${BANDOLIER_INTERFACE_DEFINITIONS})
  target_compile_features(bandolier PUBLIC cxx_std_20)
  target_include_directories(bandolier PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set_target_properties(bandolier PROPERTIES LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endfunction()
