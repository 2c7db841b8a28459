// Does a build, or an execution of another target, start this whole program? Neither wants a fuzzer, which would not end. configure, CMake and make run
// the programs that they have just compiled.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/afl.h"
#include "base/in_execution.h"
#include "base/line.h"
#include "base/options.h"
#include "base/path.h"
#include "harness/driver/whole_program.h"

namespace heddle::driver {
namespace {

using namespace std::literals;

constexpr int kAncestors = 6;

// Programs that build systems compile for a test: autoconf's, CMake's, Meson's.
bool is_probe(const char* path) {
  const std::string_view name = rt::base_name(path);
  for (const std::string_view probe : {"conftest"sv, "cmTC_"sv, "CMakeCC"sv, "sanitycheckc"sv}) {
    if (name.substr(0, probe.size()) == probe) return true;
  }
  // CMake's try_run copies what it has built. CMake's own compiler checks run a.out.
  return std::string_view(path).find("/CMakeFiles/") != std::string_view::npos ||
         std::string_view(path).find("/meson-private/") != std::string_view::npos;
}

// The beginning of a file about a process, and its size; 0: it cannot be read.
size_t read_about(int id, const char* what, char (&text)[512]) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/%s", id, what);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t n = read(file, text, sizeof text - 1);
  close(file);
  if (n <= 0) return 0;
  text[n] = 0;
  return static_cast<size_t>(n);
}

// The process's parent, and its name in the kernel. False: the process cannot be read.
bool process(int id, int& parent, char (&name)[64]) {
  char text[512];
  if (read_about(id, "stat", text) == 0) return false;
  const char* const open_bracket = std::strchr(text, '(');
  const char* const close_bracket = std::strrchr(text, ')');
  if (open_bracket == nullptr || close_bracket == nullptr) return false;
  std::snprintf(name, sizeof name, "%.*s", static_cast<int>(close_bracket - open_bracket - 1), open_bracket + 1);
  return std::sscanf(close_bracket + 1, " %*c %d", &parent) == 1;
}

// A script that a shell runs (`sh ./configure`) has the shell's name in the kernel: then the script is the second word of the command line.
bool runs_configure(int id, std::string_view name) {
  const auto is_configure = [](std::string_view word) { return word == "configure"sv || word == "Configure"sv; };
  if (is_configure(name)) return true;
  if (name != "sh"sv && name != "bash"sv && name != "dash"sv) return false;
  char words[512];
  const size_t size = read_about(id, "cmdline", words);
  if (size == 0) return false;
  const size_t script = std::strlen(words) + 1;
  return script < size && is_configure(rt::base_name(words + script));
}

// The name of the build tool; empty: none.
std::string_view build_tool() {
  int id = getppid();
  for (int i = 0; i < kAncestors && id > 1; ++i) {
    char name[64];
    int parent = 0;
    if (!process(id, parent, name)) return {};
    for (const std::string_view tool : {"make"sv, "gmake"sv, "bmake"sv, "ninja"sv, "samu"sv, "ctest"sv, "meson"sv, "scons"sv}) {
      if (name == tool) return tool;
    }
    if (runs_configure(id, name)) return "configure"sv;
    id = parent;
  }
  return {};
}

// The form -name=value, which all libFuzzer options have. Programs rarely use it; they use --name=value or -n value.
bool engine_option(std::string_view word) {
  constexpr size_t kShortest = 4;  // -runs, -seed
  const size_t name = word.find('=');
  return word.substr(0, 1) == "-" && name != word.npos && name > kShortest && word.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789", 1) == name;
}

// True if the user wants the fuzzing engine: there is an option or an environment variable for it.
bool addressed(int argc, char** argv) {
  const char* options = std::getenv("HEDDLE_OPTIONS");
  if (options != nullptr && *options != 0) return true;
  if (rt::afl_linked() && (std::getenv("__AFL_SHM_ID") != nullptr || std::getenv("AFL_MAP_SIZE") != nullptr)) return true;
  for (int i = 1; i < argc; ++i) {
    if (engine_option(argv[i])) return true;
  }
  return false;
}

}  // namespace

static bool starts_as_program(int argc, char** argv) {
  if (std::getenv(rt::kInExecution) != nullptr) return true;
  const std::string_view wanted = rt::options().program;
  if (wanted == "1") return true;
  if (wanted == "0") return false;
  if (is_probe(argc > 0 ? argv[0] : "")) return true;
  if (addressed(argc, argv)) return false;
  const std::string_view tool = build_tool();
  if (tool.empty()) return false;
  // Only on a terminal, because some build scripts treat any output on stderr as a failure.
  if (isatty(2) != 0) rt::print_line(2, "heddle: started by %s: the program runs normally, without fuzzing. To fuzz, set HEDDLE_OPTIONS=program=0\n", tool.data());
  return true;
}

bool runs_uncontrolled(int argc, char** argv) {
  static const bool answer = starts_as_program(argc, argv);  // it is said once
  return answer;
}

}  // namespace heddle::driver
