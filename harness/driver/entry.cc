// The functions that a fuzzing engine calls. The linker's --wrap puts these between the engine and the program's functions of the same
// names, so the program's need no change.
#include <sys/syscall.h>

#include <ctime>
#include <span>
#include <string_view>
#include <vector>

#include "analyses/die.h"
#include "base/exit_codes.h"
#include "base/line.h"
#include "base/options.h"
#include "base/raw_syscall.h"
#include "engine/engine.h"
#include "engine/initialisation.h"
#include "engine/run.h"
#include "harness/driver/body.h"
#include "harness/driver/choose_restore.h"
#include "harness/driver/engine_flag.h"
#include "harness/driver/engine_names.h"
#include "harness/driver/first_inputs.h"
#include "harness/driver/memory_limit.h"
#include "harness/driver/seen_output.h"
#include "harness/driver/requests.h"
#include "harness/driver/rescue.h"
#include "harness/driver/run_channel_output.h"
#include "harness/driver/saved_input.h"
#include "harness/driver/statistics.h"
#include "harness/driver/target.h"
#include "harness/driver/time_limit.h"
#include "harness/driver/whole_program.h"
#include "intercept/libc/comparison_hooks.h"
#include "intercept/descriptors/new_files.h"
#include "intercept/descriptors/random_file.h"
#include "intercept/passed_calls.h"
#include "intercept/process/signal_actions.h"
#include "mutator/mutator.h"
#include "restore/exit_handlers.h"
#include "schema/identity.h"

// mutator/engines/libfuzzer.cc
extern "C" {
size_t heddle_libfuzzer_mutate(uint8_t* data, size_t size, size_t max_size, unsigned int seed);
size_t heddle_libfuzzer_cross_over(const uint8_t* data1, size_t size1, const uint8_t* data2, size_t size2, uint8_t* out,
                                   size_t max_out_size, unsigned int seed);
}

// AFL++'s runtime and driver. Absent with other engines.
extern "C" {
extern __attribute__((weak)) uint8_t* __afl_fuzz_ptr;
extern __attribute__((weak)) int __afl_sharedmem_fuzzing;
}

// The symbols of the combined object that the program and the engine see (harness/link/combine.sh makes hidden symbols local).
#define HEDDLE_EXPORT extern "C" __attribute__((visibility("default")))

HEDDLE_EXPORT int heddle_under_control(void) { return heddle::rt::controlled() ? 1 : 0; }

namespace heddle::driver {
namespace {

constinit bool started = false;
constinit bool mutates = true;  // false: the engine only runs files, and nobody need learn from the runs

// Before the first input, AFL++'s driver calls once with its own bytes, so that the coverage of an initialisation does not count. That call
// would be an execution with the default schedule, and its finding would belong to no input.
bool is_rehearsal(const uint8_t* data) {
  return &__afl_fuzz_ptr != nullptr && &__afl_sharedmem_fuzzing != nullptr && __afl_sharedmem_fuzzing != 0 && data != __afl_fuzz_ptr;
}

// If the program has its own mutator, one mutation in four is for the data.
bool turn_of_the_data(unsigned int seed) { return mix(seed, 0x70A7) % 4 == 0; }

// The last run, until the mutator has learned it. The summary belongs to the runtime and is valid until the next run. The mutator learns at
// its next call, outside of the engine's callback. The reason: if the callback allocated more than it freed, libFuzzer with ASan runs the
// input again to look for leaks. Then the memory that the mutator keeps would cost executions, and their number would depend on the
// mutator's implementation.
constinit const RunSummary* unlearnt = nullptr;

std::vector<uint8_t>& unlearnt_input() {
  static auto* input = new std::vector<uint8_t>;  // never destroyed; frees as many blocks as it allocates
  return *input;
}

void learn_last_run() {
  if (unlearnt == nullptr) return;
  mutator::process_mutator().learn(*unlearnt, unlearnt_input());
  unlearnt = nullptr;
}

}  // namespace

int harness_body(const uint8_t* data, size_t size) {
  rt::forget_exit_handlers();
  const int result = __real_LLVMFuzzerTestOneInput(data, size);
  if (rt::exit_handler_count() != 0) {
    // Virtual time passes only if nothing else can run.
    const timespec until_nothing_runs = {1'000'000, 0};
    nanosleep(&until_nothing_runs, nullptr);
    rt::run_exit_handlers();
  }
  return result;
}

// The text ran as data bytes with the default schedule. That is correct, but probably not what the user wants.
void note_text_schedule(const uint8_t* data, size_t size) {
  static bool said = false;
  if (said || !std::string_view(reinterpret_cast<const char*>(data), size).starts_with("heddle schedule ")) return;
  said = true;
  rt::print_line(2, "heddle: note: the input is a schedule as text, and was used as plain data. To make an input of it: heddle show --binary FILE -o INPUT\n");
}

// Called inside an execution: the main() that heddle uses as the program's is AFL++'s own.
[[noreturn]] void refuse_no_program() {
  const rt::Uncontrolled outside;
  rt::print_line(2, "heddle: the program has no main() and no LLVMFuzzerTestOneInput. (With --engine=afl a main() inside a static library is not "
                    "found: name its object on the link line.)\n");
  rt::raw_syscall(SYS_exit_group, rt::kUsageExit);
  __builtin_unreachable();
}

// True for every engine except libFuzzer without its value profile.
bool engine_learns(int argc, char** argv) {
  if (!rt::libfuzzer_linked()) return true;
  return engine_flag(argc, argv, "-use_value_profile=").value_or("0") != "0";
}

// Those for programs with their own main, where the target is a harness.
void note_useless_options() {
  const rt::Options& o = rt::options();
  const rt::Options by_default;
  const auto note = [](bool given, const char* name) {
    if (given) rt::print_line(2, "heddle: note: HEDDLE_OPTIONS: %s is for programs with their own main. It has no effect on a harness\n", name);
  };
  note(o.args[0] != 0, "args");
  note(o.stdin_payload, "stdin");
  note(std::string_view(o.restore) != by_default.restore, "restore");
  note(std::string_view(o.program) != by_default.program, "program");
  note(o.report_exit, "report_exit");
}

// Not from LLVMFuzzerInitialize: libFuzzer sets its signal handlers after that, and leaves those alone that it finds, which
// would be the runtime's; nothing would save the input of a crash.
void start_once() {
  if (started) return;
  started = true;
  rt::find_early_random_files();
  rt::engine_starts_threads(false);
  mutates = !runs_files();
  if (serves_requests()) serve_requests();
  if (is_program()) {
    choose_restore();
  } else {
    note_useless_options();
    note_own_allocation();
  }
  start();
}

}  // namespace heddle::driver

