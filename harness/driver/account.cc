#include "harness/driver/account.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/elf.h"
#include "base/line.h"
#include "base/options.h"
#include "base/path.h"
#include "engine/engine.h"
#include "harness/driver/assembly_atomics.h"
#include "harness/driver/modules.h"
#include "harness/driver/readable_function.h"
#include "intercept/passed_calls.h"
#include "restore/process_state.h"

namespace heddle::driver {
namespace {

constexpr size_t kNamed = 8;  // of a list, in a line

constinit uint64_t operations[kKindLimit];
constinit uint64_t executions = 0;
constinit uint64_t before_first = 0;  // the certificate's
constinit bool printed = false;
constinit uint32_t seen_opened = 0, surveys = 0;
constexpr uint32_t kMostSurveys = 8;  // for a program that opens libraries in each execution: examining one takes a millisecond or more

// "a, b, c and 5 more"
std::string list(const std::vector<std::string>& names) {
  std::string out;
  for (size_t i = 0; i < names.size() && i < kNamed; ++i) out += (i != 0 ? ", " : "") + names[i];
  if (names.size() > kNamed) out += " and " + std::to_string(names.size() - kNamed) + " more";
  return out;
}

std::string place(uintptr_t pc) {
  if (const rt::Symbol* symbol = rt::find_symbol(pc)) {
    return readable_function(symbol->name);
  }
  const char* module = rt::module_name_of(pc);
  return module != nullptr ? std::string("code in ") + module : "unknown code";
}

// What is not under control, one line each. `good`: modules under control. `libraries`: modules that are not instrumented.
struct Gaps {
  std::vector<std::string> gaps, good, libraries;
};

constexpr char kBareLibrary[] = " is not instrumented: its accesses and atomics are invisible; its threads and waits, and calls into it, are controlled";

// One line for all, because a program may have dozens.
void print_bare_libraries(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  for (const std::string& path : paths) names.emplace_back(rt::base_name(path.c_str()));
  if (paths.size() == 1) rt::print_line(2, "heddle: note: %s%s\n", paths[0].c_str(), kBareLibrary);
  if (paths.size() > 1) {
    rt::print_line(2, "heddle: note: %zu libraries are not instrumented: %s: their accesses and atomics are invisible; their threads and waits, and calls into them, are controlled\n",
                   paths.size(), list(names).c_str());
  }
}

void find_thread_gaps(Gaps& out) {
  uint32_t count;
  const uintptr_t* created_at = rt::foreign_threads(count);
  for (uint32_t i = 0; i < count && i < rt::kNamedForeignThreads; ++i) {
    out.gaps.push_back("a thread was started outside the executions, by " + place(created_at[i]) +
                       ": heddle does not control it, and restores global variables while it runs. Start it in the body");
  }
  if (count > rt::kNamedForeignThreads) out.gaps.push_back(std::to_string(count - rt::kNamedForeignThreads) + " more such threads");
  if (count == 0) out.good.push_back("no uncontrolled threads");
}

void find_module_gaps(Gaps& out) {
  for (const Module& m : survey_modules()) {
    const std::string name = m.executable ? "the executable" : m.path;
    if (!m.bare_units.empty()) {
      out.gaps.push_back("not instrumented in the executable: " + list(m.bare_units) +
                         ": their accesses and atomics are invisible. Compile them with heddle-clang");
    }
    if (!m.executable && !m.instrumented && !m.of_the_system) {
      out.libraries.push_back(name);
    }
    if ((m.executable || m.instrumented) && !m.unseen_waits.empty()) {
      out.gaps.push_back(name + " calls " + list(m.unseen_waits) + ": a wait inside these calls stops all controlled threads");
    }
    if (m.instrumented) out.good.push_back(name + " is instrumented");
    if (m.of_the_system) out.good.push_back(name + " belongs to the system: its thread functions are intercepted");
  }
}

void find_assembly_gaps(Gaps& out) {
  const AssemblyAtomics found = find_assembly_atomics();
  if (found.count == 0) return;
  out.gaps.push_back(std::to_string(found.count) + (found.count == 1 ? " atomic instruction" : " atomic instructions") + " in assembly, the first in " + place(found.first) +
                     ": heddle cannot switch threads there and does not see the synchronisation. Inline assembly is visible if heddle's wrapper compiles the source");
}

Gaps& gaps() {
  static auto* found = new Gaps;  // never destroyed, because it is printed when the process ends
  return *found;
}

void find_gaps() {
  Gaps found;
  find_module_gaps(found);
  find_assembly_gaps(found);
  find_thread_gaps(found);
  gaps() = std::move(found);
}

// Libraries that an execution has opened and not closed again.
void note_opened_libraries() {
  seen_opened = rt::libraries_opened();
  if (surveys == kMostSurveys) return;
  ++surveys;
  const std::vector<std::string> known = gaps().libraries;
  find_gaps();
  std::vector<std::string> opened;
  for (const std::string& path : gaps().libraries) {
    if (std::find(known.begin(), known.end(), path) == known.end()) opened.push_back(path);
  }
  print_bare_libraries(opened);
}

void print_calls(const char* what, uint64_t rt::PassedCall::* count) {
  for (const rt::PassedCall* c = rt::passed_calls(); c != nullptr; c = c->next) {
    if (c->*count != 0) rt::print_line(2, "heddle: account: %s: %s %llu\n", what, c->name, static_cast<unsigned long long>(c->*count));
  }
}

}  // namespace

void begin_account() {
  before_first = rt::engine().executions();
  find_gaps();
  print_bare_libraries(gaps().libraries);
  for (const std::string& gap : gaps().gaps) rt::print_line(2, "heddle: note: %s\n", gap.c_str());
  if (!rt::options().account) return;
  rt::counting_passed_calls = true;
}

void account_run(const RunSummary& run) {
  if (rt::libraries_opened() != seen_opened) note_opened_libraries();
  if (!rt::options().account) return;
  ++executions;
  for (uint32_t i = 0; i < run.event_count; ++i) ++operations[static_cast<uint8_t>(run.events[i].kind) % kKindLimit];
}

void print_account(bool dying) {
  if (printed || !rt::options().account) return;
  printed = true;
  if (!dying) find_gaps();
  else if (rt::engine().executions() - before_first > executions) account_run(rt::recorder().publish());
  rt::print_line(2, "heddle: account of %llu execution%s\n", static_cast<unsigned long long>(executions), executions == 1 ? "" : "s");
  for (int kind = 0; kind < kKindLimit; ++kind) {
    if (operations[kind] == 0) continue;
    rt::print_line(2, "heddle: account: controlled: %s %llu\n", kind_info(static_cast<Kind>(kind)).name.data(),
                   static_cast<unsigned long long>(operations[kind]));
  }
  print_calls("passed on to the C library, for a controlled thread", &rt::PassedCall::controlled);
  print_calls("not controlled, called by an uncontrolled thread", &rt::PassedCall::foreign);
  for (const std::string& line : gaps().good) rt::print_line(2, "heddle: account: %s\n", line.c_str());
  for (const std::string& name : gaps().libraries) rt::print_line(2, "heddle: account: not controlled: %s%s\n", name.c_str(), kBareLibrary);
  for (const std::string& line : gaps().gaps) rt::print_line(2, "heddle: account: not controlled: %s\n", line.c_str());
}

}  // namespace heddle::driver
