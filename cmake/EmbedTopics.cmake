# cmake -DOUT=file.cpp -DFILES="a.md;b.md" -P EmbedTopics.cmake
# Writes the documents as what topic_texts() (src/cli/manual/topics.hpp) returns, each by its name without the ending.
set(table "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND table "    {\"${name}\", R\"topic(${text})topic\"},\n")
endforeach()
file(WRITE ${OUT} "#include \"cli/manual/topics.hpp\"

namespace postage {

std::span<const TopicText> topic_texts() {
  static constexpr TopicText all[] = {
${table}  };
  return all;
}

}  // namespace postage
")
