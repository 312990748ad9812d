# postage_library(NAME SOURCES ... [PUBLIC ...] [PRIVATE ...])
# One static library per folder of src/, called postage_NAME, with the alias postage::NAME.
function(postage_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(postage_${name} STATIC ${ARG_SOURCES})
  add_library(postage::${name} ALIAS postage_${name})
  set_target_properties(postage_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(postage_${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(postage_${name} PUBLIC cxx_std_20)
  target_link_libraries(postage_${name} PUBLIC ${ARG_PUBLIC} PRIVATE $<BUILD_INTERFACE:postage_options> ${ARG_PRIVATE})
  postage_reuse_headers(postage_${name} postage_headers)
  set_property(GLOBAL APPEND PROPERTY POSTAGE_LIBRARIES postage_${name})
endfunction()
