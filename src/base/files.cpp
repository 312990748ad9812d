#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

namespace postage {
namespace {

Error cannot(std::string_view do_what, const std::filesystem::path& path, const std::string& why) {
  return Error(fmt::format("cannot {} {}: {}", do_what, path.string(), why));
}

/// An interruption waits until the file has its name, so that no half of it stays beside it.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t held;
    sigemptyset(&held);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      sigaddset(&held, signal);
    }
    pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_{};
};

/// Values that fit are on one line.
constexpr std::size_t kLineWidth = 120;

/// Arrays and objects that are longer have their items on lines of their own.
void append_lines(const Json& value, std::size_t indent, std::string& text) {
  std::string line = value.dump();
  const bool is_nested = value.is_array() || value.is_object();
  if (!is_nested || line.size() + indent <= kLineWidth) {
    text += line;
    return;
  }
  const std::string margin = "\n" + std::string(indent + 1, ' ');
  std::string_view separator = "";
  const auto next = [&] {
    text += separator;
    text += margin;
    separator = ",";
  };
  text += value.is_array() ? "[" : "{";
  if (value.is_array()) {
    for (const Json& item : value) {
      next();
      append_lines(item, indent + 1, text);
    }
  } else {
    for (const JsonMember& member : value.members()) {
      next();
      text += Json(member.name).dump() + ": ";
      append_lines(member.value, indent + 1, text);
    }
  }
  text += margin.substr(0, indent + 1);
  text += value.is_array() ? "]" : "}";
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) {
    throw cannot("read", path, "it is a folder");
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    throw cannot("read", path, std::strerror(errno));
  }
  std::string content{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) {
    throw cannot("read", path, std::strerror(errno));
  }
  return content;
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  std::error_code failure;
  if (path.has_parent_path()) {
    std::filesystem::create_directories(path.parent_path(), failure);
    if (failure) {
      throw cannot("create the folder of", path, failure.message());
    }
  }
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path)) {
    // A device or a pipe (/dev/stdout) cannot be replaced by a rename.
    std::ofstream out(path, std::ios::binary);
    if (!out.write(content.data(), static_cast<std::streamsize>(content.size())).flush()) {
      throw cannot("write", path, std::strerror(errno));
    }
    return;
  }
  const SignalsHeld held;
  auto temporary = path;
  temporary += fmt::format(".{}.tmp", getpid());
  {
    std::ofstream out(temporary, std::ios::binary);
    if (!out || !out.write(content.data(), static_cast<std::streamsize>(content.size())).flush()) {
      const std::string why = std::strerror(errno);
      std::filesystem::remove(temporary, failure);
      throw cannot("write", path, why);
    }
  }
  std::filesystem::rename(temporary, path, failure);
  if (failure) {
    const std::string why = failure.message();
    std::filesystem::remove(temporary, failure);
    throw cannot("write", path, why);
  }
}

Json read_json(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  try {
    return Json::parse(text);
  } catch (const Error& mistake) {
    throw Error(fmt::format("{} is not valid JSON: {}", path.string(), mistake.what()));
  }
}

void write_json(const std::filesystem::path& path, const Json& value) {
  std::string text;
  append_lines(value, 0, text);
  write_file(path, text + "\n");
}

void check_envelope(const Json& value, std::string_view format, int newest_version, const std::filesystem::path& path) {
  const bool well_formed = value.is_object() && value.contains("format") && value["format"].is_text() &&
                           value.contains("version") && value["version"].is_integer();
  if (!well_formed || value["format"].text() != format) {
    throw Error(fmt::format("{} is not a {} file: it has no \"format\": \"{}\" with an integer \"version\"",
                            path.string(), format, format));
  }
  const std::int64_t version = value["version"].integer();
  if (version < 1 || version > newest_version) {
    throw Error(fmt::format("{} has version {} of the {} format; this postage reads versions 1 to {}: use a newer one",
                            path.string(), version, format, newest_version));
  }
}

}  // namespace postage
