#include "harness/cli/condition_text.h"

#include <cstring>
#include <iterator>
#include <variant>

#include <fmt/format.h>

#include "schema/clock_jumps.h"

namespace heddle::cli {
namespace {

std::string jump_text(int32_t choice) {
  if (choice <= 0) return "little time passes";
  const uint64_t ms = kClockJumps[static_cast<size_t>(choice - 1) % std::size(kClockJumps)] / 1'000'000;
  return ms < 1000 ? fmt::format("at least {} ms pass", ms) : fmt::format("at least {} s pass", ms / 1000);
}

// `timed`: it is a time-out, or none.
std::string choice_text(const SelectPreference& choice, bool timed, OperationWords& words) {
  std::string what = words(choice.thread, choice.site, choice.kind, choice.instance);
  for (const char* const part : {"return of the ", "end of the "}) {
    const size_t at = what.find(part);
    if ((choice.kind == Kind::cond_wake || choice.kind == Kind::sleep) && at != std::string::npos) what.erase(at, std::strlen(part));
  }
  const bool early = choice.choice != 0;
  const std::string chosen = words.chosen(choice);
  switch (choice.kind) {
    case Kind::select:
      if (choice.choice < 0) return what + " takes its default case";
      return chosen.empty() ? fmt::format("{} takes case {}", what, choice.choice) : fmt::format("{} takes the case `{}`", what, chosen);
    case Kind::cond_signal:
      if (!chosen.empty()) return fmt::format("{} wakes {}", what, chosen);
      [[fallthrough]];
    case Kind::futex_wake:
      return fmt::format("{} wakes waiter {}", what, choice.choice + 1);
    case Kind::cond_wake:
    case Kind::futex_wait:
      if (timed) return what + " times out before anybody notifies it";
      return what + (early ? " wakes up although nobody notified it" : " does not end early");
    case Kind::atomic_cas:
      return fmt::format("{} {}", what, early ? "fails" : "succeeds");
    case Kind::mutex_timedlock:
    case Kind::rwlock_rdlock:
    case Kind::rwlock_wrlock:
      return what + (early ? " times out before it gets the lock" : " does not time out early");
    case Kind::semaphore_wait:
      return what + (early ? " times out before it gets the semaphore" : " does not time out early");
    case Kind::clock_jump:
      return fmt::format("{} before {}", jump_text(choice.choice), what);
    case Kind::sleep:
    case Kind::signal_wait:
      return what + (early ? " ends early" : " does not end early");
    default:
      return fmt::format("{} has outcome {}{}", what, choice.choice,
                         kind_info(choice.kind).has(kAtomic) ? " (an older store)" : "");
  }
}

std::string wake_text(const LastWake& wake, OperationWords& words) {
  const auto where = [&](SiteId site, bool anywhere) { return (anywhere ? ", as" : "") + words.position(site, Kind::cond_wake); };
  std::string out = "the last notification wakes a thread that has to wait again" + where(wake.woken, wake.woken_anywhere) + ", and not one that waits";
  if (wake.passed_over == wake.woken && !wake.passed_over_anywhere) return out + " there, too";
  return out + (wake.passed_over_anywhere ? " for something else" : "") + where(wake.passed_over, wake.passed_over_anywhere);
}

}  // namespace

std::string condition_text(const Condition& condition, bool timed, OperationWords& words) {
  if (const SelectPreference* const choice = std::get_if<SelectPreference>(&condition)) {
    return choice_text(*choice, timed, words);
  }
  if (const ReadsFrom* const reads = std::get_if<ReadsFrom>(&condition)) {
    const std::string read = words(reads->read);
    return fmt::format("{} {} {}", read, reads->negative != 0 ? "does not see" : "sees",
                       reads->write.site == kNoSite ? "the initial value" : words(reads->write));
  }
  if (const LastWake* const wake = std::get_if<LastWake>(&condition)) return wake_text(*wake, words);
  const auto& [first, second] = std::get<Order>(condition);
  // A signal always comes before its handler. Where the handler runs is what matters.
  if (first.kind == Kind::signal_send && second.kind == Kind::signal_handle) return words(second) + " comes right before the operation there";
  if (is_interruption(condition)) return fmt::format("a signal handler runs in {} right before {}", thread_name(first.thread), words(second));
  const std::string a = words(first, false, second.thread);
  return fmt::format("{} comes before {}", a, words(second, true, first.thread));
}

}  // namespace heddle::cli
