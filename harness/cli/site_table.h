// The names of a target's sites: the table that it writes with HEDDLE_OPTIONS=sites_path=FILE.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/cli/files.h"
#include "schema/text.h"
#include "schema/trace_file.h"

namespace heddle::cli {

// Runs the target once, on an empty input or the given one, and reads its table: the sites that the run reaches, and those sites of
// `wanted` that exist in the target.
SiteNames sites_of(const std::string& binary, const std::vector<SiteId>& wanted, const std::string& input = "");
// The same, in an execution that is made for something else.
class SiteTableRequest {
 public:
  explicit SiteTableRequest(const std::vector<SiteId>& wanted);
  // As of HEDDLE_OPTIONS=sites_wanted.
  explicit SiteTableRequest(const std::string& wanted);
  std::string options() const;  // of the target
  std::string answer() const;   // after the execution: for parse_site_table(). Empty: there is none

 private:
  const ScratchDirectory scratch_;
  const std::string table_ = scratch_.file("sites"), list_ = scratch_.file("wanted");
};
// Where the target accesses ordinary variables, whether a run has been there or not.
struct PlainAccesses {
  SiteNames names;
  std::vector<std::pair<SiteId, Kind>> sites;
};
PlainAccesses plain_accesses_of(const std::string& binary);
// The sites that the schedule names.
std::vector<SiteId> sites_in(const Schedule& schedule);
// The sites of the run's operations.
std::vector<SiteId> sites_in(const StoredTrace& trace);

// "Queue::push" of "_ZN5Queue4pushEi". A symbolizer that is older than the compiler gives some names as they are, such as that of an
// operator co_await. Other names stay as they are.
std::string readable_function(const std::string& name);

// One site per line: "SITE SYMBOL+0xOFFSET FILE:LINE in FUNCTION". The last parts are "??" or missing if unknown. Other lines are skipped.
SiteNames parse_site_table(const std::string& text);

}  // namespace heddle::cli
