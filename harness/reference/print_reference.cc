// What the code knows about itself, as Markdown tables: heddle_reference BLOCK. scripts/generate_reference.py inserts them into
// docs/reference.
//
// The block `calls` is only for that script: a line for each file of shims, separated by tabs.
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/exit_codes.h"
#include "base/options.h"
#include "harness/cli/command_exit_codes.h"
#include "intercept/call_families.h"
#include "intercept/process/refused_calls.h"
#include "mutator/modes/mode.h"
#include "mutator/operators/operator.h"
#include "schema/kinds.h"
#include "schema/schedule.h"
#include "scheduler/strategy.h"
#include "trace/finding.h"

namespace {

using namespace heddle;

void row(std::initializer_list<std::string_view> cells) {
  for (const std::string_view cell : cells) std::printf("| %.*s ", static_cast<int>(cell.size()), cell.data());
  std::puts("|");
}

void heading(std::initializer_list<std::string_view> cells) {
  row(cells);
  for (size_t i = 0; i < cells.size(); ++i) std::printf("| --- ");
  std::puts("|");
}

std::string code(std::string_view text) { return text.empty() ? std::string() : "`" + std::string(text) + "`"; }

void print_options() {
  heading({"option", "values", "default", "meaning"});
  rt::visit_options([](const rt::OptionInfo& option) { row({code(option.name), option.values, code(option.by_default), option.meaning}); });
}

void print_findings() {
  heading({"finding", "what happened", "option"});
  const rt::Options defaults;
  for (const rt::FindingKind& kind : rt::finding_kinds()) {
    std::string option;
    if (kind.option != nullptr) option = code(rt::name_of_option(kind.option)) + (defaults.*kind.option ? "" : ", **off by default**");
    row({code(kind.name), kind.meaning, option});
  }
}

void print_moves() {
  heading({"move", "group", "weight", "what it does"});
  for (const mutator::Operator& move : mutator::operators()) {
    row({code(move.name), mutator::group_name(move.group), std::to_string(move.weight), move.meaning});
  }
}

void print_modes() {
  heading({"mode", "what it mutates"});
  for (const mutator::ModeEntry& mode : mutator::modes()) row({code(mode.name), mode.description});
}

void print_strategies() {
  heading({"strategy", "which thread goes next", "share of seeds"});
  for (const rt::Strategy* strategy : rt::strategies()) {
    row({code(strategy->name), strategy->meaning, std::to_string(rt::share_of(*strategy)) + "/16"});
  }
}

void print_target_exit_codes() {
  heading({"exit code", "from", "meaning"});
  for (const rt::ExitCode& exit : rt::kTargetExitCodes) row({exit.code, exit.who, exit.meaning});
}

void print_command_exit_codes() {
  heading({"exit code", "meaning"});
  for (const cli::ExitCodeInfo& exit : cli::kExitCodes) row({std::to_string(exit.code), exit.meaning});
}

void print_kinds() {
  heading({"kinds", "may wait", "lock"});
  std::vector<std::string> families;  // the part before the first underscore; neighbours in the list
  std::map<std::string, std::vector<Kind>> members;
  for (int i = 1; i < kKindLimit; ++i) {
    const KindInfo& info = kind_info(static_cast<Kind>(i));
    if (info.name.empty()) continue;
    const std::string family(info.name.substr(0, info.name.find('_')));
    if (members[family].empty()) families.push_back(family);
    members[family].push_back(static_cast<Kind>(i));
  }
  for (const std::string& family : families) {
    std::string all, waits, locks;
    for (const Kind kind : members[family]) {
      const KindInfo& info = kind_info(kind);
      const auto add = [&](std::string& to, bool yes) {
        if (yes) to += (to.empty() ? "" : ", ") + code(info.name);
      };
      add(all, true);
      add(waits, info.has(kBlocks));
      add(locks, info.has(kHoldsLock));
    }
    row({all, waits, locks});
  }
}

void print_schedule_limits() {
  heading({"of a schedule", "are read, at most"});
  row({"elements of all chains", std::to_string(kMaxElements)});
  row({"chains", std::to_string(kMaxChains)});
  row({"reads-from constraints", std::to_string(kMaxConstraints)});
  row({"`select` lines", std::to_string(kMaxPreferences)});
  row({"delays", std::to_string(kMaxDelays)});
  row({"visible plain accesses", std::to_string(kMaxVisiblePlain)});
}

struct RefusedCall {
  const char* name;
  const char* advice;
};
constexpr RefusedCall kRefused[] = {
#define HEDDLE_REFUSED_ROW(name, advice, ...) {#name, rt::advice},
    HEDDLE_REFUSED_CALLS(HEDDLE_REFUSED_ROW)
#undef HEDDLE_REFUSED_ROW
};

void print_refused() {
  heading({"calls", "why, and what to do instead"});
  std::vector<std::string_view> advices;
  std::map<std::string_view, std::string> calls;
  for (const RefusedCall& call : kRefused) {
    std::string& of_advice = calls[call.advice];
    if (of_advice.empty()) advices.push_back(call.advice);
    of_advice += (of_advice.empty() ? "" : ", ") + code(call.name);
  }
  for (const std::string_view advice : advices) row({calls[advice], advice});
}

const char* name_of(rt::Control control) {
  switch (control) {
    case rt::Control::scheduled: return "scheduled";
    case rt::Control::observed: return "observed";
    case rt::Control::repeated: return "repeated";
    case rt::Control::put_back: return "put_back";
    case rt::Control::annotation: return "annotation";
    case rt::Control::refused: return "refused";
    case rt::Control::internal: return "internal";
  }
  return "";
}

void print_calls() {
  for (const rt::CallFamily& family : rt::kCallFamilies) std::printf("%s\t%s\t%s\t%s\n", family.file, name_of(family.control), family.what, family.note);
}

constexpr struct {
  const char* name;
  void (*print)();
} kPrinters[] = {
    {"options", print_options},
    {"findings", print_findings},
    {"moves", print_moves},
    {"modes", print_modes},
    {"strategies", print_strategies},
    {"target-exit-codes", print_target_exit_codes},
    {"command-exit-codes", print_command_exit_codes},
    {"kinds", print_kinds},
    {"schedule-limits", print_schedule_limits},
    {"refused-calls", print_refused},
    {"calls", print_calls},
};

}  // namespace

int main(int argc, char** argv) {
  for (const auto& [name, print] : kPrinters) {
    if (argc != 2 || std::strcmp(argv[1], name) != 0) continue;
    print();
    return 0;
  }
  std::fputs("usage: heddle_reference BLOCK, one of", stderr);
  for (const auto& [name, print] : kPrinters) std::fprintf(stderr, " %s", name);
  std::fputs("\n", stderr);
  return 2;
}
