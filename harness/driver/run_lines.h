// Lines of JSON on their way into a file. They have memory of their own: after a crash the program's heap may be unusable.
#pragma once

#include <string_view>

#include "analyses/report/report_text.h"

namespace heddle::driver {

class RunLines {
 public:
  // One file at a time.
  explicit RunLines(int file) : file_(file) { text().clear(); }

  // Of the line that is being made.
  rt::Text& text() { return text_; }
  void put_string(std::string_view string);
  void put_words(const char* key, std::string_view words);
  void end_line();

  void flush();
  bool failed() const { return failed_; }

 private:
  const int file_;
  bool failed_ = false;
  static constinit rt::Text text_;
};

}  // namespace heddle::driver
