// An execution from its first byte to its summary.
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/address_layout.h"
#include "base/afl.h"
#include "base/asan.h"
#include "base/cxx_library.h"
#include "base/exit_codes.h"
#include "base/line.h"
#include "base/options.h"
#include "engine/debugger_view.h"
#include "engine/engine.h"
#include "engine/initialisation.h"
#include "engine/order_statistics.h"
#include "engine/time_stamp.h"
#include "fiber/thread_exit.h"
#include "fiber/thread_pointer_trap.h"
#include "graph/execution_graph.h"
#include "graph/graph_statistics.h"
#include "heap/execution_heap.h"
#include "heap/execution_mappings.h"
#include "heap/free_notes.h"
#include "heap/heap_blocks.h"
#include "heap/quarantine.h"
#include "heap/shared_views.h"
#include "races/access_notes.h"
#include "races/handler_accesses.h"
#include "races/race_detector.h"
#include "races/recent_accesses.h"
#include "restore/initial_state.h"
#include "restore/left_behind.h"
#include "restore/library_caches.h"
#include "restore/restored_modules.h"
#include "restore/touched_state.h"
#include "scheduler/chain_statistics.h"
#include "trace/comparisons.h"
#include "trace/observer.h"
#include "trace/run_notes.h"

extern "C" {
int __cxa_atexit(void (*function)(void*), void* argument, void* dso) noexcept;
extern void* __dso_handle __attribute__((visibility("hidden")));
}

