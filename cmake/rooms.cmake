# A room is one folder of the library or of the lab. Its tests link the rooms before it and no others, so
# that an upward dependency fails to link.

# Flags that everything of this project is compiled with.
add_library(bandolier_flags INTERFACE)
target_include_directories(bandolier_flags INTERFACE ${PROJECT_SOURCE_DIR})
# Part of the binary interface: how Eigen aligns memory must be the same on both sides of it.
set(BANDOLIER_INTERFACE_DEFINITIONS EIGEN_MAX_ALIGN_BYTES=32)
target_compile_definitions(bandolier_flags INTERFACE ${BANDOLIER_INTERFACE_DEFINITIONS}
                           EIGEN_DONT_PARALLELIZE)
# What the headers of the library include.
set(BANDOLIER_PUBLIC_LIBRARIES Eigen3::Eigen ${BANDOLIER_FMT})
target_link_libraries(bandolier_flags INTERFACE ${BANDOLIER_PUBLIC_LIBRARIES})
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

# bandolier_precompile(NAME [HEADERS...]): the heaviest headers and HEADERS, compiled once for the rooms that
# follow and once, with GTest, for their tests. Sources include what they use all the same:
# scripts/check-headers compiles every header without. A compiler cache does this job better.
macro(bandolier_precompile name)
  set(BANDOLIER_HEADERS)
  if(BANDOLIER_PCH AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(BANDOLIER_HEADERS ${name})
    set(BANDOLIER_HEAVY_HEADERS <Eigen/Core> <fmt/format.h> <functional> <memory> <string> <vector> ${ARGN})
    add_library(${name} OBJECT ${PROJECT_SOURCE_DIR}/cmake/headers.cc)
    target_link_libraries(${name} PRIVATE bandolier_flags)
    target_precompile_headers(${name} PRIVATE ${BANDOLIER_HEAVY_HEADERS})
  endif()
endmacro()

if(BANDOLIER_BUILD_TESTS)
  include(GoogleTest)
  include(cmake/slow_tests.cmake)
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
  if(BANDOLIER_HEADERS)
    target_precompile_headers(bandolier_${name} REUSE_FROM ${BANDOLIER_HEADERS})
  endif()
  set_property(GLOBAL APPEND PROPERTY BANDOLIER_BUILT_ROOMS ${name})
  get_property(rooms GLOBAL PROPERTY BANDOLIER_BUILT_ROOMS)
  list(TRANSFORM rooms PREPEND bandolier_ OUTPUT_VARIABLE objects)
  if(BANDOLIER_BUILD_TESTS AND ROOM_TESTS)
    add_executable(${name}_test ${ROOM_TESTS})
    # Several files of tests are compiled as one: each has a namespace of its own, called as it is.
    set_target_properties(${name}_test PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
    target_link_libraries(${name}_test PRIVATE ${objects} bandolier_testing GTest::gtest_main)
    # What is tested is optimised in full; the tests themselves compile in two thirds of the time.
    target_compile_options(${name}_test PRIVATE $<$<CONFIG:Release>:-O1>)
    if(BANDOLIER_HEADERS)
      get_property(first GLOBAL PROPERTY FIRST_TEST_OF_${BANDOLIER_HEADERS})
      if(first)
        target_precompile_headers(${name}_test REUSE_FROM ${first})
      else()
        target_precompile_headers(${name}_test PRIVATE ${BANDOLIER_HEAVY_HEADERS} <gtest/gtest.h>)
        set_property(GLOBAL PROPERTY FIRST_TEST_OF_${BANDOLIER_HEADERS} ${name}_test)
      endif()
    endif()
    if(BANDOLIER_FAST_TESTS)
      # Four processes per room, not one per test: a sanitizer's start takes longer than most tests.
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

# bandolier_library(bandolier[_PART] ROOMS ... PUBLIC ...): what users link as bandolier::bandolier or
# bandolier::PART, all the rooms' objects. PUBLIC: what its headers include.
function(bandolier_library name)
  cmake_parse_arguments(LIBRARY "" "" "ROOMS;PUBLIC" ${ARGN})
  string(REPLACE "bandolier_" "" export_name ${name})
  string(REPLACE "_" "-" file_name ${name})
  add_library(${name})
  add_library(bandolier::${export_name} ALIAS ${name})
  target_link_libraries(${name} PUBLIC ${LIBRARY_PUBLIC})
  set(linked)
  foreach(room IN LISTS LIBRARY_ROOMS)
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:bandolier_${room}>)
    get_target_property(libraries bandolier_${room} LINK_LIBRARIES)
    list(APPEND linked ${libraries})
  endforeach()
  list(REMOVE_DUPLICATES linked)
  list(REMOVE_ITEM linked bandolier_flags ${LIBRARY_PUBLIC})
  foreach(library IN LISTS linked)
    # Headers for the library's own use are no part of what its user links.
    get_target_property(type ${library} TYPE)
    get_target_property(links ${library} INTERFACE_LINK_LIBRARIES)
    if(NOT type STREQUAL "INTERFACE_LIBRARY" OR links)
      target_link_libraries(${name} PRIVATE ${library})
    endif()
  endforeach()
  target_compile_definitions(${name} PUBLIC ${BANDOLIER_INTERFACE_DEFINITIONS})
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${export_name} OUTPUT_NAME ${file_name}
                        LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endfunction()
