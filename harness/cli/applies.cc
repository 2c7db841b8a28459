#include "harness/cli/applies.h"

#include <algorithm>
#include <vector>

namespace heddle::cli {
namespace {

std::vector<SiteId> sites_of_schedule(const Schedule& schedule) {
  std::vector<SiteId> sites(schedule.visible_plain);
  const auto add = [&sites](const Element& element) {
    if (element.site != kNoSite) sites.push_back(element.site);
  };
  for (const Element& element : schedule.elements) add(element);
  for (const ReadsFrom& constraint : schedule.reads_from) add(constraint.read), add(constraint.write);
  for (const Delay& delay : schedule.delays) add(delay.what), add(delay.until);
  for (const SelectPreference& preference : schedule.selects) sites.push_back(preference.site);
  return sites;
}

}  // namespace

bool names_no_operation(const Schedule& schedule) { return sites_of_schedule(schedule).empty(); }

bool applies(const StoredTrace& run, const Schedule& schedule) {
  const std::vector<SiteId> spoken_of = sites_of_schedule(schedule);
  return spoken_of.empty() || std::any_of(run.sites.begin(), run.sites.end(), [&](const SiteRecord& site) {
           return std::find(spoken_of.begin(), spoken_of.end(), site.id) != spoken_of.end();
         });
}

}  // namespace heddle::cli
