// The exit codes of a fuzz target. docs/reference/exit-codes.md is generated from this list.
#pragma once

namespace heddle::rt {

inline constexpr int kNotControlledExit = 1;
inline constexpr int kUsageExit = 2;
inline constexpr int kLibFuzzerErrorExit = 77;
inline constexpr int kWatchingDiffersExit = 98;
inline constexpr int kInternalErrorExit = 99;

struct ExitCode {
  const char* code;  // as a shell says it
  const char* who;
  const char* meaning;
};

// The fuzzing engine's own codes are those of libFuzzer 14 to 22.
inline constexpr ExitCode kTargetExitCodes[] = {
    {"0", "engine", "No finding: the search came to its limit, or all files ran."},
    {"1", "heddle", "heddle does not control this program: the self-test at the start failed (option `verify`), or AFL++ cannot use a stripped file."},
    {"1", "sanitizer", "A report of ASan or UBSan. The sanitizer runtime ends the process. The input is saved as crash-..."},
    {"1", "engine", "libFuzzer does not understand its command line, or cannot read its corpus."},
    {"2", "heddle", "Usage: a wrong HEDDLE_OPTIONS, an unknown mode, a file of suppressions or known findings that cannot be read, no file to run (standalone)."},
    {"70", "engine", "An execution took longer than -timeout. The input is saved as timeout-..."},
    {"71", "engine", "The process used more memory than -rss_limit_mb. The input is saved as oom-..."},
    {"72", "engine", "Interrupted (Ctrl-C)."},
    {"77", "heddle, engine", "A finding, under libFuzzer; also exit() in a harness. The input is saved as crash-..., or as leak-... for LeakSanitizer."},
    {"98", "heddle", "A test of heddle failed (option `check_watching`)."},
    {"99", "heddle", "An internal error, or the system refuses what heddle needs, such as another thread. One line says which."},
    {"134", "heddle", "A finding, where there is no libFuzzer: the process ends by SIGABRT. AFL++ saves the input."},
};

}  // namespace heddle::rt
