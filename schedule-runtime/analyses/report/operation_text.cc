#include "analyses/report/operation_text.h"

#include <signal.h>
#include <string.h>

#include <cerrno>

#include "analyses/report/names.h"
#include "analyses/report/positions.h"
#include "analyses/report/values.h"
#include "trace/file_event.h"
#include "trace/file_notes.h"
#include "trace/live_state.h"
#include "trace/message_notes.h"
#include "trace/transfer_event.h"

namespace heddle::rt {
namespace {

bool success_goes_without_saying(Kind kind) {
  return kind == Kind::cond_signal || kind == Kind::cond_broadcast || kind == Kind::futex_wake || kind == Kind::once_begin || kind == Kind::once_end;
}

const char* failure_words(const Event& e) {
  switch (e.kind) {
    case Kind::cond_signal:
    case Kind::cond_broadcast:
    case Kind::futex_wake: return ": no waiter";
    case Kind::futex_wait: return ": value changed";
    case Kind::once_begin: return ": already done";
    case Kind::descriptor_wait: return e.value == 0 ? ": nothing ready" : ": failed";
    case Kind::descriptor_read:
    case Kind::descriptor_write: return transfer_error(e) == EAGAIN ? ": would block" : ": failed";
    default: return ": failed";
  }
}

void put_error(Text& out, int error) {
  const char* const words = strerrordesc_np(error);
  out.put(words != nullptr ? words : "failed");
}

bool learns_of_dead_owner(const Event& e) {
  return (e.kind == Kind::mutex_lock || e.kind == Kind::mutex_trylock || e.kind == Kind::mutex_timedlock) && e.finished() && e.value == kValueOfDeadOwner;
}

const char* outcome_words(const Event& e) {
  if (learns_of_dead_owner(e)) return ": its owner has ended";
  if (e.kind == Kind::select && e.finished() && e.choice == kDefaultChoice) return ": default case";
  if (on_channel(e.kind)) {
    return e.outcome == Outcome::failure ? ": closed" : "";
  }
  switch (e.outcome) {
    case Outcome::none: return "";
    case Outcome::success: return success_goes_without_saying(e.kind) ? "" : ": done";
    case Outcome::failure: return failure_words(e);
    case Outcome::timeout: return ": timed out";
    case Outcome::spurious: return ": spurious";
    case Outcome::signalled: return "";
    case Outcome::interrupted: return ": interrupted";
  }
  return "";
}

bool on_signal(Kind kind) { return kind == Kind::signal_send || kind == Kind::signal_wait || kind == Kind::signal_handle; }

// "SIGALRM", "SIGRTMIN+2"; of a wait that has not ended: "a signal".
void put_signal(Text& out, const Event& e) {
  const int number = e.finished() && e.outcome != Outcome::timeout && e.outcome != Outcome::interrupted ? static_cast<int>(e.value) : 0;
  if (number == 0) out.put("a signal");
  else if (const char* const name = sigabbrev_np(number)) out.put("SIG"), out.put(name);
  else if (number == SIGRTMIN) out.put("SIGRTMIN");
  else out.add("SIGRTMIN+%d", number - SIGRTMIN);
}

bool connects(const Event& e) { return e.kind == Kind::descriptor_write && e.value == kWriteOfConnect; }

void put_select(Text& out, const RunSummary& run, const SelectCase& s) {
  out.put(static_cast<CaseDirection>(s.direction) == CaseDirection::send ? "send " : "receive ");
  out.put(s.object != 0 ? object_name(run, s.object) : "nil");
}

// The case that it has taken, or all in which it waits. False: they are not known.
bool put_cases(Text& out, const RunSummary& run, const Event& e, uint32_t index) {
  bool any = false;
  for (uint32_t c = 0; index < run.event_count && c < run.select_case_count; ++c) {
    const SelectCase& s = run.select_cases[c];
    if (s.event != index || s.index == kDefaultCase || (e.finished() && s.index != e.choice)) continue;
    out.put(any ? ", " : "select: ");
    put_select(out, run, s);
    any = true;
  }
  return any;
}

// " (possible, too: receive C1)": what it has not taken, although it could have.
void put_other_cases(Text& out, const RunSummary& run, const Event& e, uint32_t index) {
  bool any = false;
  for (uint32_t c = 0; e.finished() && c < run.select_case_count; ++c) {
    const SelectCase& s = run.select_cases[c];
    if (s.event != index || s.ready == 0 || s.index == kDefaultCase || s.index == e.choice) continue;
    out.put(any ? ", " : " (possible, too: ");
    put_select(out, run, s);
    any = true;
  }
  if (any) out.put(")");
}

// Reading the size of a channel is recorded as a select that took its default case, and has no cases (primitives/channel.cc).
bool reads_size(const RunSummary& run, const Event& e, uint32_t index) {
  if (e.kind != Kind::select || !e.finished() || e.choice != kDefaultChoice || index >= run.event_count) return false;
  for (uint32_t c = 0; c < run.select_case_count; ++c) {
    if (run.select_cases[c].event == index) return false;
  }
  return true;
}

// Only of an operation whose file is known.
const FileNote* file_note(const RunSummary& run, uint32_t index) {
  const FileNote* const note = index < run.event_count ? file_notes().of(index) : nullptr;
  return note != nullptr && (note->call != nullptr || note->names[0][0] != '\0' || note->error != 0) ? note : nullptr;
}

// The names of libc's other forms of a call are not what the program says: __open_2, fopen64, __fprintf_chk, __isoc99_fscanf.
std::string_view name_in_program(std::string_view call) {
  for (const std::string_view prefix : {"__isoc99_", "__isoc23_", "__"}) {
    if (call.starts_with(prefix)) call.remove_prefix(prefix.size());
  }
  for (const std::string_view suffix : {"64", "_2", "_chk"}) {
    if (call.ends_with(suffix)) call.remove_suffix(suffix.size());
  }
  return call;
}

void put_file_call(Text& out, const Event& e, const FileNote& note) {
  out.put(closes_file(e) ? "close" : note.call != nullptr ? name_in_program(note.call) : verb_of(e.kind));
  if (note.call == nullptr && note.names[0][0] == '\0') out.put(" a file");
  if (on_stream(e)) out.put(note.names[0][0] == '\0' ? " stream" : " stream of");
  const bool numbered = note.number >= 0 && note.error == 0;
  if (numbered && closes_file(e)) out.add(" %d", note.number);
  for (const char* const name : note.names) {
    if (*name == '\0') continue;
    if (name != note.names[0]) out.put(",");
    out.put(" \"");
    out.put(name);
    out.put("\"");
  }
  if (numbered && !closes_file(e)) out.add(" = %d", note.number);
  if (note.error == 0) return;
  out.put(": ");
  put_error(out, note.error);
}

std::string_view words_before_object(const RunSummary& run, const Event& e, uint32_t index) {
  if (e.kind == Kind::wait_group_add && index < run.event_count && e.value < count_before(run, index)) return "done";
  if (e.kind == Kind::cond_wake && !e.finished()) return "wait for";
  if (e.kind == Kind::descriptor_open) return "open in place of";  // what it opens gets the number that this had
  if (frees(e)) return "free";
  if (e.kind == Kind::mutex_unlock && e.value == kValueOfDeadOwner) return "abandon";  // a robust mutex, at the end of its owner
  if (connects(e)) return "connect";
  if (closes_file(e)) return "close";
  return verb_of(e.kind);
}

}  // namespace

// With ASan, the position of the call of free is not known. The runtime's position is used instead.
bool frees(const Event& e) { return e.kind == Kind::plain_write && own_site(e.pc_index); }

std::string_view verb_of(Kind kind) {
  if (kind == Kind::cond_wake) return "wake up from";
  const std::string_view name = kind_info(kind).name;
  const size_t underscore = name.rfind('_');
  return underscore == std::string_view::npos ? name : name.substr(underscore + 1);
}

bool on_stream(const Event& e) {
  if (e.object == 0 || (e.kind != Kind::file_read && e.kind != Kind::file_write)) return false;
  const char* const label = live_state().object_label(e.object);
  return label != nullptr && strcmp(label, kLabelOfStream) == 0;
}

bool on_channel(Kind kind) { return kind == Kind::channel_send || kind == Kind::channel_receive || kind == Kind::select; }

void put_operation(Text& out, const RunSummary& run, const Event& e, uint32_t index) {
  if (const FileNote* const note = file_note(run, index)) return put_file_call(out, e, *note);
  if (e.kind == Kind::yield && e.value == kYieldOfClock) {
    out.put("read the clock");
  } else if (e.kind == Kind::clock_jump) {
    out.put("held up before it reads the clock");
  } else if (e.kind == Kind::spin_pause) {
    out.put("computes or spins");  // no call of the program: the engine let others go
  } else if (e.object == 0 && e.kind == Kind::descriptor_open) {
    out.put("open a descriptor");
  } else if (e.object == 0 && closes_file(e)) {
    out.put("close a file");
  } else if (e.object == 0) {
    for (const char c : kind_info(e.kind).name) out.repeat(c == '_' ? ' ' : c, 1);
  } else if (e.kind == Kind::thread_start || e.kind == Kind::thread_exit || e.kind == Kind::thread_cancelled) {
    out.put(verb_of(e.kind));
  } else if (reads_size(run, e, index)) {
    return out.add("size of %s = %u", object_name(run, e.object), e.value);
  } else if (on_signal(e.kind)) {
    out.put(e.kind == Kind::signal_wait ? "wait for" : verb_of(e.kind));
    out.put(" ");
    put_signal(out, e);
  } else {
    if (e.kind == Kind::select && put_cases(out, run, e, index)) {
      out.put(outcome_words(e));
      return put_other_cases(out, run, e, index);
    }
    out.put(words_before_object(run, e, index));
    if (e.kind == Kind::descriptor_close && e.value != 0) out.add(" %u of", e.value);  // its number, because a pipe has two ends
    out.put(" ");
    out.put(object_name(run, e.object));
    if (put_values(out, run, index)) return;
    if (const MessageNote* const note = index < run.event_count ? message_notes().of(index) : nullptr) out.add(", priority %u", note->priority);
  }
  if (e.outcome == Outcome::failure && is_transfer(e)) {
    if (const int error = transfer_error(e); error != 0 && error != EAGAIN) {
      out.put(": ");
      return put_error(out, error);
    }
  }
  out.put(outcome_words(e));
}

std::string_view waits_for(Kind kind) {
  if (kind == Kind::cond_wake) return "for a notification on";
  if (kind == Kind::thread_join) return "for the end of";
  if (kind == Kind::channel_send) return "to send on";
  if (kind == Kind::channel_receive) return "to receive from";
  if (kind == Kind::select) return "in a select on";
  if (kind == Kind::wait_group_wait) return "for";
  if (kind == Kind::descriptor_read) return "to read from";
  if (kind == Kind::descriptor_write) return "to write to";
  if (kind == Kind::descriptor_wait) return "in a poll on";
  if (kind == Kind::signal_wait) return "for";
  if (kind_info(kind).has(kHoldsLock)) return "to lock";
  return "on";
}

}  // namespace heddle::rt
