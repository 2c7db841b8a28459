// simplest_schedule TARGET FILE [EXECUTIONS]: is there a schedule with the finding of FILE that is simpler than FILE's?
//
// A schedule by hand says where the run deviates from `nonpreemptive`: here another thread goes. This tries all of them, the simplest first
// (iterative context bounding, Musuvathi and Qadeer, 2007): all with fewer deviations than FILE has constraints, and all with fewer preemptions
// than its run has. A deviation can take several lines, because each thread that would go instead has to wait. So a schedule that is found is
// reduced, and counts if it has fewer lines than FILE, or fewer preemptions and no more lines; and no more thread switches. Outcomes of choices and data bytes
// are those of FILE. `scripts/minimize_table.py --compare` runs it on what heddle minimize has made.
#include <fmt/format.h>

#include <cstdlib>
#include <deque>
#include <map>

#include "harness/cli/deviating_run.h"
#include "harness/cli/explicit_schedule.h"
#include "harness/cli/files.h"
#include "harness/cli/minimizer.h"
#include "harness/cli/target_server.h"
#include "schedule-runtime/analyses/report/preemptions.h"
#include "schedule-runtime/base/check.h"
#include "schema/codec.h"

// preemptions.cc is the runtime's.
namespace heddle::rt {
void fail(const char* what) {
  fmt::print(stderr, "simplest_schedule: {}\n", what);
  std::abort();
}
}  // namespace heddle::rt

using namespace heddle;
using namespace heddle::cli;

namespace {

class Search {
 public:
  Search(TargetServer& target, const Schedule& schedule, const Execution& run, size_t lines, uint64_t most)
      : target_(target), like_(schedule), signature_(run.signature), lines_(lines), switches_(thread_switches(run.trace)), most_(most) {}

  // The least number of lines, or of preemptions, below `bound` with which the finding comes; `bound`: it does not.
  unsigned least(bool preemptions, unsigned bound) {
    executions_ = 0;
    cut_ = false;
    std::map<unsigned, std::deque<DeviatingRun>> todo;
    todo[0].push_back({});
    const auto cost = [&](const DeviatingRun& n) { return preemptions ? n.preemptions : static_cast<unsigned>(n.deviations.size()); };
    for (unsigned level = 0; level < bound; ++level) {
      while (!todo[level].empty()) {
        if (executions_ >= most_) return cut_ = true, bound;
        const DeviatingRun node = std::move(todo[level].front());
        todo[level].pop_front();
        ++executions_;
        const Execution run = target_.run(encode_schedule(schedule_of(node, like_)), kMilliseconds);
        if (!run.has_trace || !obeyed(node, run.trace)) continue;
        if (is_finding(run) && thread_switches(run.trace) <= switches_) {
          const unsigned lines = lines_of(schedule_of(node, like_));
          if (preemptions && lines <= lines_) return level;
          if (!preemptions && lines < bound) return lines;
        }
        for (DeviatingRun& child : deviating_further(node, run.trace)) {
          const unsigned its = cost(child);
          if (its < bound) todo[its].push_back(std::move(child));
        }
      }
    }
    return bound;
  }
  uint64_t executions() const { return executions_; }
  bool cut() const { return cut_; }

 private:
  static constexpr unsigned kMilliseconds = 10'000;

  bool is_finding(const Execution& run) const { return run.found && run.signature == signature_; }

  // Without what the finding does not need.
  unsigned lines_of(Schedule schedule) {
    for (size_t i = schedule.delays.size(); i-- > 0;) {
      Schedule fewer = schedule;
      fewer.delays.erase(fewer.delays.begin() + static_cast<ptrdiff_t>(i));
      ++executions_;
      const Execution run = target_.run(encode_schedule(fewer), kMilliseconds);
      if (is_finding(run) && thread_switches(run.trace) <= switches_) schedule = std::move(fewer);
    }
    return static_cast<unsigned>(schedule.delays.size());
  }

  TargetServer& target_;
  const Schedule like_;
  const uint64_t signature_;
  const size_t lines_, switches_;
  const uint64_t most_;
  uint64_t executions_ = 0;
  bool cut_ = false;
};

int compare(const char* target, const char* file, uint64_t most) {
  TargetServer server(target);
  const auto input = read_file(file);
  const Execution run = server.run(input, 60'000);
  if (!run.found || !run.has_trace) {
    fmt::print(stderr, "simplest_schedule: {} has no finding\n", file);
    return 2;
  }
  Schedule schedule;
  decode_schedule(input, schedule);
  // Those that say an order.
  const size_t lines = explains(schedule) ? schedule.delays.size() + schedule.elements.size() + schedule.reads_from.size() + schedule.graph.size()
                                          : thread_switches(run.trace);
  const unsigned preemptions = rt::preemptions(run.trace.summary());
  Search search(server, schedule, run, lines, most);
  const auto print_row = [&](const char* name, bool by_preemptions, unsigned has) {
    const unsigned least = search.least(by_preemptions, has);
    fmt::print("{} {} least {}{} executions {}\n", name, has, least, search.cut() ? "?" : "", search.executions());
  };
  print_row("constraints", false, static_cast<unsigned>(lines));
  print_row("preemptions", true, preemptions);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "simplest_schedule TARGET FILE [EXECUTIONS]\n");
    return 2;
  }
  try {
    return compare(argv[1], argv[2], argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 4000);
  } catch (const Failure& failure) {
    fmt::print(stderr, "simplest_schedule: {}\n", failure.what());
    return 2;
  }
}
