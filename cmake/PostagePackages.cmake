# `cpack` in the build folder: Debian packages, one for each component that was built.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON) # cpack packs what was built
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME postage)
set(CPACK_PACKAGE_VENDOR postage)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "analytical models of message passing")
set(CPACK_PACKAGE_CONTACT "The founders of postage <postage@localhost.localdomain>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# postage_package(COMPONENT NAME SECTION TEXT [NO_BINARIES] [DEPENDS ...] [SUGGESTS ...]): fills CPack's variables, and adds
# what Debian wants of each package: copyright, changelog and reasons for what lintian is told to overlook.
function(postage_package component name section text)
  cmake_parse_arguments(ARG "NO_BINARIES" "DEPENDS;SUGGESTS" "" ${ARGN})
  string(TOUPPER ${component} key)
  set(folder ${PROJECT_BINARY_DIR}/debian/${name})
  configure_file(packaging/debian/changelog.in ${folder}/changelog @ONLY)
  execute_process(COMMAND gzip --best --no-name --force ${folder}/changelog)
  install(FILES ${folder}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} RENAME changelog.Debian.gz
          COMPONENT ${component})
  install(FILES packaging/debian/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component})
  set(more_overrides "")
  if(EXISTS ${PROJECT_SOURCE_DIR}/packaging/debian/${name}.lintian-overrides)
    file(READ packaging/debian/${name}.lintian-overrides more_overrides)
  endif()
  configure_file(packaging/debian/lintian-overrides.in ${folder}/lintian-overrides @ONLY)
  install(FILES ${folder}/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME ${name}
          COMPONENT ${component})
  if(NOT ARG_NO_BINARIES)
    set(CPACK_DEBIAN_${key}_PACKAGE_SHLIBDEPS ON PARENT_SCOPE)
  endif()
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_DEPENDS "${ARG_DEPENDS}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_SUGGESTS "${ARG_SUGGESTS}" PARENT_SCOPE)
  set(CPACK_COMPONENT_${key}_DESCRIPTION "${text}" PARENT_SCOPE)
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
endfunction()

set(same_version "postage (= ${PROJECT_VERSION}-1)")
set(what "postage measures how a machine or a cluster passes messages, fits communication\nmodels to that, predicts MPI collectives, explains the predictions and writes\ntuning files for MPI libraries.")
set(CPACK_COMPONENTS_ALL "")
postage_package(command postage science
  "${what}" SUGGESTS "postage-openmpi, postage-mpich, postage-simgrid")
postage_package(development libpostage-dev libdevel
  "${what}\nThis package holds the C++ library with its headers, for CMake and pkg-config." NO_BINARIES
  DEPENDS "libfmt-dev, libhwloc-dev, libscotch-dev, nlohmann-json3-dev, libcli11-dev, libeigen3-dev, pkg-config")
if(POSTAGE_PYTHON_FOUND)
  math(EXPR next_minor "${Python3_VERSION_MINOR} + 1")
  postage_package(python python3-postage python
    "${what}\nThis package holds the Python module."
    DEPENDS "python3 (>= ${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR}), python3 (<< ${Python3_VERSION_MAJOR}.${next_minor}), python3-numpy")
endif()
set(launcher_openmpi openmpi-bin)
set(launcher_mpich mpich)
set(launcher_smpi libsimgrid-dev)
foreach(flavour IN LISTS POSTAGE_MPI_FOUND)
  if(DEFINED launcher_${flavour})
    string(REPLACE smpi simgrid package_name ${flavour})
    postage_package(${flavour} postage-${package_name} science
      "${what}\nThis package holds what runs under ${package_name}: measuring programs, and the\nlibrary that replaces collectives where that is faster." DEPENDS "${same_version}, ${launcher_${flavour}}")
  endif()
endforeach()
include(CPack)
