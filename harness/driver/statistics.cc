#include "harness/driver/statistics.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iterator>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include "analyses/die.h"
#include "analyses/own_failures.h"
#include "analyses/report/report.h"
#include "base/afl.h"
#include "base/line.h"
#include "base/options.h"
#include "base/process_exit.h"
#include "engine/engine.h"
#include "feedback/feedback.h"
#include "engine/order_statistics.h"
#include "graph/graph_statistics.h"
#include "harness/driver/account.h"
#include "harness/driver/end_request.h"
#include "harness/driver/live_output.h"
#include "harness/driver/seen_output.h"
#include "harness/driver/run_channel_output.h"
#include "harness/driver/target.h"
#include "harness/driver/trace_output.h"
#include "heap/execution_heap.h"
#include "intercept/descriptors/file_making.h"
#include "intercept/descriptors/new_files.h"
#include "mutator/mutator.h"
#include "restore/initial_state.h"
#include "restore/left_behind.h"
#include "scheduler/chain_statistics.h"

namespace heddle::driver {
namespace {

struct Figures {
  uint64_t runs = 0, failed = 0, operations = 0, novel = 0, foreign = 0, unwatched = 0;
  uint64_t abandoned_threads = 0;
  double begin = 0, told = 0;  // the last line about what is left
  uint32_t interval = 0;       // seconds to the next one; 0: there is none
};
constinit Figures figures;

double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// "0.031", "4.2", "87". (%g would write 100 as 1e+02.)
std::string percent(double share) {
  char out[16];
  std::snprintf(out, sizeof out, share >= 0.0995 ? "%.0f" : "%.2g", 100 * share);
  return out;
}

// How much is left to try.
void print_progress() {
  const rt::Uncontrolled scope;
  figures.told = now();
  const auto n = [](uint64_t x) { return static_cast<unsigned long long>(x); };
  const auto f = rt::order_statistics().figures();
  // Executions that end while threads can still run have no order that could be counted.
  const std::string orders = f.executions == 0 ? "no order counted: threads can still run at the end"
                                               : std::to_string(f.orders) + " different orders, " + percent(f.new_order()) + " % of the next have a new one";
  const std::string pairs =
      f.pairs == 0 ? "no racing pairs" : std::to_string(f.both_ways) + " of " + std::to_string(f.pairs) + " racing pairs in both orders";
  rt::print_line(2, "heddle: %llu executions: %s; %s; %llu of %llu places never in conflict\n", n(figures.runs), orders.c_str(), pairs.c_str(),
                 n(f.places - f.in_conflict), n(f.places));
}

std::string json() {
  std::string out = "{";
  const auto add = [&out](std::string_view name, auto value) {
    out += out.size() > 1 && out.back() != '{' ? ",\n  \"" : "\n  \"";
    out.append(name).append("\": ").append(std::to_string(value));
  };
  const auto f = rt::order_statistics().figures();
  add("executions", figures.runs), add("seconds", now() - figures.begin);
  add("operations", figures.operations), add("novel", figures.novel),
      add("findings", figures.failed);
  add("orders", f.orders), add("orders_seen_once", f.seen_once),
      add("new_order_probability", f.new_order());
  add("racing_pairs", f.pairs), add("racing_pairs_both_ways", f.both_ways);
  add("places", f.places), add("places_never_in_conflict", f.places - f.in_conflict);
  const rt::ChainStatistics::Figures& c = rt::chain_statistics().figures();
  add("chains", c.chains), add("chains_whole", c.whole);
  add("chain_elements", c.elements), add("chain_elements_realised", c.realised);
  out += ",\n  \"chains_not_realised\": {";
  for (uint32_t i = 1; i < rt::kChainCauses; ++i)
    add(rt::chain_cause_name(static_cast<rt::ChainCause>(i)), c.chains_by[i]);
  return out + "}\n}\n";
}

void write_statistics(const char* path, const std::string& text) {
  const rt::Uncontrolled scope;
  const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0 || write(fd, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    rt::print_line(
        2,
        "heddle: cannot write '%s'. HEDDLE_OPTIONS=stats_path names a file that can be written\n",
        path);
  }
  if (fd >= 0) close(fd);
}

// How many executions fail is what exit_on_finding=0 is for.
void print_findings() {
  rt::print_finding_statistics(2);
  rt::print_line(2, "heddle: executions with a finding: %llu of %llu\n", static_cast<unsigned long long>(figures.failed),
                 static_cast<unsigned long long>(figures.runs));
}

// A finding, or the engine's own death: the process ends in the middle of an execution.
void at_death() {
  const rt::Uncontrolled scope;
  rt::put_back_file_making();
  rt::remove_new_files();
  save_unfinished_trace();
  say_at_death();
}

// What a search says when it ends.
void print_end() {
  static bool printed = false;
  if (std::exchange(printed, true)) return;
  print_account(false);
  if (!rt::afl_fuzz_runs()) tell_seen(false);
  rt::process_ends();
  if (rt::options().stats) print_statistics();
  else if (!rt::options().exit_on_finding || rt::options().known[0] != 0) print_findings();
  if (rt::options().stats_path[0] != 0) write_statistics(rt::options().stats_path, json());
}

}  // namespace

void start() {
  figures.begin = figures.told = now();
  if (rt::options().stats) mutator::process_mutator();  // created first, so that it still exists when the statistics are printed
  rt::at_process_exit(print_end);
  if (rt::libfuzzer_linked()) follow_end_requests();
  begin_seen_output();
  rt::set_death_hook(at_death);
  rt::follow_sanitizers(true);  // by now libFuzzer has set its own callback
  install_trace_output();
  open_run_channel();
  verify_control();
  const bool live = begin_live_figures();
  // `heddle run` and afl-fuzz have a display of their own.
  if (!live && !rt::afl_fuzz_runs()) figures.interval = rt::options().progress;
  if (live || rt::options().counts() || figures.interval != 0) rt::order_statistics().begin();
  begin_account();
  begin_trace_output();
}

void say_at_death() {
  if (rt::options().stats_path[0] != 0) write_statistics(rt::options().stats_path, json());
  if (!rt::afl_fuzz_runs()) tell_seen(true);
  print_account(true);
}

void end_search_if_requested() { end_if_requested(print_end); }

void count_run(const RunSummary& run) {
  account_run(run);
  tell_live_figures();
  ++figures.runs;
  figures.operations += run.steps;
  figures.failed += (run.flags & kRunFinding) != 0;
  figures.novel += (run.flags & kRunNovel) != 0;
  figures.foreign += (run.flags & kRunForeign) != 0;
  figures.unwatched += (run.flags & kRunFamiliar) != 0;
  uint32_t abandoned = 0;
  for (uint32_t i = 0; i < run.thread_count; ++i) {
    abandoned += run.threads[i].state != static_cast<uint8_t>(ThreadEnd::finished);
  }
  figures.abandoned_threads += abandoned;
  if (rt::order_statistics().begun() && (run.flags & kRunNovel) != 0)
    rt::order_statistics().look(run);
  if (figures.interval != 0 && now() - figures.told >= figures.interval) print_progress();
}

// A line for each cause, with the most frequent first.
void print_chains() {
  const auto n = [](uint64_t x) { return static_cast<unsigned long long>(x); };
  const rt::ChainStatistics::Figures& f = rt::chain_statistics().figures();
  if (f.chains == 0) return;
  rt::print_line(2,
                 "heddle: %llu of %llu chains realised in whole, %llu of %llu of their elements\n",
                 n(f.whole), n(f.chains), n(f.realised), n(f.elements));
  uint32_t order[rt::kChainCauses];
  std::iota(std::begin(order), std::end(order), 0u);
  std::sort(std::begin(order), std::end(order), [&](uint32_t a, uint32_t b) {
    return f.chains_by[a] != f.chains_by[b] ? f.chains_by[a] > f.chains_by[b] : a < b;
  });
  for (const uint32_t c : order) {
    if (f.chains_by[c] == 0) break;
    const std::string_view name = rt::chain_cause_name(static_cast<rt::ChainCause>(c));
    rt::print_line(2, "heddle:   not realised, %.*s: %llu chains, %llu elements\n",
                   static_cast<int>(name.size()), name.data(), n(f.chains_by[c]),
                   n(f.elements_by[c]));
  }
}

void print_statistics() {
  const double seconds = now() - figures.begin;
  const double runs = figures.runs != 0 ? static_cast<double>(figures.runs) : 1;
  rt::print_line(2,
                 "heddle: %llu executions in %.2f s (%.0f a second), %.1f operations each; %llu novel, %llu without race detection, %llu without a "
                 "schedule; %zu bytes of data restored each time\n",
                 static_cast<unsigned long long>(figures.runs), seconds,
                 seconds > 0 ? static_cast<double>(figures.runs) / seconds : 0.0,
                 static_cast<double>(figures.operations) / runs, static_cast<unsigned long long>(figures.novel),
                 static_cast<unsigned long long>(figures.unwatched),
                 static_cast<unsigned long long>(figures.foreign), rt::initial_state_size());
  if (const auto f = rt::graph::graph_statistics().figures(); f.runs != 0) {
    const auto n = [](uint64_t x) { return static_cast<unsigned long long>(x); };
    rt::print_line(2,
                   "heddle: %llu executions under rc11: %llu distinct graphs (po,rf,mo), %llu (po,rf); %llu blocked, %llu bounded, %llu with SC by "
                   "views; %llu with a graph prefix, %llu of them not realised\n",
                   n(f.runs), n(f.graphs), n(f.reads_from), n(f.blocked), n(f.bounded), n(f.by_views), n(f.prefixes), n(f.unrealised));
  }
  if (const auto f = rt::order_statistics().figures(); f.executions != 0) {
    const auto n = [](uint64_t x) { return static_cast<unsigned long long>(x); };
    rt::print_line(2,
                   "heddle: %llu different orders; %llu of them only once, so about %s %% of "
                   "more such executions would have a new one; %llu racing pairs of positions, "
                   "%llu of them in both orders; %llu of %llu places never reached by two threads "
                   "in conflict\n",
                   n(f.orders), n(f.seen_once), percent(f.new_order()).c_str(), n(f.pairs), n(f.both_ways),
                   n(f.places - f.in_conflict), n(f.places));
  }
  print_chains();
  if (figures.abandoned_threads != 0) {
    rt::print_line(2, "heddle: %llu threads were still alive when their execution ended\n",
                   static_cast<unsigned long long>(figures.abandoned_threads));
  }
  rt::print_line(2, "heddle: heap memory that executions did not free: %zu bytes reclaimed, %zu not yet\n", rt::reclaimed_bytes(),
                 rt::execution_heap().live_bytes());
  const std::string moves = mutator::process_mutator().statistics();
  for (size_t at = 0, end; at < moves.size(); at = end + 1) {
    end = moves.find('\n', at);
    rt::print_line(2, "heddle:   %.*s\n", static_cast<int>(end - at), moves.data() + at);
  }
  rt::print_feedback_statistics(2);
  print_findings();
}

}  // namespace heddle::driver
