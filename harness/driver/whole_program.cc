#include "harness/driver/whole_program.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "base/exit_codes.h"
#include "base/line.h"
#include "base/options.h"
#include "engine/program_exit.h"
#include "harness/driver/arguments.h"
#include "harness/driver/constructors.h"
#include "harness/driver/payload_file.h"
#include "harness/driver/target.h"
#include "restore/exit_handlers.h"
#include "trace/comparisons.h"
#include "trace/recorder.h"

extern "C" int __cxa_atexit(void (*function)(void*), void* argument, void* dso) noexcept;

namespace heddle::driver {
namespace {

struct State {
  std::vector<std::string> arguments;
  bool reads_file = false;
  PayloadFile file, input;
};

State& state() {
  static auto* the = new State;  // never destroyed
  return *the;
}

[[noreturn]] void refuse(const char* why) {
  rt::print_line(2, "heddle: HEDDLE_OPTIONS: %s\n", why);
  _exit(rt::kUsageExit);
}

constexpr std::string_view kFileMark = "@@";

// Each execution gets its own copy, because programs write into their arguments. As in a process, it is on the main thread's stack.
int run_main(int argc, char** argv, char* text) {
  int i = 0;
  for (const std::string& argument : state().arguments) {
    argv[i++] = text;
    std::memcpy(text, argument.c_str(), argument.size() + 1);
    text += argument.size() + 1;
  }
  argv[argc] = nullptr;
  run_constructors(argc, argv, __environ);
  return __real_main(argc, argv, __environ);
}

}  // namespace

bool is_program() { return rt::program_target(); }

void become_ordinary() { rt::give_back_early_handlers(&__cxa_atexit); }

void remember_arguments(int argc, char** argv) {
  State& s = state();
  s.arguments.assign(1, argc > 0 ? argv[0] : "program");
  if (!split_arguments(rt::options().args, s.arguments)) refuse("args: missing closing quote");
  for (size_t i = 1; i < s.arguments.size(); ++i) {
    std::string& argument = s.arguments[i];
    const size_t at = argument.find(kFileMark);
    if (at == std::string::npos) continue;
    if (!s.file.make()) refuse("args: cannot create the file for @@");
    s.reads_file = true;
    argument.replace(at, kFileMark.size(), s.file.path());
  }
  // Never the terminal or pipe of the fuzzer: an execution must have the same input each time.
  if (rt::options().stdin_payload) {
    if (!s.input.make()) refuse("stdin: cannot create the file");
  } else {
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing > 0) {
      dup2(nothing, 0);
      close(nothing);
    }
  }
}

int program_body(const uint8_t* payload, size_t size) {
  rt::forget_exit_handlers();
  State& s = state();
  size_t characters = 0;
  {
    const rt::Uncontrolled outside;
    if (s.reads_file) s.file.fill(payload, size);
    if (rt::options().stdin_payload) {
      s.input.fill(payload, size);
      dup2(s.input.descriptor(), 0);
    }
    if (s.reads_file || rt::options().stdin_payload) {
      rt::recorder().summary.flags |= kRunPayloadRead;
      rt::comparisons().payload_is_read();
    }
    for (const std::string& argument : s.arguments) characters += argument.size() + 1;
  }
  rt::begin_program();
  const int argc = static_cast<int>(s.arguments.size());
  auto** const argv = static_cast<char**>(__builtin_alloca((s.arguments.size() + 1) * sizeof(char*)));
  const int status = run_main(argc, argv, static_cast<char*>(__builtin_alloca(characters)));
  const auto main_begins = reinterpret_cast<uintptr_t>(&__real_main) + 1;
  rt::exit_program(status, rt::Ending::handlers, {main_begins, 0}, "main's return");
}

}  // namespace heddle::driver
