#include "harness/driver/run_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "analyses/report/names.h"
#include "analyses/report/positions.h"
#include "analyses/report/preemptions.h"
#include "analyses/report/report.h"
#include "analyses/report/stale_reads.h"
#include "analyses/report/values.h"
#include "analyses/report/wrappers.h"
#include "base/line.h"
#include "base/options.h"
#include "base/reserved_array.h"
#include "trace/live_state.h"
#include "trace/recorder.h"
#include "trace/sites.h"

namespace heddle::driver {
namespace {

using rt::Text;

constexpr uint32_t kMostOperations = 1 << 18;  // the last ones of a longer run
constexpr uint32_t kMostCallers = 4096, kFirstCaller = 1u << 30, kNoPlace = ~0u;  // their numbers are no site's

void put_string(Text& out, std::string_view text) {
  out.put("\"");
  for (const char c : text) {
    if (c == '"' || c == '\\') out.put("\\"), out.put({&c, 1});
    else if (static_cast<unsigned char>(c) < 0x20) out.add("\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else out.put({&c, 1});
  }
  out.put("\"");
}

// Makes the lines in memory of its own: after a crash the program's heap may be unusable.
class RunWriter {
 public:
  RunWriter(int file, const RunSummary& run) : file_(file), run_(run) { lines_.clear(); }

  void write(const rt::Story* story, bool run_has_ended) {
    rt::forget_names();
    rt::complete_values(run_);
    sites_.reserve(1 << 20);
    objects_.reserve(rt::Recorder::kMaxObjects);
    for (uint32_t i = 0; i < run_.object_count; ++i) objects_[i] = 0;
    for (uint32_t i = 0; i < rt::sites().size(); ++i) sites_[i] = 0;
    if (story != nullptr) rt::name_block(story->block.begin, story->block.size);
    const uint32_t first = run_.event_count > kMostOperations ? run_.event_count - kMostOperations : 0;
    look_for_wrappers(first);
    lines_.add("{\"run\":1,\"operations\":%u,\"first\":%u,\"flags\":%u,\"preemptions\":%u}\n", run_.event_count, first, run_.flags,
               rt::preemptions(run_));
    for (uint32_t t = 0; t < run_.thread_count; ++t) put_thread(t);
    for (uint32_t i = first; i < run_.event_count; ++i) put_event(i);
    if (story != nullptr) put_finding(*story);
    if (!run_has_ended) put_pending();
    rt::name_block(0, 0);
    failed_ |= !rt::write_all(file_, lines_.view().data(), lines_.view().size());
  }
  bool failed() const { return failed_; }

 private:
  void end_line() {
    constexpr size_t kBlock = 1 << 16;
    lines_.put("}\n");
    if (lines_.view().size() < kBlock) return;
    failed_ |= !rt::write_all(file_, lines_.view().data(), lines_.view().size());
    lines_.clear();
  }
  void put_words(const char* key, const Text& words) {
    lines_.add(",\"%s\":", key);
    put_string(lines_, words.view());
  }

  void put_thread(uint32_t t) {
    static constinit Text name;
    name.clear();
    rt::put_thread(name, run_, t);
    lines_.add("{\"thread\":%u", t);
    put_words("name", name);
    lines_.add(",\"end\":%u", run_.threads[t].state);
    end_line();
  }

  void look_for_wrappers(uint32_t first) {
    callers_.reserve(kMostCallers);
    callers_.clear();
    rt::begin_wrappers();
    for (uint32_t i = first; i < run_.event_count; ++i) {
      rt::add_operation(rt::recorder().position_of(run_.events, i), rt::recorder().context_of(i), rt::accesses_memory(run_.events[i].kind));
    }
    rt::find_wrappers();
    first_ = first;
  }

  void put_frame(uint32_t number, const rt::Frame& frame) {
    lines_.add("{\"site\":%u,\"function\":", number);
    put_string(lines_, frame.function);
    if (frame.file == nullptr) return;
    lines_.put(",\"file\":");
    put_string(lines_, frame.file);
    lines_.add(",\"line\":%u,\"column\":%u", frame.line, frame.column);
  }
  // A site gets its line before the first line that names it.
  void tell_site(uint32_t site) {
    if (site >= rt::sites().size() || sites_[site] != 0) return;
    sites_[site] = 1;
    put_frame(site, rt::user_frame(site));
    if (rt::own_site(site)) lines_.put(",\"own\":true");
    end_line();
  }
  // The number of a frame that is no site's own; kNoPlace: there are too many.
  uint32_t tell_caller(const rt::Frame& frame) {
    uint32_t n = 0;
    while (n < callers_.size() && callers_[n] != &frame) ++n;
    if (n == kMostCallers) return kNoPlace;
    if (n == callers_.size()) {
      callers_.push() = &frame;
      put_frame(kFirstCaller + n, frame);
      end_line();
    }
    return kFirstCaller + n;
  }
  // The number of the event's place: outside the program's own wrappers.
  uint32_t tell_place(uint32_t event) {
    const uint32_t site = rt::user_site(rt::recorder().position_of(run_.events, event), rt::recorder().context_of(event));
    const rt::Frame& frame = rt::frame_of_operation(event - first_);
    if (&frame != &rt::user_frame(site) && !rt::own_site(site)) {
      if (const uint32_t caller = tell_caller(frame); caller != kNoPlace) return caller;
    }
    tell_site(site);
    return site;
  }
  void tell_object(uint32_t object) {
    if (object == 0 || object >= run_.object_count || objects_[object] != 0) return;
    objects_[object] = 1;
    static constinit Text origin;
    origin.clear();
    rt::put_object_origin(origin, run_, object);
    lines_.add("{\"object\":%u,\"name\":", object);
    put_string(lines_, rt::object_name(run_, object));
    put_words("origin", origin);
    end_line();
  }

  void put_values(uint32_t i) {
    const rt::EventValues* const v = rt::recorder().values.of(i);
    if (v == nullptr || v->size == 0 || v->size > 8) return;
    const auto add = [&](rt::EventValues::Known known, const char* key, uint64_t value) {
      const uint64_t mask = v->size == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * v->size) - 1;
      if ((v->known & known) != 0) lines_.add(",\"%s\":\"0x%llx\"", key, static_cast<unsigned long long>(value & mask));
    };
    lines_.add(",\"size\":%u", v->size);
    add(rt::EventValues::kRead, "read", v->read);
    add(rt::EventValues::kStored, "stored", v->stored);
    add(rt::EventValues::kExpected, "expected", v->expected);
  }

  void put_event(uint32_t i) {
    static constinit Text words;
    const Event& e = run_.events[i];
    const rt::Writer writer = rt::writer_of(run_, i);
    const uint32_t place = tell_place(i);
    const rt::Frame* const caller = rt::caller_of_operation(i - first_);
    const uint32_t from = caller != nullptr ? tell_caller(*caller) : kNoPlace;
    tell_object(e.object);
    words.clear();
    rt::put_operation(words, run_, e, i);
    lines_.add("{\"event\":%u,\"at\":%u", i, place);
    if (from != kNoPlace) lines_.add(",\"from\":%u", from);
    put_words("words", words);
    put_values(i);
    if (writer.known == rt::Writer::initial) lines_.put(",\"initial\":true");
    if (writer.known == rt::Writer::at_least) lines_.add(",\"writer\":%u", writer.thread);
    end_line();
  }

  void put_pending() {
    static constinit Text words;
    for (uint32_t t = 0; t < run_.thread_count; ++t) {
      Event e;
      uint32_t context;
      if (!rt::live_state().pending(t, e, context)) continue;
      const uint32_t site = rt::user_site(e.pc_index, context);
      tell_site(site);
      tell_object(e.object);
      words.clear();
      rt::put_operation(words, run_, e);
      lines_.add("{\"pending\":%u,\"at\":%u,\"kind\":%u,\"object\":%u", t, site, static_cast<unsigned>(e.kind), e.object);
      put_words("words", words);
      end_line();
    }
  }

  void put_aside(const char* key, uint32_t thread, uint32_t before, uint32_t event, uint32_t site, const char* words) {
    tell_site(site);
    lines_.add("{\"%s\":%u,\"before\":%u,\"at\":%u,\"words\":", key, thread, before, site);
    put_string(lines_, words);
    if (event != kNoEvent) lines_.add(",\"of\":%u", event);
    end_line();
  }

  void put_finding(const rt::Story& story) {
    static constinit Text scratch;
    rt::StaleReads stale;
    scratch.clear();
    rt::put_stale_reads(scratch, run_, story, "", stale);
    lines_.put("{\"finding\":");
    put_string(lines_, rt::finding_name(story.type));
    put_words("what", story.what);
    lines_.add(",\"signature\":\"%016llx\"", static_cast<unsigned long long>(rt::signature(story)));
    if (story.stack_count != 0) lines_.put(",\"title\":"), put_string(lines_, story.stacks[0].title);
    end_line();
    for (uint32_t i = 0; i < story.event_count; ++i) lines_.add("{\"mark\":%u", story.events[i]), end_line();
    for (uint32_t i = 0; i < stale.count; ++i) lines_.add("{\"mark\":%u", stale.events[i]), end_line();
    for (uint32_t i = 0; i < story.aside_count; ++i) {
      const rt::Aside& aside = story.asides[i];
      put_aside("aside", aside.thread, aside.before, aside.event, rt::user_site(aside.position, aside.context), aside.words);
    }
    if (story.thread >= run_.thread_count || story.stack_count == 0) return;
    const rt::Stack& top = story.stacks[0];
    put_aside("here", story.thread, run_.event_count, kNoEvent, rt::user_site(top.position, top.context), story.now);
  }

  const int file_;
  const RunSummary& run_;
  bool failed_ = false;
  uint32_t first_ = 0;  // the first event that is told
  static constinit Text lines_;
  static constinit rt::ReservedArray<uint8_t> sites_, objects_;  // 1: it has its line
  static constinit rt::ReservedArray<const rt::Frame*> callers_;  // of wrappers
};
constinit Text RunWriter::lines_;
constinit rt::ReservedArray<uint8_t> RunWriter::sites_, RunWriter::objects_;
constinit rt::ReservedArray<const rt::Frame*> RunWriter::callers_;

void write(const RunSummary& run, const rt::Story* story, bool run_has_ended) {
  static bool complained = false;  // not for each of a million runs
  const char* const path = rt::options().run_path;
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool failed = file < 0;
  if (!failed) {
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
