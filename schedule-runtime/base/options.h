// HEDDLE_OPTIONS=key=value:key=value, in the manner of the sanitizers. Options steer what is
// reported and what the mutators write; none of them changes what a given input does.
//
// The table in options.cc is the single list: it parses, and prints `help=1`.
#pragma once

#include <cstdint>

namespace heddle::rt {

// Left open: what suits the engine.
enum class Choice : uint8_t { no, yes, automatic };

struct Options {
  bool help = false;
  bool stats = false;           // print heddle's figures when the process ends
  bool account = false;         // print what was controlled and what was not when the process ends
  bool verify = true;           // certificate at start (instrumentation and interception act)
  bool report_leaks = true;     // threads left blocked are a finding
  bool report_races = false;    // data races are a finding
  bool report_livelock = true;
  bool report_misuse = true;    // unlock by a non-owner, destroy while held, ...
  bool report_exit = false;     // an exit code other than 0 of a whole program is a finding
  bool report_abort = true;     // abort and a failed assertion are a finding
  bool exit_on_finding = true;  // false: report, count, go on (for experiments)
  Choice symbolize = Choice::automatic;  // source lines in reports (llvm-symbolizer out of process); left open: where somebody reads them
  bool check_watching = false;  // make each execution unwatched and watched, and compare
  uint32_t features = 48;       // most features per run
  uint32_t report_rows = 60;    // operations in an interleaving; 0: all
  uint32_t report_width = 0;    // columns of a report; 0: terminal or 120
  char mode[32] = "mixed";      // what the mutator does; the driver knows the names
  char suppressions[512] = {};  // file of findings that are none
  char args[4096] = {};         // a whole program's arguments, quoted as for a shell; @@ is a file with the payload
  bool stdin_payload = false;           // ... and its standard input is the payload
  char restore[16] = "auto";    // ... and how its state is put back: process, fork, or what turns out to be sound
  char program[8] = "auto";     // ... and whether this start is a run of it, uncontrolled
  char trace_path[512] = {};    // write the trace of every run here (last one wins)
  char trace_text[512] = {};    // the same as text
  char sites_path[512] = {};    // table of all sites met
  char sites_wanted[512] = {};  // ... and of these
};

// Parsed once, at first use, without allocation. An unknown key or a bad value prints one line and ends the process with
// exit code 2.
const Options& options();

}  // namespace heddle::rt
