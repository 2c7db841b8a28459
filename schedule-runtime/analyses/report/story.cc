#include "analyses/report/story.h"

#include <cstdarg>
#include <cstdio>

#include "trace/sites.h"

namespace heddle::rt {

bool Story::add_stack(uint32_t site, uint32_t context, bool signs, const char* title, ...) {
  if (stack_count == kMaxStacks) return false;
  Stack& stack = stacks[stack_count++];
  stack.site = stack.position = site;
  stack.context = context;
  stack.signs = signs;
  va_list arguments;
  va_start(arguments, title);
  vsnprintf(stack.title, sizeof stack.title, title, arguments);
  va_end(arguments);
  return true;
}

const char* finding_name(FindingType type) {
  switch (type) {
    case FindingType::none: return "none";
    case FindingType::deadlock: return "deadlock";
    case FindingType::blocked_threads: return "blocked-threads";
    case FindingType::lost_wakeup: return "lost-wakeup";
    case FindingType::livelock: return "livelock";
    case FindingType::unlock_not_owner: return "unlock-by-non-owner";
    case FindingType::unlock_not_locked: return "unlock-of-unlocked";
    case FindingType::double_lock: return "double-lock";
    case FindingType::destroy_held: return "destroy-while-held";
    case FindingType::destroy_waited: return "destroy-while-waited-on";
    case FindingType::use_after_destroy: return "use-after-destroy";
    case FindingType::join_self: return "join-of-self";
    case FindingType::double_join: return "double-join";
    case FindingType::send_on_closed_channel: return "send-on-closed-channel";
    case FindingType::close_of_closed_channel: return "close-of-closed-channel";
    case FindingType::close_of_nil_channel: return "close-of-nil-channel";
    case FindingType::negative_wait_group: return "negative-wait-group";
    case FindingType::broken_pipe: return "broken-pipe";
    case FindingType::mixed_deadlock: return "mixed-deadlock";
    case FindingType::data_race: return "data-race";
    case FindingType::assertion: return "assertion-failure";
    case FindingType::crash: return "crash";
    case FindingType::sanitizer: return "sanitizer-report";
    case FindingType::exit_code: return "exit-code";
    case FindingType::unsupported: return "unsupported-call";
    case FindingType::double_free: return "double-free";
    case FindingType::heap_use_after_free: return "heap-use-after-free";
    case FindingType::invalid_free: return "invalid-free";
    case FindingType::stack_use_after_return: return "stack-use-after-return";
    case FindingType::timeout: return "timeout";
  }
  return "unknown";
}

uint64_t signature(const Story& story) {
  SiteId ids[Story::kMaxStacks];
  uint32_t n = 0;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < story.stack_count; ++i) {
    if (!story.stacks[i].signs || story.stacks[i].site >= sites().size()) continue;
    const SiteId id = sites()[story.stacks[i].site].id;
    bool known = false;
    for (uint32_t k = 0; k < n; ++k) known |= ids[k] == id;
    if (known) continue;
    ids[n++] = id;
    sum += mix(id, 0x516);
  }
  return mix(sum + story.variant, static_cast<uint64_t>(story.type));
}

}  // namespace heddle::rt
