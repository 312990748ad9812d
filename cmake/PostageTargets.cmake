# Sources of a folder include mostly the same headers and use the same templates: compiled many at a time they take less
# than half as long, 40 at once a sixth less than 8. Names in their unnamed namespaces must differ then, except in
# algorithms/, whose files are compiled one by one. Only for releases and sanitizers: otherwise each source is compiled by
# itself, and again only if it changes.
if(CMAKE_BUILD_TYPE STREQUAL Release)
  set(together ON)
else()
  set(together OFF)
endif()
option(POSTAGE_COMPILE_TOGETHER "Compile sources of a folder together" ${together})
set(POSTAGE_TOGETHER 40 CACHE STRING "How many sources are compiled together")

# postage_compile_together(TARGET)
function(postage_compile_together target)
  if(NOT POSTAGE_COMPILE_TOGETHER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${POSTAGE_TOGETHER})
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "(^|/)algorithms/[^/]+$")
  set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# postage_library(NAME [COLD] SOURCES ... [PUBLIC ...] [PRIVATE ...])
# One static library per folder of src/, called postage_NAME, with the alias postage::NAME. COLD: see postage_cold.
function(postage_library name)
  cmake_parse_arguments(ARG "COLD" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(postage_${name} STATIC ${ARG_SOURCES})
  add_library(postage::${name} ALIAS postage_${name})
  set_target_properties(postage_${name} PROPERTIES EXPORT_NAME ${name})
  if(CMAKE_BUILD_TYPE STREQUAL Release)
    # Shared objects that hold a library, such as the preload library and the Python module, export nothing of it and leave
    # out the functions that they do not call.
    set_target_properties(postage_${name} PROPERTIES CXX_VISIBILITY_PRESET hidden)
    target_compile_options(postage_${name} PRIVATE -ffunction-sections)
  endif()
  target_include_directories(postage_${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(postage_${name} PUBLIC cxx_std_20)
  target_link_libraries(postage_${name} PUBLIC ${ARG_PUBLIC} PRIVATE $<BUILD_INTERFACE:postage_options> ${ARG_PRIVATE})
  if(ARG_COLD)
    postage_cold(postage_${name})
  else()
    postage_reuse_headers(postage_${name} postage_headers)
  endif()
  postage_compile_together(postage_${name})
  set_property(GLOBAL APPEND PROPERTY POSTAGE_LIBRARIES postage_${name})
endfunction()
