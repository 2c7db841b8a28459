#include "analyses/spin_reads.h"

#include <algorithm>

#include "analyses/report/memory_words.h"
#include "analyses/report/names.h"
#include "analyses/report/positions.h"
#include "analyses/report/values.h"
#include "races/race_detector.h"
#include "trace/plain_reads.h"
#include "trace/recorder.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kMostReads = 3;  // named in a sentence

void put_last_writer(Text& out, const RunSummary& run, uint32_t thread, uint32_t site) {
  out.put(", which ");
  put_thread(out, run, thread);
  out.put(" wrote last, at ");
  put_place(out, site);
}

void put_nobody(Text& out) { out.put(", which no thread has written in this run"); }

// The last read of each object; the latest objects come first.
class Reads {
 public:
  Reads(Text& out, const RunSummary& run) : out_(out), run_(run) {}

  void add_operation(uint32_t event) {
    const Event& e = run_.events[event];
    const Writer writer = writer_of(run_, event);
    if (writer.known == Writer::nobody || e.object == 0) return;
    if (count_ == kMostReads || std::find(told_, told_ + count_, e.object) != told_ + count_) return;
    told_[count_] = e.object;
    begin();
    out_.put(object_name(run_, e.object));
    const EventValues* const values = recorder().values.of(event);
    if (values != nullptr && (values->known & EventValues::kRead) != 0) out_.put(" = "), put_value(out_, values->read, values->size);
    if (writer.known == Writer::initial) return put_nobody(out_);
    put_last_writer(out_, run_, writer.thread, user_site(writer.site, writer.context));
  }

  void add_memory(const Story& story, uintptr_t address) {
    uint32_t thread, site;
    if (count_ == kMostReads || !race_detector_plain_writer(address, thread, site)) return;  // who wrote it before all threads began is not known
    begin();
    put_memory_name(out_, run_, story, address);
    put_last_writer(out_, run_, thread, user_site(site, 0));
  }

 private:
  void begin() { out_.put(count_++ == 0 ? ". Each time it reads " : "; and "); }

  Text& out_;
  const RunSummary& run_;
  uint32_t told_[kMostReads] = {};  // objects
  uint32_t count_ = 0;
};

}  // namespace

void put_spin_reads(Text& out, const RunSummary& run, const Story& story, uint32_t spin, uint32_t thread) {
  Reads reads(out, run);
  uint32_t last = kNoEvent;
  for (uint32_t i = run.event_count; i-- > spin;) {
    if (run.events[i].thread != thread) continue;
    if (last == kNoEvent && run.events[i].finished()) last = i;
    reads.add_operation(i);
  }
  const PlainReads& plain = plain_reads();
  if (last == kNoEvent || run.events[last].kind != Kind::spin_pause || plain.thread != thread || plain.events < last) return;
  for (const uintptr_t word : plain.words) {
    if (word != 0) reads.add_memory(story, word << 3);
  }
}

}  // namespace heddle::rt
