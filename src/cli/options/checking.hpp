#pragma once

#include <functional>
#include <stdexcept>
#include <string>

namespace postage {

/// What a command that checks something found.
enum class CheckResult { kClean, kFound };

/// Ends the program with a status of its own; prints the sentence, if there is one, as an error.
class EndsWith : public std::runtime_error {
 public:
  EndsWith(int status, const std::string& sentence) : std::runtime_error(sentence), status_(status) {}
  [[nodiscard]] int status() const { return status_; }

 private:
  int status_;
};

/// The action of a command that checks something: it ends with 0 where nothing was found, 1 where something was, and 2
/// where it could not check, whatever the reason, so that a script can tell these apart. An interruption is none of
/// these.
[[nodiscard]] std::function<void()> checking(std::function<CheckResult()> check);

}  // namespace postage
