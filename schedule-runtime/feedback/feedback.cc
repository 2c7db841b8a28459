#include "feedback/feedback.h"

#include "base/afl.h"
#include "base/line.h"
#include "base/options.h"
#include "feedback/interest.h"

namespace heddle::rt {
namespace {

struct State {
  Collector collector;
  Feature features[Collector::kMaxTouched] = {};
  uint64_t runs = 0;
  uint64_t reported = 0;
  uint64_t dropped = 0;
  uint64_t novel = 0;
  uint64_t bounded = 0;
};
constinit State g;

// An earlier run with the same order has reported everything, and no feature was dropped. Not with AFL++, which expects an input to behave
// the same each time.
bool shows_nothing_new(const RunSummary& run) { return (run.flags & kRunFamiliar) != 0 && g.dropped == 0 && !afl_linked(); }

void execution_ended(RunSummary& run) {
  g.collector.begin();
  if (shows_nothing_new(run)) collect_chain_features(run, g.collector);
  else collect_features(run, g.collector);
  const uint32_t wanted = options().features;
  // The constant feature is always reported: clang 14 gives up without any feature. AFL++ expects an input to behave the same each time it runs.
  // So it gets all features by default: a choice among them could not prefer the new ones.
  const uint32_t all = afl_linked() && wanted == Options{}.features ? Collector::kMaxTouched : wanted;
  const uint32_t limit = wanted == 0 ? 1 : all;
  bool novel;
  const uint32_t n = g.collector.select(limit, g.features, novel, afl_linked());
  write_features(g.features, n);
  if (novel) run.flags |= kRunNovel;
  ++g.runs;
  g.reported += n;
  g.dropped += g.collector.touched() - n;
  g.novel += novel;
  g.bounded += (run.flags & kRunStepBound) != 0;
}

}  // namespace

const Observer kFeedback = {"feedback", execution_ended};

void print_feedback_statistics(int fd) {
  if (g.runs == 0) return;
  print_line(fd, "heddle: feedback: %u features seen, %.1f reported per execution, %.1f over the limit, %llu of %llu executions novel\n",
             g.collector.distinct_seen(), static_cast<double>(g.reported) / static_cast<double>(g.runs),
             static_cast<double>(g.dropped) / static_cast<double>(g.runs), static_cast<unsigned long long>(g.novel),
             static_cast<unsigned long long>(g.runs));
  if (g.bounded != 0) {
    print_line(fd, "heddle: %llu executions reached the step limit and were stopped. Their outcome is unknown\n",
               static_cast<unsigned long long>(g.bounded));
  }
}

}  // namespace heddle::rt
