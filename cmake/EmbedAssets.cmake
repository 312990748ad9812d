# cmake -DOUT=file.cpp -DNAMES="a;b" -DFILES="x;y" -P EmbedAssets.cmake
# Writes each file as a std::string_view of raw string literals, in pieces that every compiler takes.
set(code "#include \"report/assets.hpp\"\n\nnamespace postage::assets {\n\n")
list(LENGTH NAMES count)
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  list(GET NAMES ${i} name)
  list(GET FILES ${i} file)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${hex}")
  string(APPEND code "static const char ${name}_bytes[] = {${bytes}'\\0'};\n"
                     "const std::string_view ${name}(${name}_bytes, sizeof ${name}_bytes - 1);\n\n")
endforeach()
string(APPEND code "}  // namespace postage::assets\n")
file(WRITE ${OUT} "${code}")
