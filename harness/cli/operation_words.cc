#include "harness/cli/operation_words.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace heddle::cli {
namespace {

std::string word_for(Kind kind) {
  static const std::map<Kind, const char*> kWords = {
      {Kind::thread_create, "creation of a thread"},
      {Kind::thread_start, "start"},
      {Kind::thread_exit, "end"},
      {Kind::thread_join, "join"},
      {Kind::thread_cancelled, "cancellation"},
      {Kind::mutex_trylock, "try_lock"},
      {Kind::mutex_timedlock, "timed lock"},
      {Kind::mutex_destroy, "destruction of the mutex"},
      {Kind::cond_wake, "return of the wait"},
      {Kind::cond_signal, "notification"},
      {Kind::cond_broadcast, "notification of all"},
      {Kind::rwlock_rdlock, "read lock"},
      {Kind::rwlock_wrlock, "write lock"},
      {Kind::atomic_rmw, "read-modify-write"},
      {Kind::atomic_cas, "compare-and-swap"},
      {Kind::plain_read, "read"},
      {Kind::plain_write, "write"},
      {Kind::descriptor_read, "read"},
      {Kind::descriptor_write, "write"},
      {Kind::descriptor_wait, "poll"},
      {Kind::descriptor_close, "close"},
      {Kind::once_begin, "call_once"},
      {Kind::once_end, "end of call_once"},
      {Kind::select, "select"},
      {Kind::process_exit, "end of the program"},
      {Kind::wait_group_add, "change of the wait group"},
      {Kind::wait_group_wait, "wait"},
      {Kind::signal_send, "sending of the signal"},
      {Kind::signal_expect, "beginning of the wait for a signal"},
      {Kind::signal_handle, "run of the handler"},
      {Kind::yield, "yield"},
      {Kind::clock_jump, "reading of the clock"},
      {Kind::sleep, "end of the sleep"}};
  const auto at = kWords.find(kind);
  if (at != kWords.end()) return at->second;
  const std::string_view name = kind_info(kind).name;  // "lock" of "mutex_lock"
  std::string word(name.substr(name.find('_') + 1));
  std::replace(word.begin(), word.end(), '_', ' ');
  return word;
}

std::string ordinal(uint32_t n) {
  const char* const end = n % 100 / 10 == 1 ? "th"
                          : n % 10 == 1     ? "st"
                          : n % 10 == 2     ? "nd"
                          : n % 10 == 3     ? "rd"
                                            : "th";
  return fmt::format("{}{}", n, end);
}

std::string file_of(const std::string& location) {
  const size_t slash = location.rfind('/');
  return slash == std::string::npos ? location : location.substr(slash + 1);
}

// "push" of "ns::Queue<int>::push"; empty: a lambda, an operator.
std::string short_function(std::string name) {
  if (name.empty() || name.starts_with("std::") || name.find_first_of("$'{") != std::string::npos ||
      name.find("operator") != std::string::npos)
    return {};
  int depth = 0;
  std::string plain;
  for (const char c : name) {
    depth += c == '<';
    if (depth == 0) plain += c;
    depth -= c == '>';
  }
  const size_t colon = plain.rfind("::");
  if (colon != std::string::npos) plain = plain.substr(colon + 2);
  return plain.find("heddle_body_of_") != std::string::npos || plain == "LLVMFuzzerTestOneInput"
             ? std::string()
             : plain;
}

}  // namespace

std::string OperationWords::operator()(ThreadId thread, SiteId site, Kind kind,
                                       uint32_t occurrence) {
  if (kind == Kind::thread_start || kind == Kind::thread_exit) {
    return fmt::format("the {} of {}", word_for(kind), thread_name(thread));
  }
  const OperationPlaces::Place* known = places_.find(thread, site, kind, occurrence);
  uint32_t n = known != nullptr ? known->occurrence : occurrence;
  // The finding came first. A thread that did the same before does it from the same place.
  if (known == nullptr) known = places_.find_any(thread, site, kind);
  // Or what it did in this line was something else, such as to open the file.
  if (const SiteName* const name = names_.find(site); known == nullptr && name != nullptr) n += places_.count(thread, name->location, kind);
  std::string where = known != nullptr ? place(known->location, known->function) : place(site);
  if (known != nullptr && !known->caller.empty()) where += ", called" + place(known->caller, "");
  std::string word = known != nullptr && !known->word.empty() ? known->word : word_for(kind);
  if (known != nullptr && !known->order.empty()) word = known->order + " " + word;
  if (known != nullptr && !known->variable.empty()) word += " of " + known->variable;
  // A late round of a loop that sleeps says that so much time has passed.
  constexpr uint32_t kManySleeps = 5;
  const bool is_exact = known != nullptr && places_.find(thread, site, kind, occurrence) == known;
  const std::string when = is_exact && n > kManySleeps && known->sleeps >= kManySleeps ? fmt::format(", after {} sleeps", known->sleeps) : "";
  return fmt::format("the {}{}{} ({}{})", n > 1 ? ordinal(n) + " " : "", word, where, thread_name(thread), when);
}

std::string OperationWords::chosen(const SelectPreference& choice) {
  const OperationPlaces::Place* const known = places_.find(choice.thread, choice.site, choice.kind, choice.instance);
  if (known == nullptr || known->choice != static_cast<uint32_t>(choice.choice)) return {};
  if (!known->chosen_object.empty()) objects_.insert(known->chosen_object);
  return known->chosen;
}

std::string OperationWords::operator()(const Element& e, bool every, ThreadId besides) {
  if (e.thread != kAnyThread) return (*this)(e.thread, e.site, e.kind, e.occurrence);
  const char* const whose = every ? "every other thread's" : "another thread's";
  const auto known = places_.find(e.site, e.kind, besides);
  const std::string word = known && !known->word.empty() ? known->word : word_for(e.kind);
  return fmt::format("{} {}{}", whose, word, position(e.site, e.kind, besides));
}

std::string OperationWords::position(SiteId site, Kind kind, ThreadId besides) {
  const auto known = places_.find(site, kind, besides);
  std::string where = known ? place(known->location, known->function) : place(site);
  constexpr size_t kMostCallers = 3;
  if (known && known->callers.size() <= kMostCallers) {
    for (size_t i = 0; i < known->callers.size(); ++i)
      where += (i == 0 ? ", called" : " or") + place(known->callers[i], "");
  }
  return where;
}

std::string OperationWords::place(SiteId site) {
  const SiteName* const name = names_.find(site);
  // Without debug information the symbolizer may know the file, but no line.
  if (name == nullptr || name->location.empty() || name->location.ends_with(":0")) {
    if (name == nullptr || name->symbol.empty()) return fmt::format(" at 0x{:016x}", site);
    const size_t plus = name->symbol.rfind('+');
    const bool readable = !name->function.empty() && plus != std::string::npos;
    return " at " + (readable ? name->function + name->symbol.substr(plus) : name->symbol);
  }
  return place(name->location, name->function);
}

std::string OperationWords::place(const std::string& location, const std::string& function_name) {
  named_.push_back(location);
  std::string where = file_of(location);
  const std::string file = where.substr(0, where.find(':'));
  if (std::exchange(file_, file) == file) where = where.substr(file.size());
  const std::string function = short_function(function_name);
  return fmt::format("{} at {}", function.empty() ? "" : fmt::format(" in `{}`", function), where);
}

}  // namespace heddle::cli
