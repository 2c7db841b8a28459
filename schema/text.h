// The text form of schedules: what a review shows and a hand can write. The grammar is in
// docs/reference/schedule-format.md; to_text and from_text are exact inverses on clamped schedules.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "schema/schedule.h"

namespace heddle {

// Where a site is in the source of one build.
struct SiteName {
  std::string location;  // "dir/queue.cc:41", with or without ":column"
  std::string function;  // "Queue::push"
  std::string symbol;    // "_ZN5Queue4pushEi+0x1c": what the site's number is the hash of
};

// What a build calls its sites. Filled by whoever can symbolise; all uses of it are optional.
class SiteNames {
 public:
  void add(SiteId site, SiteName name) { names_[site] = std::move(name); }
  // Null when the site is not known.
  const SiteName* find(SiteId site) const;
  // "queue.cc:41 in Queue::push", fit for a comment (one line, printable); empty when not known.
  std::string comment(SiteId site) const;
  // The sites that a hand-written name means, in ascending order: those with that symbol, those at
  // that location (the leading directories and the column may be left out), those in that function.
  std::vector<SiteId> lookup(std::string_view name) const;
  // Those in the file of an unknown location, for an error message.
  std::vector<SiteId> near(std::string_view name) const;

 private:
  std::map<SiteId, SiteName> names_;
};

// The text of clamp_schedule(schedule); with names, each site has its place in a comment.
std::string to_text(const Schedule& schedule, const SiteNames* names = nullptr);

// False: `error` is one line that says where ("line 3: ..."), what, and what to do; `out` is left as it was.
// Names are needed only for sites written as "@queue.cc:41" instead of "@0x...".
bool from_text(std::string_view text, Schedule& out, std::string& error,
               const SiteNames* names = nullptr);

}  // namespace heddle
