// A report on a terminal: colours, and places that can be clicked (OSC 8). The text is the same.
#pragma once

#include <string_view>

#include "analyses/report/report_text.h"

namespace heddle::rt {

struct Terminal {
  bool colours;
  bool links;
};

// By the option `color`, NO_COLOR, TERM, and whether standard error is a terminal.
Terminal report_terminal();

// `file`: what the line numbers of the interleaving belong to, with its directories; null: several files, or no absolute path.
void put_for_terminal(Text& out, std::string_view report, Terminal terminal, const char* file);

}  // namespace heddle::rt
