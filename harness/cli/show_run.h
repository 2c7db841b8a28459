// heddle show --html, --svg and --dot: a run of a saved input, or a recorded one, as a page, a picture or a graph.
#pragma once

#include <string>

namespace heddle::cli {

enum class RunForm { none, html, svg, dot };

struct ShowRun {
  RunForm form = RunForm::none;
  std::string file, target, output;  // output: empty: FILE.html for a page, else standard output; "-": standard output
  bool source = true;
  unsigned timeout = 60;  // seconds
};

// Throws Failure.
void show_run(const ShowRun& what);

}  // namespace heddle::cli
