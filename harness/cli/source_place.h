// Code positions named by the source, so that the next build of a changed program has them, too. A
// site's number is a position in the machine code: another compiler, another option or an edit of
// the function changes it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/cli/source_lines.h"
#include "schema/text.h"
#include "schema/trace_file.h"

namespace heddle::cli {

struct SourcePlace {
  Kind kind = Kind::none;
  std::string file;     // its name without directories
  unsigned line = 0;    // from 1; 0: the position has no line, as the end of main, and is named by its function
  unsigned number = 1;  // among the positions of this kind in the line, or among those of the function that have none
  std::string function;
  std::string text;  // of the line; empty: the source was not there
  // Several lines of the function have this text and such positions: which of them it is, from 1.
  unsigned copy = 1, copies = 1;
  // Of a wrapper's operations only those that come from this line are meant, and counted.
  std::optional<SourceLine> caller = std::nullopt;

  bool operator==(const SourcePlace&) const = default;
};

// The operations that runs of one build have reached.
class ReachedPlaces {
 public:
  void add(const StoredTrace& run);
  // From the code, whether a run has been there or not.
  void add(SiteId site, Kind kind) {
    positions_[site].kinds.insert(kind);
    positions_[site].in_code = true;
  }
  // Positions without a name yet.
  std::vector<SiteId> unnamed() const;
  void name(const SiteNames& names);

  // False: nothing is known about the position.
  bool place_of(SiteId site, Kind kind, SourcePlace& out) const;
  // The position that the place means in this build, or kNoSite. A line is recognised by its text,
  // wherever it is in its file; an edited line by its number. `exact`: as many lines have the text, and
  // as many positions as its number says are in the line. Otherwise the last one that was reached must
  // do, and another run may reach more.
  SiteId find(const SourcePlace& place, bool& exact) const;
  // All positions of its line that it can mean, whatever its number.
  std::vector<SiteId> find_all(const SourcePlace& place) const;
  // A run or the code has shown that.
  bool does(SiteId site, Kind kind) const {
    const auto at = positions_.find(site);
    return at != positions_.end() && at->second.kinds.count(kind) != 0;
  }
  // That kind, or what the position does instead: an atomic_load may have become an atomic_rmw.
  Kind kind_at(SiteId site, Kind kind) const;

 private:
  struct Position {
    std::set<Kind> kinds;
    bool named = false, in_code = false;
    std::string file, function, symbol, text;
    unsigned line = 0, offset = 0;
  };
  using Found = std::pair<const SiteId, Position>;

  // The lines of such positions, in their order.
  static std::vector<unsigned> lines_of(const std::vector<const Found*>& found, const std::string& function);
  // Of lines with the text of the place; 0: it is not there any more.
  static unsigned line_among(const std::vector<unsigned>& lines, const SourcePlace& place);
  std::vector<const Found*> with_text(const std::string& file, const std::string& text, Kind kind) const;
  static std::vector<const Found*> of_kind_and_function(std::vector<const Found*> found, Kind kind,
                                                        const std::string& function);
  std::vector<const Found*> alike(const SourcePlace& place, bool& all_lines) const;
  std::vector<const Found*> without_line(Kind kind, const std::string& function) const;

  std::map<SiteId, Position> positions_;
  SourceTexts texts_;
};

}  // namespace heddle::cli
