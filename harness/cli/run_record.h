// One execution of a saved input, with what the target tells about it.
#pragma once

#include <string>

#include "schema/trace_file.h"

namespace heddle::cli {

struct RunRecord {
  StoredTrace trace;
  std::string words;   // lines of JSON (harness/driver/run_output.h)
  std::string output;  // of the target
};

// `options` are added to HEDDLE_OPTIONS. Throws Failure if there is nothing to show.
RunRecord record_run(const std::string& target, const std::string& file, unsigned timeout_seconds,
                     const std::string& options = {});

}  // namespace heddle::cli
