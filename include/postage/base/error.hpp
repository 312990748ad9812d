#pragma once

#include <stdexcept>
#include <string>

namespace postage {

/// The text with "\x1b" for a control character like escape, but line ends and tabs as they are: what files and options
/// hold is quoted in sentences, and neither ends one early nor drives a terminal.
[[nodiscard]] std::string printable(const std::string& text);

/// Something that could not be done: one clear sentence for the user, exit status 1.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& sentence) : std::runtime_error(printable(sentence)) {}
};

/// An invalid request: the sentence names the option, file or line and says what would be right; exit
/// status 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// Somebody asked to stop: one clear sentence, exit status 130 (SIGINT) or 143 (SIGTERM). It is no Error: those who can
/// do without what failed go on after an Error.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// "NAME: valid ones are A, B, C": the sentence for a name that is not in a list.
[[nodiscard]] std::string unknown_name(const std::string& what, const std::string& name, const std::string& valid);

}  // namespace postage
