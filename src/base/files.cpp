#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <system_error>

namespace postage {
namespace {

constexpr std::size_t kReadAtOnce = 1 << 16;
/// /dev/zero has no end.
constexpr std::size_t kMostOfDevice = std::size_t{1} << 30;

Error cannot(std::string_view do_what, const std::filesystem::path& path, const std::string& why) {
  return Error(fmt::format("cannot {} {}: {}", do_what, path.string(), why));
}

/// Whoever named the file can name another.
UsageError unreadable(const std::filesystem::path& path, const std::string& why) {
  return UsageError(cannot("read", path, why).what());
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

/// Writes values that fit on one line, and the members of longer ones on lines of their own; numbers and arrays within
/// arrays, as the points of a curve, fill their lines.
class LineWriter {
 public:
  std::string write(const Json& value) {
    append(value, 0);
    return std::move(text_);
  }

 private:
  static constexpr std::size_t kWidth = 120;

  void append(const Json& value, std::size_t indent) {
    std::string line = value.dump();
    const bool is_nested = value.is_array() || value.is_object();
    if (!is_nested || line.size() + indent <= kWidth) {
      text_ += line;
    } else if (value.is_array()) {
      append_items(value, indent);
    } else {
      append_members(value, indent);
    }
  }

  void append_items(const Json& array, std::size_t indent) {
    text_ += '[';
    bool shares_line = false;
    for (const Json& item : array) {
      const std::size_t size = item.is_object() ? kWidth : item.dump().size();
      const bool fits = text_.size() - line_start_ + size + 2 <= kWidth;  // with a comma on either side
      separate();
      if (!shares_line || !fits) {
        start_line(indent + 1);
      }
      shares_line = indent + 1 + size <= kWidth && !item.is_object();
      append(item, indent + 1);
    }
    start_line(indent);
    text_ += ']';
  }

  void append_members(const Json& object, std::size_t indent) {
    text_ += '{';
    for (const JsonMember& member : object.members()) {
      separate();
      start_line(indent + 1);
      text_ += Json(member.name).dump() + ": ";
      append(member.value, indent + 1);
    }
    start_line(indent);
    text_ += '}';
  }

  void separate() {
    if (text_.back() != '[' && text_.back() != '{') {
      text_ += ',';
    }
  }

  void start_line(std::size_t indent) {
    text_ += '\n';
    line_start_ = text_.size();
    text_.append(indent, ' ');
  }

  std::string text_;
  std::size_t line_start_ = 0;
};

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) {
    throw unreadable(path, "it is a folder");
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    throw unreadable(path, std::strerror(errno));
  }
  const bool may_be_endless = !std::filesystem::is_regular_file(path, failure);
  std::string content;
  while (in) {
    const std::size_t size = content.size();
    content.resize(size + kReadAtOnce);
    in.read(content.data() + size, kReadAtOnce);
    content.resize(size + static_cast<std::size_t>(in.gcount()));
    if (may_be_endless && content.size() > kMostOfDevice) {
      throw cannot("read", path, "it is no regular file, and more than 1 GiB comes out of it");
    }
  }
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
    throw UsageError(fmt::format("{} is not valid JSON: {}", path.string(), mistake.what()));
  }
}

void write_json(const std::filesystem::path& path, const Json& value) {
  write_file(path, LineWriter().write(value) + "\n");
}

void check_envelope(const Json& value, std::string_view format, int newest_version, const std::filesystem::path& path) {
  const bool well_formed = value.is_object() && value.contains("format") && value["format"].is_text() &&
                           value.contains("version") && value["version"].is_integer();
  if (!well_formed || value["format"].text() != format) {
    throw UsageError(fmt::format("{} is not a {} file: it has no \"format\": \"{}\" with an integer \"version\"",
                                 path.string(), format, format));
  }
  const std::int64_t version = value["version"].integer();
  if (version < 1 || version > newest_version) {
    throw UsageError(
        fmt::format("{} has version {} of the {} format; this postage reads versions 1 to {}: use a newer one",
                    path.string(), version, format, newest_version));
  }
}

}  // namespace postage
