// HEDDLE_OPTIONS=key=value:key=value, as with the sanitizers. Options set what is reported and what
// the mutators write. No option changes what a given input does.
//
// The table in options.cc is the only list: it is used to parse, to print `help=1`, and to write docs/reference/options.md.
#pragma once

#include <cstdint>

namespace heddle::rt {

// automatic: depends on the engine.
enum class Choice : uint8_t { no, yes, automatic };

struct Options {
  bool help = false;
  bool stats = false;           // print statistics when the process ends
  char stats_path[512] = {};    // file for the statistics as JSON
  uint32_t progress = 10;       // seconds between lines about what is left to try; 0: none
  bool account = false;         // print what heddle controlled and what not when the process ends
  bool verify = true;           // check at start that instrumentation and interception work
  bool report_leaks = true;     // report threads that are blocked at the end
  bool report_races = false;    // report data races
  bool report_livelock = true;
  bool report_misuse = true;    // unlock by a non-owner, destroy while held, ...
  bool report_exit = false;     // whole program: report an exit code other than 0
  bool report_abort = true;     // report abort and failed assertions
  bool exit_on_finding = true;  // false: report, count, continue
  Choice symbolize = Choice::automatic;  // source lines in reports, from an llvm-symbolizer process; automatic: off under afl-fuzz
  bool check_watching = false;  // run each execution without and with the race detector, and compare
  // What the mutators write into inputs (schema/options_text.h):
  bool spurious = true;         // waits can wake spuriously
  bool report_endless = true;   // threads that only spin after main has ended are a finding
  char timeouts[16] = "any";    // when time limits can expire: any, or patient
  char memory[16] = {};         // the memory model: sc, or rc11. Not given: sc
  uint32_t features = 48;       // maximum of features per run
  uint32_t report_rows = 60;    // maximum of operations in an interleaving; 0: all
  uint32_t report_width = 0;    // columns of a report; 0: COLUMNS, terminal or 120
  Choice color = Choice::automatic;  // colours and links in reports; automatic: on a terminal, without NO_COLOR
  char report[8] = "full";      // full, or short: for logs
  char mode[32] = "mixed";      // how inputs are made; the driver knows the names
  char suppressions[512] = {};  // file of findings not to report
  char known[512] = {};         // file of signatures of findings after which the search goes on
  char args[4096] = {};         // a whole program's arguments, quoted as for a shell; @@ is a file with the payload
  bool stdin_payload = false;           // ... and its standard input is the payload
  char restore[16] = "auto";    // ... and how its state is restored: process, fork, or auto
  char program[8] = "auto";     // ... and whether to run it normally, without fuzzing
  bool low_addresses = false;   // the memory of executions lies below 4 GiB
  Choice keep_libraries = Choice::automatic;  // libraries that are not instrumented keep their variables between executions; automatic: with ASan
  bool keep_files = false;      // files that an execution has created stay
  char trace_path[512] = {};    // file for the trace; each run overwrites it
  char trace_text[512] = {};    // the same as text
  char run_path[512] = {};      // file for the run in words, as lines of JSON
  char sites_path[512] = {};    // file for the table of all sites that were reached
  char sites_wanted[512] = {};  // file of sites that the table also lists

  bool counts() const { return stats || stats_path[0] != 0; }
};

// Parsed once, at first use, without allocation. An unknown key or a bad value prints one line and ends the process with
// exit code 2.
const Options& options();

struct OptionInfo {
  const char* name;
  const char* values;      // what may stand behind the `=`
  const char* by_default;  // empty: nothing
  const char* meaning;
};
const char* name_of_option(bool Options::* flag);
// In the order of the list. What the pointers lead to lasts as long as the call.
void visit_options(void (*visit)(const OptionInfo& option));

}  // namespace heddle::rt