namespace heddle::rt {

void publish_live_state();   // report_access.cc
void register_observers();  // analyses/registry.cc: all that the engine knows of those who observe it

namespace {

constexpr size_t kMaxInput = 1 << 20;  // libFuzzer's own limit

constinit uint8_t g_empty[1] = {};

// Threads may write to them as they like, and libc++'s headers change the format's variables each time.
void declare_streams() {
  CxxStream streams[kCxxStreams];
  const size_t count = find_cxx_streams(streams);
  for (size_t i = 0; i < count; ++i) race_detector_benign(reinterpret_cast<uintptr_t>(streams[i].object), streams[i].size, true);
}

// Before anything lies anywhere.
void choose_addresses() {
  if (!options().low_addresses) return;
  if (asan_linked()) {
    print_line(2, "heddle: HEDDLE_OPTIONS: low_addresses=1 cannot be used with AddressSanitizer, which needs these addresses itself\n");
    _exit(kUsageExit);
  }
  g_address_layout = kLowLayout;
  if (reinterpret_cast<uintptr_t>(&g_empty) >> 32 != 0) {
    print_line(2, "heddle: note: low_addresses=1: the executable itself, with its global variables, lies above 4 GiB. Link it with -no-pie\n");
  }
}

}  // namespace

void Engine::prepare() {
  if (prepared_) return;
  prepared_ = true;
  choose_addresses();
  fiber::initialise();
  fiber::set_finish(&Engine::thread_finish);
  sites().initialise();
  contexts().initialise();
  spots().initialise();
  recorder().initialise();
  race_detector_initialise();
  declare_streams();
  if (!asan_linked()) execution_heap().initialise();  // with ASan it is not used
  execution_mappings().initialise();
  shared_views().initialise([](uintptr_t from, uintptr_t to, size_t of) {
    race_detector_moved(from, to, of);
    engine().memory_moved(from, to, of);
  });
  set_object_sink(&Engine::object_overwritten);
  threads_.reserve(kMaxThreads);
  objects_.reserve(Recorder::kMaxObjects);
  live_.reserve(kMaxThreads);
  ready_.reserve(kMaxThreads);
  ready_slots_.reserve(kMaxThreads);
  candidates_.reserve(kMaxThreads);
  finished_.reserve(kMaxThreads);
  spare_stacks_.reserve(kMaxThreads);
  object_by_address_.initialise(8);
  occurrences_.initialise(8);
  visible_plain_.initialise();
  known_orders_.initialise(kMaxThreads, Recorder::kMaxObjects);
  by_handle_.initialise(8);
  input_.reserve(kMaxInput + 16);
  publish_live_state();
  publish_debugger_view();
  register_observers();
}

void Engine::restore_state() {
  fiber::forget_keys();
  restore_initial_state();
  renew_memory();
}

// Destructors of global objects, the program's and those of libraries, run after this. The threads of the last execution do not exist any
// more, and a destructor that joins one would wait for ever.
void Engine::restore_at_exit(void*) {
  if (!g_engine.running_) g_engine.restore_state();
}

void Engine::begin(std::span<const uint8_t> input) {
  if (!initialised_) {
    initialised_ = true;
    kernel_thread_ = raw_syscall(SYS_gettid);
    prepare();
    fill_library_caches();
    if (only_once_) find_restored_modules();
    else capture_initial_state();
    if (initial_state_size() != 0) __cxa_atexit(restore_at_exit, nullptr, &__dso_handle);
    time_stamp().initialise();
    heap_blocks::begin();
  } else {
    restore_state();
  }
  notify_begin();
  const size_t size = input.size() < kMaxInput ? input.size() : kMaxInput;
  if (size != 0) memcpy(input_.data(), input.data(), size);
  const std::span<const uint8_t> bytes{size != 0 ? input_.data() : g_empty, size};
  schedule_ = view_schedule(bytes);
  unread_ = schedule_.payload;
  recorder().begin(hash_input(input), schedule_.seed);
  comparisons().begin(schedule_.payload.size());
  if (schedule_.foreign) recorder().summary.flags |= kRunForeign;
  strategy_ = &strategy_for(schedule_);
  strategy_->begin(schedule_);
  creators_first_ = rt::creators_first(schedule_);
  enforcement_.begin(schedule_, &Engine::last_write);
  const bool weak = schedule_.memory_model != MemoryModel::sc;
  graph::execution_graph().begin(weak, schedule_.graph.empty() ? graph::kWindow : graph::kWindowOfPrefix);
  if (weak) sources_.begin(schedule_);
  visible_plain_.begin(schedule_.visible_plain);
  // The first kind of run looks for races; only the detector knows about aliases.
  watched_ |= visible_plain_.any() || shared_views().any();
  unsure_ = false;
  told_ = 0;
  changes_files_ = false;
  stacks_switched_ = false;
  race_detector_begin(!weak);  // the graph of a weak memory model keeps epochs of threads
  if (!watched_) race_detector_rest();
  recent_accesses().hide(visible_plain_.any());
  heap_blocks::begin_execution();
  free_notes().begin();
  quarantine().begin(Quarantine::chosen(schedule_.seed));
  execution_mappings().begin(!Quarantine::chosen(schedule_.seed));
  threads_.clear();
  objects_.clear();
  objects_.resize(1);
  live_.clear();
  ready_.clear();
  ready_slots_.clear();
  finished_.clear();
  object_by_address_.clear();
  occurrences_.clear();
  by_handle_.clear();
  last_identity_ = 0;
  last_thread_ = 0;
  order_ = 0;
  steps_ = 0;
  windows_.begin(schedule_.seed);
  now_ = initialisation().time();
  time_notes().begin(now_);
  time_moved_ = forced_limits_ = 0;
  idle_count_ = 0;
  news_ = 0;
  stale_choices_ = 0;
  vain_looks_ = pauses_ = events_at_look_ = 0;
  waits_lent_ = 0;
  main_finished_ = false;
  end_reason_ = EndReason::finished;
  ++begun_;
  begin_debugging();
  set_last_step(kLastStep);
}

const RunSummary& Engine::run(std::span<const uint8_t> input, Body body, void (*between)()) {
  ++executions_;
  if (__builtin_expect(options().check_watching, 0)) return run_both_ways(input, body, between);
  execute(input, body, !(known_orders_.likely(executions_) && may_go_unwatched()));
  if (!watched_) {
    // The unwatched execution came to its end. (An error in it would have ended it earlier: LiveState::make_again.)
    const bool known = ended_well() && known_orders_.contains(order_of_run());
    known_orders_.learn(known);
    if (known) {
      recorder().summary.flags |= kRunFamiliar;
    } else {
      let_go();
      drop_afl_coverage();
      if (between != nullptr) between();
      execute(input, body, true);
    }
  }
  finish();
  return recorder().summary;
}

void Engine::execute(std::span<const uint8_t> input, Body body, bool watched) {
  watched_ = watched;
  begin(input);
  make_main(body);
  running_ = true;
  time_stamp().trap(true);
  fiber::thread_pointer_trap().begin_execution();
  fiber::switch_to(threads_[0].fiber);
  time_stamp().execution_ended();
  running_ = false;
  if (end_of_process_ != nullptr) {
    finish();
    end_of_process_();
  }
}

// Not if the program keeps state from one execution to the next, nor if each race or finding is to be reported.
bool Engine::may_go_unwatched() const {
  return !asan_linked() && !watches_each_ && !keeps_everything() && !access_notes().enabled() && options().exit_on_finding;
}

// Everything that the threads did is recorded, and each has finished or can never go on. The latter is no finding if the user says so: workers
// that wait for work.
bool Engine::ended_well() const {
  if ((end_reason_ != EndReason::finished && end_reason_ != EndReason::stuck) || recorder().full()) return false;
  return std::all_of(live_.begin(), live_.end(), [](const Pending* p) { return !p->enabled && p->deadline == kNever; });
}

// True if it has changed nothing outside. Otherwise a file that it made, or an address in use, would still be there when it is repeated.
bool Engine::may_be_made_again() const {
  if (changes_files_) return false;
  return std::none_of(objects_.begin(), objects_.end(), [](const Object& o) { return family_info(o.family).has(kKernelState); });
}

// Hashed once, for statistics and for known orders. What blocked threads wait for is part of it. They are live, and have no events yet.
uint64_t Engine::order_of_operations() {
  if (order_ != 0) return order_;
  publish_graph();
  order_ = known_orders_.order_of(recorder().publish(), graph::active());
  for (const Pending* p : live_) order_ += mix(p->thread, mix(p->site + static_cast<uint8_t>(p->kind), p->object_id));
  return order_ |= 1;
}

// Under a weak memory model: the places of the stores, and what is not exact.
void Engine::publish_graph() {
  if (!graph::active()) return;
  RunSummary& summary = recorder().summary;
  const std::span<const StoreOrder> stores = graph::execution_graph().stores();
  summary.coherence = stores.data();
  summary.coherence_count = static_cast<uint32_t>(stores.size());
  if (graph::execution_graph().bounded()) summary.flags |= kRunBounded;
  if (!graph::execution_graph().exact()) summary.flags |= kRunByViews;
}

// Includes what the program was told, and the data bytes if it has read any. Includes whether there is a quarantine: only with it, freed
// memory can be distinguished from reused memory.
uint64_t Engine::order_of_run() {
  uint64_t order = mix(order_of_operations(), told_);
  if ((recorder().summary.flags & kRunPayloadRead) != 0) order = mix(order, hash_input(schedule_.payload));
  return mix(order, Quarantine::chosen(schedule_.seed)) | 1;
}

// Called after a watched run.
void Engine::learn_order(bool races) {
  if (!may_be_made_again()) return known_orders_.learn(false);
  const uint64_t order = order_of_run();
  known_orders_.learn(known_orders_.contains(order));
  if (!races) known_orders_.add(order);
}

void Engine::make_main(Body body) {
  body_ = body;
  body_result_ = 0;
  const auto start = [](void*) -> void* {
    Engine& e = engine();
    e.body_result_ = e.body_(e.schedule_.payload.data(), e.schedule_.payload.size());
    return nullptr;
  };
  Thread* t = create_thread(start, nullptr, true, kNoEvent);
  t->main = true;
}

void Engine::end_run(EndReason reason) {
  end_reason_ = reason;
  tls_thread = nullptr;
  fiber::switch_to(fiber::root());
  __builtin_unreachable();
}

// --- the end ----------------------------------------------------------------------------------

// A thread that is blocked inside an annotated lock that another thread holds waits for that lock, by any means.
Event Engine::unfinished(const Pending& p) {
  Event e = unfinished_event(p);
  const Thread& t = *p.owner;
  if (t.locking_count == 0 || p.enabled) return e;
  const Locking& taking = t.locking[t.locking_count - 1];
  if (g_engine.objects_[taking.object].holder == 0) return e;
  e.kind = taking.kind;
  e.object = taking.object;
  return e;
}

ThreadEnd Engine::end_of_blocked(const Pending& p) {
  if (rests_in_library(p)) return ThreadEnd::resting;
  return p.owner->detached ? ThreadEnd::blocked : ThreadEnd::joinable_blocked;
}

void Engine::record_unfinished() {
  uint32_t done = static_cast<uint32_t>(recorder().events.size());
  while (done != 0 && !recorder().events[done - 1].finished()) --done;  // those of a child process that has not come to its end
  recorder().summary.steps = done;
  for (Pending* p : live_) {
    ThreadRecord& record = recorder().threads[p->thread_index];
    const bool blocked = !p->enabled && p->deadline == kNever;
    record.state = static_cast<uint8_t>(blocked ? end_of_blocked(*p) : p->enabled ? ThreadEnd::running : ThreadEnd::sleeping);
    const Event waits = unfinished(*p);
    if (blocked) record.blocked_on = waits.object;
    if (recorder().full()) continue;
    recorder().name_waiting_select(p->thread_index, recorder().add(p->context_node, p->position, [&](Event& e) { e = waits; }));
  }
}

void Engine::finish() {
  comparisons().end();
  const bool well = ended_well();
  if (well && (order_statistics().needs_orders() || (watched_ && may_go_unwatched()))) order_of_operations();
  record_unfinished();
  recorder().drop_waiting_selects();
  for (uint32_t i = 1; i < objects_.size(); ++i) recorder().objects[i].holder = objects_[i].holder;
  RunSummary& summary = recorder().summary;
  summary.chains = enforcement_.chains().results();
  summary.chain_count = enforcement_.chains().count();
  if (watched_) publish_handler_conflicts();
  summary.races = race_detector_pairs(summary.race_count);
  publish_graph();
  if (end_reason_ == EndReason::step_bound) {
    summary.flags |= kRunStepBound;
    const auto next = std::min_element(live_.begin(), live_.end(), [](const Pending* a, const Pending* b) { return a->deadline < b->deadline; });
    if (assumes(kPatientTimeouts) && next != live_.end() && (*next)->deadline != kNever) time_notes().hold_up((*next)->owner->index);
  }
  if (end_reason_ == EndReason::livelock && main_finished_) summary.flags |= kRunEndless;
  recorder().publish();
  if (graph::active() && options().stats) {
    const GraphPrefix& prefix = enforcement_.prefix();
    graph::graph_statistics().count(summary, !schedule_.graph.empty(), prefix.dropped() + prefix.unrealised() != 0);
  }
  if (options().counts()) chain_statistics().count(enforcement_.chains(), summary, well);
  if (order_statistics().needs_orders()) order_statistics().count(well ? order_ : 0, summary);
  if (watched_ && well && may_go_unwatched()) learn_order(summary.race_count != 0);
  notify_observers(summary);
  let_go();
}

// Frees the execution's threads and memory.
void Engine::let_go() {
  notify_let_go();
  for (Thread& t : threads_) {
    if (t.state == ThreadState::live && t.op.kind == Kind::thread_start) fiber::ignore_leak(t.argument);
    if (t.fiber != nullptr) fiber::release(t.fiber);
    t.fiber = nullptr;
  }
  quarantine().drain();
  if (!keeps_everything()) put_back_touched_state();
}

// --- the door ---------------------------------------------------------------------------------

const RunSummary& run_one(std::span<const uint8_t> input, Body body, void (*between)()) { return engine().run(input, body, between); }
int last_body_result() { return engine().body_result(); }
bool controlled() { return tls_thread != nullptr; }

}  // namespace heddle::rt
