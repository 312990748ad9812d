# Scotch, which Debian packages without a file for CMake or pkg-config.
find_path(SCOTCH_INCLUDE_DIR scotch/scotch.h REQUIRED)
find_library(SCOTCH_LIBRARY scotch REQUIRED)
find_library(SCOTCH_ERROR_LIBRARY scotcherr REQUIRED)
mark_as_advanced(SCOTCH_INCLUDE_DIR SCOTCH_LIBRARY SCOTCH_ERROR_LIBRARY)
