// The exit codes of all subcommands. `heddle --help` lists them, and docs/reference/exit-codes.md is generated from this list.
#pragma once

namespace heddle::cli {

enum ExitCode : int { kPass = 0, kFinding = 1, kUsage = 2, kInternal = 99, kNotApplicable = 125 };

struct ExitCodeInfo {
  ExitCode code;
  const char* name;  // for `heddle --help`
  const char* meaning;
};

inline constexpr ExitCodeInfo kExitCodes[] = {
    {kPass, "success (replay: no finding)", "The run has no finding; the files are shown; the text is converted; the smallest input or the regression test is written; the finding is explained. `heddle run`: nothing was found. `heddle new`: the project is made."},
    {kFinding, "finding", "`heddle replay`: an input shows a finding, or its runs differ. `heddle triage`, `check`: a file has a finding. `heddle run`: something was found."},
    {kUsage, "usage error", "An unknown command or option, or a file that is missing, damaged or no heddle target. `heddle minimize`, `explain`, `promote`: the input has no finding. `heddle run`: the target cannot search."},
    {kInternal, "internal error", "An internal error, a full disk, a target that left no trace or did not end in time."},
    {kNotApplicable, "the schedule does not apply to this build",
     "`heddle replay`, `minimize`, `explain`, `triage`, `promote`, `check`: no finding, and this build has none of the operations that the schedule names."},
};

}  // namespace heddle::cli
