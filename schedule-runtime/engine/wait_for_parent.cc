#include "engine/wait_for_parent.h"

#include <sys/syscall.h>

#include <algorithm>

#include "base/exit_codes.h"
#include "base/line.h"
#include "base/raw_syscall.h"
#include "engine/engine.h"
#include "engine/program_exit.h"
#include "engine/stand_still.h"
#include "heap/shared_views.h"

namespace heddle::rt {
namespace {

constexpr char kMessage[] =
    "a wait in a child process for what its parent does is not supported: the child runs to its end inside fork(), while its parent stands still. Run the "
    "tests in one process";

const Pending* g_found = nullptr;

struct {
  uintptr_t begin;
  size_t size;
} g_named_objects = {};

bool is_shared(const Pending& p) {
  if (p.object == nullptr) return false;
  const uintptr_t at = p.object->address;
  return family_info(p.object->family).has(kFromOutside) || at - g_named_objects.begin < g_named_objects.size || shared_views().at(at) != nullptr;
}

bool never(const Pending&) { return false; }

}  // namespace

void processes_share(const void* begin, size_t size) { g_named_objects = {reinterpret_cast<uintptr_t>(begin), size}; }

Pending* wait_for_parent(std::span<Pending* const> live, bool spinning) {
  if (!in_child_process() || wait_in_cycle(live)) return nullptr;
  auto found = std::find_if(live.begin(), live.end(), [](const Pending* p) { return !p->enabled && p->deadline == kNever && is_shared(*p); });
  // Between two looks at a word, a thread sleeps or reads others. So any memory that both have mapped will do.
  if (found == live.end() && spinning && !shared_views().empty()) {
    found = std::find_if(live.begin(), live.end(), [](const Pending* p) { return p->enabled || p->deadline != kNever; });
  }
  if (found == live.end()) return nullptr;
  (*found)->may_go = never;  // so that its thread asks why it goes
  g_found = *found;
  return *found;
}

void refuse_wait_for_parent(const Pending& p) {
  if (&p != g_found) return;
  engine().misuse(FindingType::unsupported, p.object, {sites()[p.pc_index].pc, 0}, kNoEvent, kNoEvent, kMessage);
  // Never continue as if the wait were over, with any report options.
  print_line(2, "heddle: %s\n", kMessage);
  raw_syscall(SYS_exit_group, kInternalErrorExit);
}

}  // namespace heddle::rt
