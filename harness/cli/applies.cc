#include "harness/cli/applies.h"

#include <algorithm>

#include "harness/cli/site_table.h"

namespace heddle::cli {
namespace {

std::vector<SiteId> operations_in(Schedule schedule) {
  schedule.surw_site = kNoSite;  // a parameter of the strategy
  return sites_in(schedule);
}

}  // namespace

bool names_no_operation(const Schedule& schedule) { return operations_in(schedule).empty(); }

bool applies(const StoredTrace& run, const Schedule& schedule) {
  const std::vector<SiteId> spoken_of = operations_in(schedule);
  return spoken_of.empty() ||
         std::any_of(run.sites.begin(), run.sites.end(), [&](const SiteRecord& site) {
           return std::find(spoken_of.begin(), spoken_of.end(), site.id) != spoken_of.end();
         });
}

}  // namespace heddle::cli
