#include "analyses/suppressions.h"


#include "analyses/option_file.h"
#include "analyses/report/positions.h"
#include "base/elf.h"
#include "base/line.h"
#include "base/options.h"
#include "base/path.h"
#include "base/reserved_array.h"
#include "trace/contexts.h"
#include "trace/sites.h"

// A program that was made for ThreadSanitizer may have one.
extern "C" __attribute__((weak)) const char* __tsan_default_suppressions();

namespace heddle::rt {
namespace {

constexpr size_t kMost = 1 << 14;

struct Suppression {
  std::string_view type, pattern;  // of text that lives as long as the process
  uint64_t count;
};
constinit ReservedArray<Suppression> g_list;

// The sanitizers' words for our types. The name of a type is a word for itself.
struct Word {
  std::string_view word;
  bool (*means)(FindingType type);
};
bool is_lock_misuse(FindingType t) {
  return (t >= FindingType::unlock_not_owner && t <= FindingType::use_after_destroy && t != FindingType::destroy_waited) ||
         t == FindingType::use_before_init;
}
constexpr Word kWords[] = {
    {"race", [](FindingType t) { return t == FindingType::data_race; }},
    {"race_top", [](FindingType t) { return t == FindingType::data_race; }},
    {"deadlock", [](FindingType t) { return t == FindingType::deadlock || t == FindingType::mixed_deadlock; }},
    {"mutex", is_lock_misuse},
    {"thread", [](FindingType t) { return t == FindingType::blocked_threads || t == FindingType::lost_wakeup; }},
    {"signal", [](FindingType) { return false; }},  // heddle has no such finding
    {"called_from_lib", [](FindingType) { return true; }},
};

// What the target dies of by itself cannot be kept from it.
bool can_be_suppressed(FindingType t) {
  return t != FindingType::none && !own_failure(t) && t != FindingType::unsupported;
}

bool known_word(std::string_view word) {
  for (const Word& w : kWords) {
    if (w.word == word) return true;
  }
  for (int t = 0; t < 256; ++t) {
    const auto type = static_cast<FindingType>(t);
    if (can_be_suppressed(type) && word == finding_name(type) && word != "unknown") return true;
  }
  return false;
}

bool means(std::string_view word, FindingType type) {
  for (const Word& w : kWords) {
    if (w.word == word && w.means(type)) return true;
  }
  return word == finding_name(type);
}

bool in_module(const Suppression& s, uint32_t site) {
  if (site >= sites().size()) return false;
  const uintptr_t pc = sites()[site].pc - 1;
  // No pattern means /proc/self/exe.
  const char* const module = is_main_executable(pc) ? executable_path() : module_name_of(pc);
  return module != nullptr && matches(s.pattern, module);
}

bool in_frames(const Suppression& s, uint32_t site, bool innermost_only) {
  const Position p = position_of(site);
  for (uint32_t i = 0; i < p.count; ++i) {
    const Frame& f = p.frames[i];
    if (matches(s.pattern, f.function) || (f.file != nullptr && matches(s.pattern, f.file))) return true;
    if (innermost_only) return false;
  }
  return in_module(s, site);
}

bool in_stack(const Suppression& s, const Stack& stack) {
  if (s.type == "race_top") return in_frames(s, user_site(stack.position, stack.context), true);
  const auto in = [&](uint32_t site) { return s.type == "called_from_lib" ? in_module(s, site) : in_frames(s, site, false); };
  if (in(stack.position)) return true;
  for (uint32_t n = stack.context; n != 0; n = contexts()[n].parent) {
    if (in(contexts()[n].site)) return true;
  }
  return false;
}

void add_all(const char* file, std::string_view text) {
  for (size_t line = 1; !text.empty(); ++line) {
    const std::string_view one = next_line(text);
    const char* why = nullptr;
    if (!add_suppression(one, why)) refuse_option_file("suppressions", file, line, why, one);
  }
}

}  // namespace

// A greedy walk: after a star the next piece is looked for as early as possible, and the last one, if anchored, at the end.
bool matches(std::string_view pattern, std::string_view name) {
  const bool at_begin = !pattern.empty() && pattern.front() == '^';
  if (at_begin) pattern.remove_prefix(1);
  const bool at_end = !pattern.empty() && pattern.back() == '$';
  if (at_end) pattern.remove_suffix(1);
  bool anchored = at_begin;
  for (;;) {
    const size_t star = pattern.find('*');
    const std::string_view piece = pattern.substr(0, star);
    const bool last = star == std::string_view::npos;
    if (last && at_end) return name.size() >= piece.size() && name.ends_with(piece) && (!anchored || name.size() == piece.size());
    if (anchored) {
      if (!name.starts_with(piece)) return false;
      name.remove_prefix(piece.size());
    } else {
      const size_t found = name.find(piece);
      if (found == std::string_view::npos) return false;
      name.remove_prefix(found + piece.size());
    }
    if (last) return true;
    anchored = false;
    pattern.remove_prefix(star + 1);
  }
}

bool add_suppression(std::string_view line, const char*& why) {
  line = next_line(line);
  if (line.empty() || line.front() == '#') return true;
  const size_t colon = line.find(':');
  why = colon == std::string_view::npos    ? "expected type:pattern"
        : !known_word(line.substr(0, colon)) ? "unknown type; race, race_top, deadlock, mutex, thread, called_from_lib or the name of a finding"
        : colon + 1 == line.size()           ? "no pattern"
                                             : nullptr;
  if (why != nullptr) return false;
  g_list.reserve(kMost);
  if (g_list.full()) {
    why = "more than 16,384 suppressions";
    return false;
  }
  g_list.push() = {line.substr(0, colon), line.substr(colon + 1), 0};
  return true;
}

bool any_suppressions() { return g_list.size() != 0; }

void forget_suppressions() { g_list.clear(); }

void load_suppressions() {
  if (&__tsan_default_suppressions != nullptr) {
    if (const char* text = __tsan_default_suppressions()) add_all("__tsan_default_suppressions()", text);
  }
  const char* const path = options().suppressions;
  if (path[0] != 0) add_all(path, read_option_file("suppressions", path));
}

bool suppressed(const Story& story) {
  if (g_list.size() == 0 || !can_be_suppressed(story.type)) return false;
  uintptr_t offset;
  const char* const datum = story.type == FindingType::data_race ? datum_name(story.address, offset) : nullptr;
  for (Suppression& s : g_list) {
    if (!means(s.type, story.type)) continue;
    bool hit = datum != nullptr && s.type == "race" && matches(s.pattern, datum);
    for (uint32_t i = 0; i < story.stack_count && !hit; ++i) hit = in_stack(s, story.stacks[i]);
    if (!hit) continue;
    ++s.count;
    return true;
  }
  return false;
}

void print_suppression_statistics(int fd) {
  for (const Suppression& s : g_list) {
    if (s.count == 0) continue;
    print_line(fd, "heddle: suppressed: %llu %.*s:%.*s\n", static_cast<unsigned long long>(s.count), static_cast<int>(s.type.size()),
               s.type.data(), static_cast<int>(s.pattern.size()), s.pattern.data());
  }
}

}  // namespace heddle::rt
