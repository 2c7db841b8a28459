// A process that makes executions for the server of requests (requests.h).
//
// When an execution has passed, it answers and takes the next request, as in a fuzzing campaign: starting a process takes a hundred times as long
// as a small execution. A finding ends the process, and the server starts the next one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "analyses/report/report.h"
#include "analyses/report/symbolizer_memory.h"
#include "schema/request.h"

namespace heddle::driver {

// What a worker tells the server, and the workers after it. They share this memory: the worker writes while it runs, the server before and after.
struct WorkerResult {
  bool alone;        // each execution has a process of its own
  uint32_t made;     // executions of this worker, with the present one
  uint64_t later_passed, later_found;  // executions of all workers that were not the first of their process
  Request request;   // the last one that the worker has taken
  bool answered;     // and has replied to
  RequestOutcome outcome;
  uint32_t trace_size;
  uint64_t trace_hash;
  uint64_t processor_before;  // nanoseconds that the target had used before this worker; for the server's own answers 0
  size_t donors;     // threads that executions have needed
  rt::FindingMemory findings;
  rt::SymbolizerMemory symbols;

  // Before each execution: whatever happens then, nothing of the last one is told.
  void begin_execution() {
    answered = false;
    outcome = RequestOutcome::unfinished;
    trace_size = 0;
    trace_hash = 0;
    findings = {};
  }
};

// That this process has used, and those that it has waited for.
uint64_t processor_nanoseconds();

// Executions that were not the first of their process are made again in a process of their own, and the two are compared: `count` is how many there
// were with this outcome.
inline bool is_compared(uint64_t count) { return count <= 8 || (count & (count - 1)) == 0; }

// How the worker and the server speak with the command.
struct RequestChannel {
  uint8_t* memory;  // kRequestMemory bytes
  int socket;

  bool take(Request& request) const;  // false: the command has closed it
  // `status`: of the execution's process, as of waitpid. 0 while it runs.
  bool answer(const WorkerResult& result, int status) const;
};

// Begins with result.request. REQUIRES: begin_execution() was called, and `made` is 0. Ends without an answer to the last one if that has a finding or is to be compared.
[[noreturn]] void work(WorkerResult& result, const RequestChannel& channel);

}  // namespace heddle::driver
