#include "harness/cli/target_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "harness/cli/deadline.h"
#include "harness/cli/files.h"
#include "schema/codec.h"

namespace heddle::cli {
namespace {

// Runs in the child and never returns.
[[noreturn]] void become_target(const TargetRun& run, const std::string& path, std::vector<char*>& arguments, int output,
                                int failure) {
  const int current = personality(0xFFFFFFFF);
  if (current != -1) {
    personality(run.randomise_addresses ? current & ~ADDR_NO_RANDOMIZE : current | ADDR_NO_RANDOMIZE);
  }
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, 0);
  dup2(output, 1);
  dup2(output, 2);
  execv(path.c_str(), arguments.data());
  const int reason = errno;
  if (write(failure, &reason, sizeof reason) < 0) _exit(kInternal);
  _exit(kInternal);
}

int milliseconds_left(std::chrono::steady_clock::time_point end) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
  return left.count() > 0 ? static_cast<int>(left.count()) : 0;
}

// Reads until the last writer has closed the pipe. False: the time is up.
bool collect(int from, unsigned seconds, std::string& output) {
  constexpr size_t kKept = 1 << 22;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  char buffer[65536];
  for (;;) {
    pollfd ready{from, POLLIN, 0};
    const int n = poll(&ready, 1, Deadline::milliseconds_left(static_cast<unsigned>(milliseconds_left(end))));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    const ssize_t got = read(from, buffer, sizeof buffer);
    if (got <= 0) return true;
    if (output.size() < kKept) output.append(buffer, static_cast<size_t>(got));
  }
}

constexpr char kUsersOptions[] = "HEDDLE_OPTIONS_OF_USER";

}  // namespace

std::vector<uint8_t> stand_in_for_empty() { return encode_schedule(Schedule()); }

std::string joined_options(const std::string& ours) {
  const char* theirs = std::getenv("HEDDLE_OPTIONS");
  return theirs != nullptr && *theirs != 0 ? std::string(theirs) + ":" + ours : ours;
}

std::string options_of_readers(const std::string& known) {
  const char* theirs = std::getenv("HEDDLE_OPTIONS");
  // Targets of older versions do not know the second option.
  return "known='" + known + "'" + (theirs != nullptr && std::strstr(theirs, "report=") != nullptr ? ":report=full" : "");
}

std::string runnable_path(const std::string& binary) { return binary.find('/') == std::string::npos ? "./" + binary : binary; }

TargetResult run_target(const TargetRun& run) {
  const std::string path = runnable_path(run.binary);
  if (access(path.c_str(), X_OK) != 0) {
    throw Failure(kUsage, fmt::format("cannot run {}: {}", run.binary, std::strerror(errno)));
  }
  std::vector<std::string> words = {path};
  words.insert(words.end(), run.arguments.begin(), run.arguments.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  int output[2], failure[2];
  if (pipe2(output, O_CLOEXEC) != 0 || pipe2(failure, O_CLOEXEC) != 0) {
    throw Failure(kInternal, fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  // The command has one thread, so changing its environment around a fork is safe.
  const char* before = std::getenv("HEDDLE_OPTIONS");
  const std::string saved = before != nullptr ? before : "";
  const bool had = before != nullptr;
  setenv("HEDDLE_OPTIONS", joined_options(run.heddle_options).c_str(), 1);
  setenv(kUsersOptions, saved.c_str(), 1);  // what a report shows
  const pid_t child = fork();
  if (child == 0) become_target(run, path, arguments, output[1], failure[1]);
  unsetenv(kUsersOptions);
  had ? setenv("HEDDLE_OPTIONS", saved.c_str(), 1) : unsetenv("HEDDLE_OPTIONS");
  close(output[1]);
  close(failure[1]);
  if (child < 0) throw Failure(kInternal, fmt::format("cannot start a process: {}", std::strerror(errno)));

  TargetResult result;
  int reason = 0;
  const bool started = read(failure[0], &reason, sizeof reason) != sizeof reason;
  result.timed_out = !collect(output[0], run.timeout_seconds, result.output);
  if (result.timed_out) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  close(output[0]);
  close(failure[0]);
  if (!started) throw Failure(kUsage, fmt::format("cannot run {}: {}", run.binary, std::strerror(reason)));
  if (result.timed_out && Deadline::passed()) throw OutOfTime();
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (result.exit_code == kUsage) refuse_wrong_options(result.output);
  return result;
}

std::string last_line(std::string output) {
  while (!output.empty() && output.back() == '\n') output.pop_back();
  return output.substr(output.rfind('\n') + 1);
}

void refuse_wrong_options(const std::string& output) {
  constexpr std::string_view kName = "heddle: ", kOptions = "heddle: HEDDLE_OPTIONS: ";
  const std::string line = last_line(output);
  if (line.starts_with(kOptions)) throw Failure(kUsage, line.substr(kName.size()));
}

std::string summary_line(const std::string& output) {
  // If the target fails by itself, libFuzzer's own line comes after heddle's or a sanitizer's, and tells less. So does the line of UBSan's
  // handler for signals.
  size_t begin = output.find("SUMMARY: HeddleSanitizer:");
  if (begin == std::string::npos) begin = output.rfind("SUMMARY:");
  while (begin != std::string::npos && begin != 0 && output.compare(begin, 19, "SUMMARY: libFuzzer:") == 0) {
    const size_t earlier = output.rfind("SUMMARY:", begin - 1);
    if (earlier == std::string::npos) break;
    begin = earlier;
  }
  if (begin == std::string::npos) return {};
  return output.substr(begin, output.find('\n', begin) - begin);
}

}  // namespace heddle::cli
