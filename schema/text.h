// The text form of schedules, for reviews and for editing by hand. The grammar is in docs/reference/schedule-format.md. to_text and
// from_text are exact inverses on clamped schedules.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "schema/schedule.h"

namespace heddle {

// The source location of a site in one build.
struct SiteName {
  std::string location;  // "dir/queue.cc:41", with or without ":column"
  std::string function;  // "Queue::push"
  std::string symbol;    // "_ZN5Queue4pushEi+0x1c": the text whose hash is the site's number
};

// The names of sites in a build. Any code that can symbolise may fill it. All uses of it are optional.
class SiteNames {
 public:
  void add(SiteId site, SiteName name) { names_[site] = std::move(name); }
  // Null when the site is not known.
  const SiteName* find(SiteId site) const;
  // "queue.cc:41 in Queue::push", in a form for comments (one line, printable). Empty if unknown.
  std::string comment(SiteId site) const;
  // The sites that a hand-written name means, in ascending order: those with that symbol, those at that location (the leading directories
  // and the column may be omitted), those in that function.
  std::vector<SiteId> lookup(std::string_view name) const;
  // The sites in the file of an unknown location, for an error message.
  std::vector<SiteId> near(std::string_view name) const;

 private:
  std::map<SiteId, SiteName> names_;
};

// The text of clamp_schedule(schedule). With names, a comment gives the location of each site.
std::string to_text(const Schedule& schedule, const SiteNames* names = nullptr);

// False: `error` is one line with the place ("line 3: ..."), the problem, and what to do; `out` is unchanged. Names are needed only for
// sites that are written as "@queue.cc:41" instead of "@0x...".
bool from_text(std::string_view text, Schedule& out, std::string& error,
               const SiteNames* names = nullptr);

}  // namespace heddle
