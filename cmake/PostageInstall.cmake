# `make install`: the command, the measuring programs, the library with its headers, and what CMake and pkg-config need
# to find it. Components are what packages are made of (PostagePackages.cmake): command, development, python, and what
# starts ranks of each MPI.
include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY POSTAGE_LIBRARIES)
get_property(programs GLOBAL PROPERTY POSTAGE_MEASURING_PROGRAMS)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/postage)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
install(TARGETS ${libraries} EXPORT postageTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT postageTargets NAMESPACE postage:: DESTINATION ${package_folder})
# What runs collectives over MPI and sets up channels from its communicators, once for each; users compile with that
# MPI's own wrapper.
foreach(flavour IN LISTS POSTAGE_MPI_FOUND)
  set(mpi_link_flags "-lpostage_transport_${flavour}")
  set(mpi_libraries postage_transport_${flavour})
  if(TARGET postage_node_shm_${flavour})
    string(PREPEND mpi_link_flags "-lpostage_node_shm_${flavour} ")
    list(APPEND mpi_libraries postage_node_shm_${flavour})
  endif()
  install(TARGETS ${mpi_libraries} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  configure_file(cmake/postage-mpi.pc.in ${PROJECT_BINARY_DIR}/postage-${flavour}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/postage-${flavour}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
set(programs_command ${programs})
foreach(flavour openmpi mpich smpi custom)
  set(programs_${flavour} ${programs})
  list(FILTER programs_${flavour} INCLUDE REGEX "([-_]${flavour}$|^postage-(blade|noise)$)")
  if(NOT flavour STREQUAL smpi)
    list(REMOVE_ITEM programs_${flavour} postage-blade postage-noise)
  endif()
  list(REMOVE_ITEM programs_command "" ${programs_${flavour}})
endforeach()
foreach(component command openmpi mpich smpi custom)
  if(programs_${component})
    install(TARGETS ${programs_${component}} RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/postage COMPONENT ${component}
                                             LIBRARY DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/postage COMPONENT ${component})
  endif()
endforeach()
install(DIRECTORY include/postage DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY share/ DESTINATION ${CMAKE_INSTALL_DATADIR}/postage COMPONENT command)

configure_package_config_file(cmake/postageConfig.cmake.in ${PROJECT_BINARY_DIR}/postageConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/postageConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/postageConfig.cmake ${PROJECT_BINARY_DIR}/postageConfigVersion.cmake
        DESTINATION ${package_folder})

# A static library's users link in reverse order of dependence.
set(link_flags "")
foreach(library IN LISTS libraries)
  string(PREPEND link_flags "-l${library} ")
endforeach()
configure_file(cmake/postage.pc.in ${PROJECT_BINARY_DIR}/postage.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/postage.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
