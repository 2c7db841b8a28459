#include "harness/cli/target_server.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "harness/cli/deadline.h"
#include "harness/cli/target_process.h"

namespace heddle::cli {
namespace {

// The program's own descriptors begin at the lowest free numbers.
constexpr int kMemoryNumber = 300, kSocketNumber = 301;
constexpr unsigned kStartMilliseconds = 60'000;
constexpr unsigned kGrace = 20'000;  // a report of a time-out also takes time

// Nobody reads the reports, and a symbolizer for each takes longer than the executions.
constexpr char kUnread[] = ":symbolize=0:report=short:exit_on_finding=1";
void switch_off_symbolizers() {
  for (const char* const name : {"ASAN_OPTIONS", "UBSAN_OPTIONS"}) {
    const char* const users = getenv(name);
    setenv(name, (users != nullptr ? std::string(users) + ":symbolize=0" : std::string("symbolize=0")).c_str(), 1);
  }
}

// Runs in the child and never returns.
[[noreturn]] void become_server(const std::string& binary, const std::string& input, const std::string& options, const std::string& log, int memory,
                                int socket) {
  const int nothing = open("/dev/null", O_RDONLY), out = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(nothing, 0);
  dup2(out, 1);
  dup2(out, 2);
  close(nothing);
  close(out);
  if (dup2(memory, kMemoryNumber) < 0 || dup2(socket, kSocketNumber) < 0) _exit(kInternal);
  switch_off_symbolizers();
  setenv("HEDDLE_OPTIONS", options.c_str(), 1);
  setenv(kRequestVariable, fmt::format("{},{}", kMemoryNumber, kSocketNumber).c_str(), 1);
  execl(binary.c_str(), binary.c_str(), input.c_str(), nullptr);
  _exit(kInternal);
}

}  // namespace

TargetServer::TargetServer(std::string binary, const std::string& options) : binary_(runnable_path(binary)), options_(joined_options(options + kUnread)), quick_verdict_(getenv(kQuickVerdictVariable) != nullptr) {
  memory_file_ = memfd_create("heddle requests", MFD_CLOEXEC);
  if (memory_file_ < 0 || ftruncate(memory_file_, kRequestMemory) != 0) {
    throw Failure(kInternal, fmt::format("cannot share memory with the target: {}", std::strerror(errno)));
  }
  void* const at = mmap(nullptr, kRequestMemory, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory_file_, 0);
  if (at == MAP_FAILED) throw Failure(kInternal, fmt::format("cannot share memory with the target: {}", std::strerror(errno)));
  memory_ = static_cast<uint8_t*>(at);
  const auto input = stand_in_for_empty();
  write_file(scratch_.file("input"), input.data(), input.size());
}

TargetServer::~TargetServer() {
  stop();
  if (memory_ != nullptr) munmap(memory_, kRequestMemory);
  if (memory_file_ >= 0) close(memory_file_);
}

void TargetServer::stop() {
  if (process_ < 0) return;
  close(socket_);
  kill(process_, SIGKILL);  // an execution under way ends with it
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  socket_ = -1;
  ended_ += std::exchange(present_, 0);
}

bool TargetServer::receive(void* out, size_t size, unsigned milliseconds) {
  pollfd ready{socket_, POLLIN, 0};
  int n;
  while ((n = poll(&ready, 1, Deadline::milliseconds_left(milliseconds))) < 0 && errno == EINTR) {
  }
  return n > 0 && recv(socket_, out, size, MSG_WAITALL) == static_cast<ssize_t>(size);
}

void TargetServer::refuse() {
  if (Deadline::passed()) {
    stop();
    throw OutOfTime();
  }
  const auto bytes = read_file(scratch_.file("log"));
  const std::string said = last_line(std::string(bytes.begin(), bytes.end()));
  stop();
  refuse_wrong_options(said);
  throw Failure(kInternal, fmt::format("{} does not answer{}{} (was it built with this version of heddle?)", binary_, said.empty() ? "" : ": ", said));
}

void TargetServer::start() {
  if (access(binary_.c_str(), X_OK) != 0) throw Failure(kUsage, fmt::format("cannot run {}: {}", binary_, std::strerror(errno)));
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw Failure(kInternal, fmt::format("cannot make a socket: {}", std::strerror(errno)));
  const std::string input = scratch_.file("input"), log = scratch_.file("log");
  process_ = fork();
  if (process_ == 0) become_server(binary_, input, options_, log, memory_file_, ends[1]);
  close(ends[1]);
  socket_ = ends[0];
  if (process_ < 0) throw Failure(kInternal, fmt::format("cannot start a process: {}", std::strerror(errno)));
  RequestReady ready;
  if (!receive(&ready, sizeof ready, kStartMilliseconds) || ready.version != kRequestVersion) refuse();
}

Execution TargetServer::run(std::span<const uint8_t> input, unsigned milliseconds) {
  if (process_ < 0) start();
  ++executions_;
  const Request request = {static_cast<uint32_t>(std::min(input.size(), kRequestInput)), milliseconds, quick_verdict_};
  if (request.input_size != 0) std::memcpy(memory_, input.data(), request.input_size);
  RequestReply reply;
  if (send(socket_, &request, sizeof request, MSG_NOSIGNAL) != sizeof request) refuse();
  Execution execution;
  if (!receive(&reply, sizeof reply, milliseconds + kGrace)) {
    stop();  // the next execution starts it again
    if (Deadline::passed()) throw OutOfTime();
    execution.timed_out = true;
    return execution;
  }
  present_ = reply.processor_nanoseconds;
  execution.timed_out = reply.outcome == RequestOutcome::timed_out;
  execution.found = reply.outcome != RequestOutcome::passed;
  execution.signature = reply.signature;
  execution.kind = reply.kind;
  execution.only_spins = reply.only_spins != 0;
  execution.has_trace = reply.trace_size != 0 && reply.trace_size <= kRequestTrace &&
                        decode_trace({memory_ + kRequestInput, reply.trace_size}, execution.trace);
  return execution;
}

}  // namespace heddle::cli
