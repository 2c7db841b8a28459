#include "analyses/report/operation_text.h"
#include "harness/driver/run_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "analyses/report/names.h"
#include "analyses/report/preemptions.h"
#include "analyses/report/report.h"
#include "analyses/report/rows.h"
#include "analyses/report/stale_reads.h"
#include "analyses/report/unlooped_waits.h"
#include "analyses/report/values.h"
#include "base/line.h"
#include "base/options.h"
#include "base/reserved_array.h"
#include "harness/driver/run_lines.h"
#include "harness/driver/run_places.h"
#include "trace/live_state.h"
#include "trace/recorder.h"

namespace heddle::driver {
namespace {

using rt::Text;

constexpr uint32_t kMostOperations = 1 << 18;  // the last ones of a longer run

uint32_t first_told(const RunSummary& run) { return run.event_count > kMostOperations ? run.event_count - kMostOperations : 0; }

class RunWriter {
 public:
  RunWriter(int file, const RunSummary& run) : run_(run), first_(first_told(run)), lines_(file), places_(run, first_, lines_) {}

  void write(const rt::Story* story, bool run_has_ended) {
    rt::complete_values(run_);
    objects_.reserve(rt::Recorder::kMaxObjects);
    for (uint32_t i = 0; i < run_.object_count; ++i) objects_[i] = 0;
    if (story != nullptr) rt::name_block(story->block.begin, story->block.size);
    lines_.text().add("{\"run\":1,\"operations\":%u,\"first\":%u,\"flags\":%u,\"preemptions\":%u", run_.event_count, first_, run_.flags,
                     rt::preemptions(run_));
    lines_.end_line();
    for (uint32_t t = 0; t < run_.thread_count; ++t) put_thread(t);
    for (uint32_t i = first_; i < run_.event_count; ++i) put_event(i);
    put_notes();
    if (story != nullptr) put_finding(*story);
    if (!run_has_ended) put_pending();
    rt::name_block(0, 0);
    lines_.flush();
  }
  bool failed() const { return lines_.failed(); }

 private:
  void put_thread(uint32_t t) {
    static constinit Text name;
    name.clear();
    rt::put_thread(name, run_, t);
    lines_.text().add("{\"thread\":%u", t);
    lines_.put_words("name", name.view());
    lines_.text().add(",\"end\":%u", run_.threads[t].state);
    lines_.end_line();
  }

  void tell_object(uint32_t object) {
    if (object == 0 || object >= run_.object_count || objects_[object] != 0) return;
    objects_[object] = 1;
    static constinit Text origin;
    origin.clear();
    rt::put_object_origin(origin, run_, object);
    lines_.text().add("{\"object\":%u,\"name\":", object);
    lines_.put_string(rt::object_name(run_, object));
    lines_.put_words("origin", origin.view());
    lines_.end_line();
  }

  void put_values(uint32_t i) {
    const rt::EventValues* const v = rt::recorder().values.of(i);
    if (v == nullptr || v->size == 0 || v->size > 8) return;
    const auto add = [&](rt::EventValues::Known known, const char* key, uint64_t value) {
      const uint64_t mask = v->size == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * v->size) - 1;
      if ((v->known & known) != 0) lines_.text().add(",\"%s\":\"0x%llx\"", key, static_cast<unsigned long long>(value & mask));
    };
    lines_.text().add(",\"size\":%u", v->size);
    add(rt::EventValues::kRead, "read", v->read);
    add(rt::EventValues::kStored, "stored", v->stored);
    add(rt::EventValues::kExpected, "expected", v->expected);
  }

  void put_event(uint32_t i) {
    static constinit Text words;
    const Event& e = run_.events[i];
    const rt::Writer writer = rt::writer_of(run_, i);
    const RunPlaces::Numbers place = places_.of_event(i);
    tell_object(e.object);
    words.clear();
    rt::put_operation(words, run_, e, i);
    lines_.text().add("{\"event\":%u,\"at\":%u", i, place.at);
    if (place.caller != kNoPlace) lines_.text().add(",\"from\":%u", place.caller);
    lines_.put_words("words", words.view());
    put_values(i);
    if (writer.known == rt::Writer::initial) lines_.text().put(",\"initial\":true");
    if (writer.known == rt::Writer::at_least) lines_.text().add(",\"writer\":%u", writer.thread);
    lines_.end_line();
  }

