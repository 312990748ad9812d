# postage_registry(OUT FOLDER TYPE NAMESPACE FUNCTION HEADER)
# A generated source that lists what the files of a folder define, so that adding one is no edit elsewhere: each
# FOLDER/NAME.cpp defines `TYPE NAME()` in namespace postage::NAMESPACE, and the source, whose path is stored in OUT,
# defines `std::vector<TYPE> FUNCTION()`, which returns all of them in the order of their names. HEADER declares it.
# <OUT>_FILES gets the files.
function(postage_registry out folder type namespace function header)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
  list(SORT files)
  set(declarations "")
  set(calls "")
  foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME_WE)
    string(APPEND declarations "${type} ${name}();\n")
    string(APPEND calls "  all.push_back(${namespace}::${name}());\n")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Generated from the files of ${folder}/.
#include \"${header}\"

namespace postage {
namespace ${namespace} {

${declarations}
}  // namespace ${namespace}

std::vector<${type}> ${function}() {
  std::vector<${type}> all;
${calls}  return all;
}

}  // namespace postage
" @ONLY)
  set(${out} ${source} PARENT_SCOPE)
  set(${out}_FILES ${files} PARENT_SCOPE)
endfunction()
