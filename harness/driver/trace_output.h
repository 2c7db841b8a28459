// Recorded runs and the table of sites as files: HEDDLE_OPTIONS trace_path, trace_text, sites_path, sites_wanted.
#pragma once

namespace heddle::driver {

// Call it before the engine's first execution, so that a run is saved before an analysis ends the process.
void install_trace_output();

// The process ends in the middle of an execution. Writes the part recorded so far.
void save_unfinished_trace();

// The program's own executions begin. Earlier runs were the certificate's probe.
void begin_trace_output();

}  // namespace heddle::driver
