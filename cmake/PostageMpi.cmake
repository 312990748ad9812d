# The same sources are built once for each MPI: their ABIs differ. A flavour is a compiler wrapper; what the wrapper
# would add to a compiler line becomes the interface target postage_mpi_FLAVOUR.

# Splits what a wrapper prints with -show into the properties of an interface target.
function(_postage_mpi_target flavour wrapper)
  execute_process(COMMAND ${wrapper} -show OUTPUT_VARIABLE line RESULT_VARIABLE failed ERROR_VARIABLE message
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(failed)
    message(FATAL_ERROR "MPI wrapper ${wrapper} does not answer -show: ${message}")
  endif()
  separate_arguments(words UNIX_COMMAND "${line}")
  list(POP_FRONT words) # the compiler
  set(includes)
  set(options)
  set(links)
  set(forced FALSE)
  foreach(word IN LISTS words)
    if(forced)
      list(APPEND options "SHELL:-include ${word}")
      set(forced FALSE)
    elseif(word STREQUAL "-include")
      set(forced TRUE)
    elseif(word MATCHES "^-I(.+)")
      if(NOT CMAKE_MATCH_1 STREQUAL "/usr/include")
        list(APPEND includes ${CMAKE_MATCH_1})
      endif()
    elseif(word MATCHES "^-(D|pthread)")
      list(APPEND options ${word})
    elseif(word MATCHES "^-(L|Wl,)" OR word MATCHES "^-l")
      # The C++ bindings of MPI-2 are not used: linking them would only drag in another library.
      if(NOT word MATCHES "^-l(mpi_cxx|mpichcxx|mpicxx)$" AND NOT word STREQUAL "-Wl,-z,defs")
        list(APPEND links ${word})
      endif()
    endif()
  endforeach()
  add_library(postage_mpi_${flavour} INTERFACE)
  target_include_directories(postage_mpi_${flavour} SYSTEM INTERFACE ${includes})
  target_compile_options(postage_mpi_${flavour} INTERFACE ${options})
  target_compile_definitions(postage_mpi_${flavour} INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  target_link_options(postage_mpi_${flavour} INTERFACE $<$<STREQUAL:${flavour},smpi>:LINKER:-z,defs>)
  target_link_libraries(postage_mpi_${flavour} INTERFACE ${links})
endfunction()

# Finds the wrappers; sets POSTAGE_MPI_FOUND to the flavours found.
function(postage_find_mpi_flavours)
  find_program(POSTAGE_WRAPPER_openmpi NAMES mpicxx.openmpi)
  find_program(POSTAGE_WRAPPER_mpich NAMES mpicxx.mpich)
  find_program(POSTAGE_WRAPPER_smpi NAMES smpicxx)
  set(found)
  foreach(flavour IN LISTS POSTAGE_MPI_FLAVOURS)
    if(POSTAGE_WRAPPER_${flavour})
      _postage_mpi_target(${flavour} ${POSTAGE_WRAPPER_${flavour}})
      list(APPEND found ${flavour})
    endif()
  endforeach()
  if(MPICXX)
    _postage_mpi_target(custom ${MPICXX})
    list(APPEND found custom)
  endif()
  message(STATUS "MPI flavours: ${found}")
  set(POSTAGE_MPI_FOUND ${found} PARENT_SCOPE)
endfunction()

# postage_mpi_library(NAME FLAVOUR SOURCES ... PUBLIC ...): a static library of sources that include <mpi.h>.
function(postage_mpi_library name flavour)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC" ${ARGN})
  add_library(postage_${name}_${flavour} STATIC ${ARG_SOURCES})
  target_include_directories(postage_${name}_${flavour} PUBLIC ${PROJECT_SOURCE_DIR}/include
                             PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(postage_${name}_${flavour} PUBLIC postage_mpi_${flavour} ${ARG_PUBLIC} PRIVATE postage_options)
  # Few small sources that include the same large headers: compiled as one, for each MPI.
  set_target_properties(postage_${name}_${flavour} PROPERTIES UNITY_BUILD ${POSTAGE_COMPILE_TOGETHER})
  if(NOT flavour STREQUAL smpi) # whose wrapper includes a header before all others
    postage_reuse_headers(postage_${name}_${flavour} postage_headers)
  endif()
endfunction()

# postage_mpi_program(NAME FLAVOUR SOURCES ... LINK ...): NAME-FLAVOUR, started by that MPI's launcher.
function(postage_mpi_program name flavour)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  set(target ${name}-${flavour})
  if(flavour STREQUAL smpi)
    # smpirun loads the program with dlopen, privately for each rank.
    add_library(${target} MODULE ${ARG_SOURCES})
    set_target_properties(${target} PROPERTIES PREFIX "" SUFFIX "")
  else()
    add_executable(${target} ${ARG_SOURCES})
  endif()
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin
                                             LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PRIVATE ${ARG_LINK} postage_mpi_${flavour} postage_options)
endfunction()
