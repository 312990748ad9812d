#pragma once

#include "launch/pipe.hpp"

#include <poll.h>

#include <array>
#include <functional>
#include <string>
#include <string_view>

namespace postage {

/// What a command writes on its standard and error output, through pipes.
class CommandOutput {
 public:
  [[nodiscard]] int out_for_command() const { return out_.write_end(); }
  [[nodiscard]] int err_for_command() const { return err_.write_end(); }
  /// Once the command has been started.
  void close_command_ends();

  /// Reads what there is, waiting at most `milliseconds`; false once both pipes are closed.
  bool read_some(int milliseconds);
  /// Reads what is left in the pipes of a command that has ended.
  void read_rest();

  /// Shows each new whole line of the error output; true if one was taken, which then is no longer in the text.
  bool show_lines(const std::function<bool(std::string_view)>& show);

  [[nodiscard]] const std::string& standard() const { return text_[0]; }
  /// What a measuring program said itself; empty if it said nothing.
  [[nodiscard]] std::string own_sentence() const;
  /// What the error output says, in one line: a measuring program's own sentence, or else all without frames of dashes.
  [[nodiscard]] std::string error_sentence() const;

 private:
  Pipe out_;
  Pipe err_;
  std::array<pollfd, 2> polls_{{{out_.read_end(), POLLIN, 0}, {err_.read_end(), POLLIN, 0}}};
  std::array<std::string, 2> text_;
  std::size_t shown_ = 0;
};

}  // namespace postage
