# The standard headers and fmt take most sources longer to read than their own lines do: they are read once for the
# library's sources, once for the tests.
option(POSTAGE_PRECOMPILE "Precompile the headers that most sources include" ON)

# postage_precompiled(NAME HEADERS ... LINK ...): a target whose headers others reuse.
function(postage_precompiled name)
  cmake_parse_arguments(ARG "" "" "HEADERS;LINK" ${ARGN})
  set(source ${PROJECT_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "")
  add_library(${name} OBJECT ${source})
  target_link_libraries(${name} PRIVATE postage_options ${ARG_LINK})
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
endfunction()

# postage_reuse_headers(TARGET NAME)
function(postage_reuse_headers target name)
  if(POSTAGE_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

set(postage_common_headers
  <algorithm> <array> <cmath> <cstdint> <cstring> <filesystem> <fstream> <functional> <limits> <map> <memory>
  <numeric> <optional> <set> <span> <string> <string_view> <tuple> <utility> <variant> <vector> <fmt/format.h>)
if(POSTAGE_PRECOMPILE)
  postage_precompiled(postage_headers HEADERS ${postage_common_headers} LINK fmt::fmt)
  if(CMAKE_BUILD_TYPE STREQUAL Release)
    postage_precompiled(postage_cold_headers HEADERS ${postage_common_headers} LINK fmt::fmt)
    target_compile_options(postage_cold_headers PRIVATE -O1)
  endif()
endif()

# postage_cold(TARGET): compiled with less optimisation, which takes a third less time: all that no message waits for.
# Evaluators and fits are a tenth slower at most, most of them no slower; the shared-memory transport, the measuring
# programs and the preload library are not cold.
function(postage_cold target)
  if(CMAKE_BUILD_TYPE STREQUAL Release)
    target_compile_options(${target} PRIVATE -O1)
    postage_reuse_headers(${target} postage_cold_headers)
  else()
    postage_reuse_headers(${target} postage_headers)
  endif()
endfunction()
