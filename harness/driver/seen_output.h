// The list of data races that are no findings, and a note about weak orders: on stderr, or in the file that the processes of one campaign share
// (schema/seen_file.h).
#pragma once

namespace heddle::driver {

// Called in LLVMFuzzerInitialize. With -fork, libFuzzer's process only starts others, so it prints their races when it ends.
void collect_seen_of_jobs(int argc, char** argv);
void begin_seen_output();
// The process ends. A process that dies of a finding writes to the shared file only: its report lists the races of its execution.
void tell_seen(bool dying);

}  // namespace heddle::driver
