#include "analyses/report/story.h"

#include <cstdarg>
#include <cstdio>

#include "analyses/report/report_text.h"
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

namespace {

void copy_words(char (&to)[sizeof Aside::words], std::string_view words) {
  snprintf(to, sizeof to, "%.*s", static_cast<int>(words.size()), words.data());
}

}  // namespace

void Story::add_aside(const Aside& aside, std::string_view words) {
  for (uint32_t i = 0; i < aside_count; ++i) {
    const Aside& a = asides[i];
    if (a.thread == aside.thread && a.before == aside.before && a.position == aside.position && a.event == aside.event && words == a.words) return;
  }
  if (aside_count == kMaxAsides) return;
  asides[aside_count] = aside;
  copy_words(asides[aside_count++].words, words);
}

void Story::set_now(std::string_view words) { copy_words(now, words); }

namespace {

// Of several accesses to freed memory in one function, the order decides which is the first one to fail. They are one bug.
bool signs_by_function(FindingType type) {
  return use_after_end(type) || type == FindingType::sanitizer;
}

}  // namespace

uint64_t signature(const Story& story) {
  const bool by_function = signs_by_function(story.type);
  SiteId ids[Story::kMaxStacks];
  uint32_t n = 0;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < story.stack_count; ++i) {
    if (!story.stacks[i].signs || story.stacks[i].site >= sites().size()) continue;
    const SiteInfo& site = sites()[story.stacks[i].site];
    const SiteId id = by_function && site.function != nullptr ? hash_of_text(site.function) : site.id;
    bool known = false;
    for (uint32_t k = 0; k < n; ++k) known |= ids[k] == id;
    if (known) continue;
    ids[n++] = id;
    sum += mix(id, 0x516);
  }
  return mix(sum + story.variant, static_cast<uint64_t>(story.type));
}

}  // namespace heddle::rt
