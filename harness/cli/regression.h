// A regression test: a schedule whose operations are named by the source, as text that is checked
// in.
//
//   heddle regression 1
//   // assertion-failure queue.cc:15:3 in take
//   signature 9d5b94dd99be7f9a
//   options args='-n 1'
//   place P1 atomic_load queue.cc:9 #1 in take | const int mine = next;
//   place P2 mutex_lock lock.h:7 #1 in Lock::lock | mutex.lock();
//   called P2 queue.cc:12 in take | lock.lock();
//   heddle schedule 1
//   delay main.1 atomic_load @P1 until ...
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/operation_callers.h"
#include "harness/cli/source_place.h"

namespace heddle::cli {

struct Regression {
  std::string about;                // one line: what it found
  uint64_t signature = 0;           // of the finding; 0: it had none
  std::string options;              // HEDDLE_OPTIONS that its run needs
  std::vector<SourcePlace> places;  // P1, P2, ...
  std::string schedule;             // the text form, with @P1 for positions

  // Whether a place is named by its caller, so that the callers of a run must be known.
  bool names_callers() const;
  // The options of a user that change a run, and not only what is printed about it.
  static std::string options_of_run(std::string_view options);
  // The schedule with places for positions. Throws Failure(kUsage) for a position without a source
  // line.
  void set_schedule(const Schedule& schedule, const ReachedPlaces& reached,
                    const OperationCallers& callers);
};

// "P1" for 0.
std::string place_name(size_t index);

// Whether the bytes are meant as one.
bool is_regression(const std::vector<uint8_t>& bytes);

std::string regression_to_text(const Regression& regression);
// Throws Failure(kUsage) with the file's name and the line.
Regression regression_from_text(const std::string& file, const std::string& text);

struct BoundSchedule {
  Schedule schedule;
  size_t found = 0;  // places that this build has
  size_t exact = 0;  // of them, those that are not only the likeliest ones (ReachedPlaces::find)
};
// The schedule for this build. What names a place that it does not have is left out.
BoundSchedule bind(const std::string& file, const Regression& regression,
                   const ReachedPlaces& reached, const OperationCallers& callers);

}  // namespace heddle::cli