  void put_pending() {
    static constinit Text words;
    for (uint32_t t = 0; t < run_.thread_count; ++t) {
      Event e;
      uint32_t context;
      if (!rt::live_state().pending(t, e, context)) continue;
      const uint32_t place = places_.of(e.pc_index, context);
      tell_object(e.object);
      words.clear();
      rt::put_operation(words, run_, e);
      lines_.text().add("{\"pending\":%u,\"at\":%u,\"kind\":%u,\"object\":%u", t, place, static_cast<unsigned>(e.kind), e.object);
      lines_.put_words("words", words.view());
      lines_.end_line();
    }
  }

  void put_aside(const char* key, uint32_t thread, uint32_t before, uint32_t event, uint32_t place, const char* words) {
    lines_.text().add("{\"%s\":%u,\"before\":%u,\"at\":%u,\"words\":", key, thread, before, place);
    lines_.put_string(words);
    if (event != kNoEvent) lines_.text().add(",\"of\":%u", event);
    lines_.end_line();
  }

  // What is no operation, and explains no finding.
  void put_notes() {
    const rt::RunNotes& notes = rt::run_notes();
    for (uint32_t i = 0; i < notes.size(); ++i) {
      char words[sizeof rt::Aside::words];
      rt::put_note_words(words, run_, notes[i]);
      tell_object(notes[i].object);
      put_aside("note", notes[i].thread, notes[i].events, kNoEvent, places_.of(notes[i].site, notes[i].context), words);
    }
  }

  void put_finding(const rt::Story& story) {
    static constinit Text scratch;
    rt::StaleReads stale;
    scratch.clear();
    rt::put_stale_reads(scratch, run_, story, "", stale);
    lines_.text().put("{\"finding\":");
    lines_.put_string(rt::finding_name(story.type));
    lines_.put_words("what", story.what.view());
    lines_.text().add(",\"signature\":\"%016llx\"", static_cast<unsigned long long>(rt::signature(story)));
    if (story.stack_count != 0) lines_.text().put(",\"title\":"), lines_.put_string(story.stacks[0].title);
    lines_.end_line();
    const auto mark = [this](const uint32_t* events, uint32_t count) {
      for (uint32_t i = 0; i < count; ++i) lines_.text().add("{\"mark\":%u", events[i]), lines_.end_line();
    };
    const rt::UnloopedWakeUps unlooped = rt::unlooped_wake_ups(run_, story);
    mark(story.events, story.event_count);
    mark(stale.events, stale.count);
    mark(unlooped.events, unlooped.count);
    for (uint32_t i = 0; i < story.aside_count; ++i) {
      const rt::Aside& aside = story.asides[i];
      put_aside("aside", aside.thread, aside.before, aside.event, places_.of(aside.position, aside.context), aside.words);
    }
    if (story.thread >= run_.thread_count || story.stack_count == 0) return;
    const rt::Stack& top = story.stacks[0];
    put_aside("here", story.thread, run_.event_count, kNoEvent, places_.of(top.position, top.context), story.now);
  }

  const RunSummary& run_;
  const uint32_t first_;  // the first event that is told
  RunLines lines_;
  RunPlaces places_;
  static constinit rt::ReservedArray<uint8_t> objects_;  // 1: it has its line
};
constinit rt::ReservedArray<uint8_t> RunWriter::objects_;

void write(const RunSummary& run, const rt::Story* story, bool run_has_ended) {
  static bool complained = false;  // not for each of a million runs
  const char* const path = rt::options().run_path;
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool failed = file < 0;
  if (!failed) {
    rt::forget_names();
    RunWriter writer(file, run);
    writer.write(story, run_has_ended);
    failed = writer.failed();
    failed |= close(file) != 0;
  }
  if (failed && !complained) rt::print_line(2, "heddle: cannot write %s: %s\n", path, std::strerror(errno));
  complained |= failed;
}

void report_printed(const rt::Story& story, const RunSummary& run, bool run_has_ended) { write(run, &story, run_has_ended); }

}  // namespace

void install_run_output() {
  if (rt::options().run_path[0] != 0) rt::set_report_observer(report_printed);
}

void save_run(const RunSummary& run) {
  if (rt::options().run_path[0] != 0 && (run.flags & kRunFinding) == 0) write(run, nullptr, true);
}

}  // namespace heddle::driver
