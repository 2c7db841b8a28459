#include "harness/driver/modules.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/elf.h"
#include "base/module_kind.h"
#include "base/path.h"
#include "base/runtime_names.h"
#include "harness/driver/interception.h"

namespace heddle::driver {
namespace {

// libc's functions that can wait. Such a wait is not visible if heddle has no shim for the function.
constexpr std::string_view kWaits[] = {
    "connect",      "gethostbyname2",    "gethostbyname_r", "gethostbyaddr",  "gethostbyaddr_r",
    "flock",        "lockf",             "lockf64",         "sendfile",       "sendfile64",     "copy_file_range", "splice",        "tee",
    "vmsplice",     "preadv2",           "preadv64v2",      "pwritev2",       "pwritev64v2",    "recvmmsg",        "sendmmsg",      "msgrcv",
    "msgsnd",       "aio_suspend",       "aio_suspend64",   "gai_suspend",    "lio_listio",     "lio_listio64",    "tcdrain",       "tcflush",
    "sigpause",     "open_by_handle_at", "io_uring_enter",  "__ppoll_chk",
};

// Their shims report only memory accesses.
constexpr std::string_view kWaitsBehindShim[] = {"getaddrinfo", "getnameinfo", "gethostbyname"};

// GNU ld writes imports as name@VERSION.
std::string_view without_version(std::string_view symbol) { return symbol.substr(0, symbol.find('@')); }

// clang's and gcc's names for the constructor in each instrumented unit.
bool marks_instrumented_unit(std::string_view symbol) { return symbol == "tsan.module_ctor" || symbol.starts_with("_sub_I_000"); }

constexpr std::string_view kCompilerUnits[] = {"crtstuff.c", "crt1.o", "Scrt1.o", "crti.o", "crtn.o"};  // wherever the linker puts them

// A symbol that is local to a unit of libc++'s archive.
bool local_to_cxx_library(std::string_view symbol) {
  return symbol.starts_with("_ZNSt3__1L") || symbol.starts_with("_ZZNSt3__1") || symbol.starts_with("_ZGVZNSt3__1");
}

// In the executable, the program's units are between heddle's two markers (harness/link), and other units are not instrumented. But GNU ld
// puts units with constructors or rare code (.text.startup, .text.unlikely) before all others. Among these, the engine's units are
// recognised by their names, and those of libc++'s archive by their local symbols.
struct Survey {
  Module& module;
  bool in_program = false;
  bool seen_end = false;
  bool instrumented = false;
  bool of_cxx_library = false;
  std::string unit;

  bool of_the_program() const {
    if (std::find(std::begin(kCompilerUnits), std::end(kCompilerUnits), unit) != std::end(kCompilerUnits)) return false;
    if (in_program) return true;
    return module.executable && !seen_end && !of_cxx_library && !rt::names_runtime_unit(unit.c_str()) && unit != "trace_pc.c";
  }

  void end_unit() {
    if (instrumented) module.instrumented = true;
    else if (!unit.empty() && of_the_program()) module.bare_units.push_back(unit);
    instrumented = of_cxx_library = false;
    unit.clear();
  }

  void take(const rt::RawSymbol& symbol) {
    const std::string_view name = symbol.name;
    if (symbol.type == STT_FILE) {
      end_unit();
      unit = name;
      return;
    }
    if (!symbol.defined) note_wait(without_version(name));
    else if (name == "heddle_begin_of_program") in_program = true, unit.clear();
    else if (name == "heddle_end_of_program") in_program = false, seen_end = true, unit.clear();
    else if (marks_instrumented_unit(name)) instrumented = true;
    else if (symbol.local && local_to_cxx_library(name)) of_cxx_library = true;
  }

  void note_wait(std::string_view call) {
    if (std::find(std::begin(kWaitsBehindShim), std::end(kWaitsBehindShim), call) == std::end(kWaitsBehindShim)) {
      const auto* const known = std::find(std::begin(kWaits), std::end(kWaits), call);
      if (known == std::end(kWaits) || reaches_heddle(known->data())) return;
    }
    auto& waits = module.unseen_waits;
    if (std::find(waits.begin(), waits.end(), call) == waits.end()) waits.emplace_back(call);
  }
};

int add_module(dl_phdr_info* info, size_t, void* argument) {
  auto& modules = *static_cast<std::vector<Module>*>(argument);
  const bool executable = modules.empty();  // documented: the executable comes first
  if (!executable && info->dlpi_name[0] != '/') return 0;  // the kernel's
  Module& module = modules.emplace_back();
  module.executable = executable;
  module.path = executable ? "/proc/self/exe" : info->dlpi_name;
  module.of_the_system = !executable && rt::is_system_library(module.path.c_str());
  module.instrumented = !executable && rt::is_instrumented(*info);  // the executable's units tell
  return 0;
}

}  // namespace

std::vector<Module> survey_modules() {
  std::vector<Module> modules;
  dl_iterate_phdr(add_module, &modules);
  for (Module& module : modules) {
    if (module.of_the_system) continue;
    const rt::Image image = rt::map_file(module.path.c_str());
    Survey survey{module};
    rt::each_symbol(image, [](const rt::RawSymbol& symbol, void* s) { static_cast<Survey*>(s)->take(symbol); }, &survey);
    survey.end_unit();
    rt::unmap_file(image);
  }
  return modules;
}

}  // namespace heddle::driver
