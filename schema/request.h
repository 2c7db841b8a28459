// How the command asks a target for many executions. The target forks processes that make them (harness/driver/request_worker.h). All begin with
// the same state, as if each were the only execution of its process.
//
// The command starts the target with one file and the variable kRequestVariable. In place of the first execution, the target sends a
// RequestReady. Then, for each request, the command writes the input into the shared memory and sends a Request. The target answers with a
// RequestReply, and has left the recorded run there, encoded as a trace. Closing the socket ends the target.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle {

// "MEMORY,SOCKET": two descriptors that the target inherits.
inline constexpr char kRequestVariable[] = "HEDDLE_REQUESTS";
// The same verdict as with Request::quick_verdict, for the executions of a process that serves no requests.
inline constexpr char kQuickVerdictVariable[] = "HEDDLE_QUICK_VERDICT";
inline constexpr uint32_t kRequestVersion = 4;

struct RequestReady {
  uint32_t version;
};

struct Request {
  uint32_t input_size;
  uint32_t milliseconds;  // the time limit
  uint32_t quick_verdict; // 1: threads that only spin are soon a livelock (engine/spin_verdict.h)
};

enum class RequestOutcome : uint32_t {
  unfinished,  // the process ended in another way
  passed,
  finding,
  timed_out,  // by the request's limit; `signature` is that of the report
};

struct RequestReply {
  RequestOutcome outcome;
  int32_t status;  // as of waitpid; 0 if the process goes on
  uint64_t signature;
  uint32_t findings;  // how many
  uint32_t kind;      // of the first one (FindingType); 0: there is none
  uint32_t only_spins;  // 1: the first one says that the threads only spin
  uint32_t trace_size;  // 0: there is no trace, or it is too large
  uint64_t processor_nanoseconds;  // that the target's processes have used so far
};

inline constexpr size_t kRequestInput = size_t{1} << 20;
inline constexpr size_t kRequestTrace = size_t{64} << 20;
inline constexpr size_t kRequestMemory = kRequestInput + kRequestTrace;  // the input, then the trace

}  // namespace heddle
