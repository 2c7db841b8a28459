#include "analyses/weak_orders.h"

#include "analyses/analyses.h"
#include "analyses/report/operation_text.h"
#include "analyses/report/positions.h"
#include "analyses/signals.h"
#include "base/elf.h"
#include "base/options.h"
#include "schema/text_words.h"
#include "trace/live_state.h"
#include "trace/recorder.h"

namespace heddle::rt {
namespace {

struct Operation {
  uint32_t site, context;
  Kind kind;
  MemoryOrder order;
  bool of_compiler;  // it asks whether a function-local static is initialised
};
constexpr uint32_t kMost = 128;
// Later ones seldom have an operation that none of these had.
constexpr uint32_t kLookedAt = 256;
// Fewer are no search but a replay of files. To tell the library's operations from the program's, the symbolizer must start.
constexpr uint64_t kLeastExecutions = 100;

constinit Operation g_seen[kMost] = {};
constinit uint32_t g_count = 0, g_executions = 0;
constinit bool g_weak_memory = false;

bool is_weak(const Event& e) { return kind_info(e.kind).has(kAtomic) && e.order < MemoryOrder::seq_cst; }

bool is_guard(uint32_t object) {
  const Symbol* const symbol = object != 0 ? find_symbol(live_state().object_address(object)) : nullptr;
  return symbol != nullptr && symbol->name != nullptr && std::string_view(symbol->name).starts_with("_ZGV");
}

bool is_known(uint32_t site, uint32_t context) {
  for (uint32_t i = 0; i < g_count; ++i) {
    if (g_seen[i].site == site && g_seen[i].context == context) return true;
  }
  return false;
}

void collect(RunSummary& run) {
  g_weak_memory |= run.coherence_count != 0;
  if (g_executions == kLookedAt || g_weak_memory || options().memory[0] != 0) return;
  ++g_executions;
  for (uint32_t i = 0; i < run.event_count && g_count < kMost; ++i) {
    if (!is_weak(run.events[i])) continue;
    const uint32_t site = recorder().position_of(run.events, i), context = recorder().context_of(i);
    if (!is_known(site, context)) g_seen[g_count++] = {site, context, run.events[i].kind, run.events[i].order, is_guard(run.events[i].object)};
  }
}

// The program chose the order: not the compiler, and not the library for a future or for the count of a shared_ptr.
bool is_the_programs(const Operation& o) {
  return !o.of_compiler && !in_library_primitive(o.site) && !counts_references(o.site, o.context) && has_users_code(user_site(o.site, o.context));
}

// Several calls of one function have the same place.
bool told_before(uint32_t count, uint32_t site) {
  for (uint32_t i = 0; i < count; ++i) {
    if (is_the_programs(g_seen[i]) && on_one_line(user_frame(user_site(g_seen[i].site, g_seen[i].context)), user_frame(site))) return true;
  }
  return false;
}

}  // namespace

void put_weak_orders(Text& out) {
  if (g_weak_memory || executions_begun() < kLeastExecutions) return;
  const Operation* first = nullptr;
  uint32_t places = 0;
  for (uint32_t i = 0; i < g_count; ++i) {
    if (!is_the_programs(g_seen[i]) || told_before(i, user_site(g_seen[i].site, g_seen[i].context))) continue;
    if (places++ == 0) first = &g_seen[i];
  }
  if (places == 0) return;
  out.add("%u atomic operation%s an order weaker than seq_cst%s the ", places, places == 1 ? " has" : "s have", places == 1 ? ":" : ", such as");
  out.put(verb_of(first->kind));
  out.put(" at ");
  put_place(out, user_site(first->site, first->context));
  out.put(" (");
  out.put(text::order_name(first->order));
  out.put(")");
}

const Observer kWeakOrders = {.name = "weak orders", .execution_ended = collect};

}  // namespace heddle::rt