using namespace heddle;

HEDDLE_EXPORT int __wrap_LLVMFuzzerInitialize(int* argc, char*** argv) {
  rt::options();  // first of all: prints help, and errors in the options
  driver::choose_mode();
  driver::prepare_saved_input(*argc, *argv);
  driver::prepare_rescue();
  rt::engine_learns_from_numbers(driver::engine_learns(*argc, *argv));
  rt::initialisation().begin();
  const int result = &__real_LLVMFuzzerInitialize != nullptr ? __real_LLVMFuzzerInitialize(argc, argv) : 0;
  rt::initialisation().end();
  if (rt::libfuzzer_linked()) {
    driver::limit_time(argc, argv);
    driver::limit_allocations(*argc, *argv);
    driver::collect_seen_of_jobs(*argc, *argv);
    driver::note_campaign(*argc, *argv, driver::wanted_run());
  }
  rt::remember_initial_signals();
  rt::engine_starts_threads(true);
  return result;
}

HEDDLE_EXPORT int __wrap_LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (rt::controlled()) driver::refuse_no_program();
  driver::start_once();
  if (driver::is_rehearsal(data) || driver::stands_aside(data, size)) return 0;
  driver::end_search_if_requested();
  driver::learn_last_run();  // for engines that do not mutate in between, as with a seed corpus
  driver::set_current_input(data, size);
  rt::rewind_early_random_files();
  rt::take_turn_with_files();
  const bool program = driver::is_program();
  const RunSummary& run = program ? driver::run_program({data, size}) : rt::run_one({data, size}, driver::harness_body);
  rt::end_turn_with_files();
  const int result = program ? 0 : rt::last_body_result();  // an exit code says nothing to the engine
  driver::tell_ignored();
  driver::count_run(run);
  if ((run.flags & kRunForeign) != 0) driver::note_text_schedule(data, size);
  if (driver::has_run_channel()) {  // the mutator is in another process
    driver::publish_run(run);
    return result;
  }
  driver::unlearnt_input().assign(data, data + size);
  driver::set_current_input(driver::unlearnt_input().data(), size);  // a leak is found when the engine's own copy is gone
  if (driver::mutates) driver::unlearnt = &run;
  return result;
}

HEDDLE_EXPORT size_t __wrap_LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  driver::learn_last_run();
  if (const size_t n = driver::next_first_input(data, max_size)) return n;
  if (driver::turn_of_the_data(seed)) {
    if (const size_t n = driver::mutate_payload(data, size, max_size, seed)) return n;
  }
  return heddle_libfuzzer_mutate(data, size, max_size, seed);
}

HEDDLE_EXPORT size_t __wrap_LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1, const uint8_t* data2,
                                                   size_t size2, uint8_t* out, size_t max_out_size,
                                                   unsigned int seed) {
  driver::learn_last_run();
  if (driver::turn_of_the_data(seed)) {
    if (const size_t n = driver::cross_over_payload(data1, size1, data2, size2, out, max_out_size, seed)) return n;
  }
  return heddle_libfuzzer_cross_over(data1, size1, data2, size2, out, max_out_size, seed);
}
