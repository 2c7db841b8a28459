// Saved inputs, grouped by what they find.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/minimized.h"

namespace heddle::cli {

// Inputs with one signature. Without one (LeakSanitizer's reports have none), those with the same summary.
struct Group {
  uint64_t signature = 0;
  std::string kind;      // "deadlock"
  std::string place;     // "queue.cc:41:3 in Queue::push"
  std::string summary;   // the whole line
  std::string report;    // of the smallest file; empty: there was no time for it
  std::string freed;     // where the memory that it uses was freed; empty: it is no such use
  std::vector<std::string> files;
  std::string smallest;  // of the files
  std::string kept;      // its copy, or what was made of it; empty: none
  std::optional<Minimized> minimized;
};

struct Triage {
  std::string target;
  std::vector<Group> groups;  // the largest first
  std::vector<std::string> without_finding;
  std::vector<std::string> not_applicable;
  std::vector<std::string> damaged;  // schedules that cannot be read, and without a finding
  std::vector<std::string> not_tried;  // there was no time for them
  size_t files = 0;
};

// The files of these directories, and below them, whose names are those of saved findings: crash-*, leak-*, timeout-*, oom-*, and AFL++'s id:*, but not
// AFL++'s queue, nor pages and pictures of them. A path that is a file is taken as it is. Throws Failure(kUsage) for a path that cannot be read.
std::vector<std::string> saved_findings(const std::vector<std::string>& paths);

// `progress` gets the number of the file. `known`: a file of signatures of findings that are passed over, as they were in the search: an input may
// show a known finding first. Empty: none. At the deadline (harness/cli/deadline.h) it ends with what it has.
Triage triage(const std::string& target, const std::vector<std::string>& files, unsigned timeout, const std::function<void(size_t)>& progress,
              const std::string& known = {});

// "deadlock-35ab93aaf2b895b6"
std::string name_of(const Group& group);

// Adds the signatures that the file does not have to it, each with a comment. Other lines stay.
void write_known(const std::string& path, const Triage& triage);

struct Format {
  const char* name;
  std::string (*write)(const Triage&);
};
// text, markdown, json, sarif, junit.
const std::vector<Format>& triage_formats();

}  // namespace heddle::cli
