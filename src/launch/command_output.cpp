#include "launch/command_output.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace postage {
namespace {

/// What a measuring program said itself, without what its launcher adds to that; empty if it said nothing.
std::string own_words(const std::string& errors) {
  const std::string mark = "postage-measure: ";
  for (auto at = errors.find(mark); at != std::string::npos; at = errors.find(mark, at + 1)) {
    std::string line = errors.substr(at + mark.size(), errors.find('\n', at) - at - mark.size());
    if (!line.starts_with("warning")) {
      return line;
    }
  }
  return "";
}

/// All lines joined, except the launchers' frames of dashes and stars.
std::string joined_lines(const std::string& errors) {
  std::string text;
  std::size_t begin = 0;
  while (begin < errors.size()) {
    const std::size_t end = std::min(errors.find('\n', begin), errors.size());
    const std::string line = errors.substr(begin, end - begin);
    begin = end + 1;
    if (line.find_first_not_of("-=* \t") != std::string::npos) {
      text += (text.empty() ? "" : " | ") + line;
    }
  }
  constexpr std::size_t most = 600;
  return text.size() > most ? text.substr(0, most) + "..." : text;
}

}  // namespace

void CommandOutput::close_command_ends() {
  out_.close_write_end();
  err_.close_write_end();
}

bool CommandOutput::read_some(int milliseconds) {
  if (polls_[0].fd < 0 && polls_[1].fd < 0) {
    return false;
  }
  poll(polls_.data(), polls_.size(), milliseconds);
  for (std::size_t i = 0; i < polls_.size(); ++i) {
    if (polls_[i].fd >= 0 && polls_[i].revents != 0) {
      std::array<char, 65536> buffer{};
      const ssize_t count = read(polls_[i].fd, buffer.data(), buffer.size());
      if (count > 0) {
        text_[i].append(buffer.data(), static_cast<std::size_t>(count));
      } else if (count == 0 || errno != EINTR) {
        polls_[i].fd = -1;
      }
    }
  }
  return true;
}

void CommandOutput::read_rest() {
  constexpr std::size_t kMost = std::size_t{1} << 28;
  while (poll(polls_.data(), polls_.size(), 0) > 0 && text_[0].size() + text_[1].size() <= kMost && read_some(0)) {
  }
}

bool CommandOutput::show_lines(const std::function<bool(std::string_view)>& show) {
  bool took = false;
  std::string& errors = text_[1];
  for (std::size_t end = errors.find('\n', shown_); end != std::string::npos; end = errors.find('\n', shown_)) {
    if (show(std::string_view(errors).substr(shown_, end - shown_))) {
      errors.erase(shown_, end + 1 - shown_);
      took = true;
    } else {
      shown_ = end + 1;
    }
  }
  return took;
}

std::string CommandOutput::own_sentence() const {
  return own_words(text_[1]);
}

std::string CommandOutput::error_sentence() const {
  std::string own = own_sentence();
  return own.empty() ? joined_lines(text_[1]) : own;
}

}  // namespace postage
