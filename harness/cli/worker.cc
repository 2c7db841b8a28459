#include "harness/cli/worker.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "schema/seen_file.h"

namespace heddle::cli {
namespace {

constexpr size_t kKeptOutput = 1 << 20;

}  // namespace

Worker::Worker(std::string figures, std::string log, std::string seen)
    : figures_path_(std::move(figures)),
      log_path_(std::move(log)),
      seen_path_(std::move(seen)) {
  const LiveFigures nothing = {};
  write_file(figures_path_, &nothing, sizeof nothing);
  const int file = open(figures_path_.c_str(), O_RDWR | O_CLOEXEC);
  void* const at =
      file < 0 ? MAP_FAILED
               : mmap(nullptr, sizeof(LiveFigures), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (file >= 0) close(file);
  if (at == MAP_FAILED)
    throw Failure(kInternal, fmt::format("cannot share {} with the target: {}", figures_path_,
                                         std::strerror(errno)));
  figures_ = static_cast<LiveFigures*>(at);
  log_ = open(log_path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (log_ < 0)
    throw Failure(kUsage, fmt::format("cannot write {}: {}", log_path_, std::strerror(errno)));
}

Worker::~Worker() {
  if (running()) {
    kill(process_, SIGKILL);
    reap();
  }
  if (figures_ != nullptr) munmap(figures_, sizeof(LiveFigures));
  if (log_ >= 0) close(log_);
}

void Worker::start(const std::vector<std::string>& words, const std::string& options) {
  before_ = total();
  *figures_ = {};
  int pipe[2];
  if (pipe2(pipe, O_CLOEXEC) != 0)
    throw Failure(kInternal, fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  process_ = fork();
  if (process_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, 0);
    dup2(pipe[1], 1);
    dup2(pipe[1], 2);
    setenv("HEDDLE_OPTIONS", options.c_str(), 1);
    setenv(kLiveFiguresVariable, figures_path_.c_str(), 1);
    setenv(kSeenFileVariable, seen_path_.c_str(), 1);
    execv(arguments[0], arguments.data());
    const std::string line =
        fmt::format("heddle: cannot run {}: {}\n", arguments[0], std::strerror(errno));
    if (write(2, line.data(), line.size()) < 0) _exit(kInternal);
    _exit(kInternal);
  }
  close(pipe[1]);
  output_ = pipe[0];
  if (process_ < 0)
    throw Failure(kInternal, fmt::format("cannot start a process: {}", std::strerror(errno)));
  begun_ = std::chrono::steady_clock::now();
  printed_.clear();
  line_.clear();
}

bool Worker::read_output(const std::function<void(const std::string&)>& line) {
  char buffer[65536];
  const ssize_t got = read(output_, buffer, sizeof buffer);
  if (got < 0 && errno == EINTR) return true;
  if (got <= 0) {
    if (!line_.empty()) line(line_);
    reap();
    return false;
  }
  const std::string_view text(buffer, static_cast<size_t>(got));
  for (size_t at = 0; at < text.size();) {  // a full disk does not stop the search
    const ssize_t written = write(log_, text.data() + at, text.size() - at);
    if (written <= 0) break;
    at += static_cast<size_t>(written);
  }
  printed_ += text;
  if (printed_.size() > 2 * kKeptOutput) printed_.erase(0, printed_.size() - kKeptOutput);
  line_ += text;
  size_t begin = 0;
  for (size_t end; (end = line_.find('\n', begin)) != std::string::npos; begin = end + 1)
    line(line_.substr(begin, end - begin));
  line_.erase(0, begin);
  return true;
}

void Worker::reap() {
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  close(output_);
  process_ = -1;
  output_ = -1;
}

void Worker::interrupt(int signal) const {
  if (running()) kill(process_, signal);
}

double Worker::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
}

LiveFigures Worker::total() const {
  LiveFigures out = *figures_;
  out.executions += before_.executions;
  out.orders = std::max(out.orders, before_.orders);
  out.pairs = std::max(out.pairs, before_.pairs);
  out.both_ways = std::max(out.both_ways, before_.both_ways);
  return out;
}

}  // namespace heddle::cli
