#include "harness/cli/source_place.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <tuple>
#include <utility>

namespace heddle::cli {
namespace {

// "atomic" of "atomic_load".
std::string_view family(Kind kind) {
  const std::string_view name = kind_info(kind).name;
  return name.substr(0, name.find('_'));
}

bool has_family(const std::set<Kind>& kinds, Kind kind) {
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](Kind other) { return family(other) == family(kind); });
}

}  // namespace

void ReachedPlaces::add(const StoredTrace& run) {
  for (const Event& e : run.events) {
    if (e.site != kNoSite) positions_[e.site].kinds.insert(e.kind);
  }
  // Ordinary accesses are no events, unless the schedule makes them visible.
  for (const RacingPair& pair : run.races) {
    if (pair.first_kind == Kind::none)
      positions_[pair.first].kinds.insert(pair.first_writes != 0 ? Kind::plain_write
                                                                 : Kind::plain_read);
    if (pair.second_kind == Kind::none)
      positions_[pair.second].kinds.insert(pair.second_writes != 0 ? Kind::plain_write
                                                                   : Kind::plain_read);
  }
  positions_.erase(kNoSite);
}

std::vector<SiteId> ReachedPlaces::unnamed() const {
  std::vector<SiteId> out;
  for (const auto& [site, position] : positions_) {
    if (!position.named) out.push_back(site);
  }
  return out;
}

void ReachedPlaces::name(const SiteNames& names) {
  for (auto& [site, position] : positions_) {
    if (std::exchange(position.named, true)) continue;
    const SiteName* const name = names.find(site);
    std::string path;
    if (name == nullptr) continue;
    position.function = name->function;
    const size_t plus = name->symbol.rfind("+0x");
    position.symbol = name->symbol.substr(0, plus);
    if (plus != std::string::npos)
      position.offset =
          static_cast<unsigned>(std::strtoul(name->symbol.c_str() + plus + 3, nullptr, 16));
    if (!split_location(name->location, path, position.line)) continue;
    position.file = std::filesystem::path(path).filename();
    position.text = texts_.text(path, position.line);
  }
}

// Those that fit better, in the order of the machine code.
std::vector<const ReachedPlaces::Found*> ReachedPlaces::of_kind_and_function(
    std::vector<const Found*> found, Kind kind, const std::string& function) {
  const auto prefer = [&](const auto& fits) {
    std::vector<const Found*> better;
    std::copy_if(found.begin(), found.end(), std::back_inserter(better), fits);
    if (!better.empty()) found = std::move(better);
  };
  // A call into a library is a read, a write or both, as far as runs have shown it.
  if (family(kind) != family(Kind::plain_read)) prefer([&](const Found* f) { return f->second.kinds.count(kind) != 0; });
  prefer([&](const Found* f) { return f->second.function == function; });
  std::sort(found.begin(), found.end(), [](const Found* a, const Found* b) {
    return std::tie(a->second.symbol, a->second.offset) <
           std::tie(b->second.symbol, b->second.offset);
  });
  return found;
}

std::vector<const ReachedPlaces::Found*> ReachedPlaces::with_text(const std::string& file, const std::string& text,
                                                                  Kind kind) const {
  std::vector<const Found*> out;
  for (const Found& found : positions_) {
    const Position& position = found.second;
    if (position.line == 0 || text.empty() || position.text != text || position.file != file) continue;
    if (has_family(position.kinds, kind)) out.push_back(&found);
  }
  return out;
}

std::vector<unsigned> ReachedPlaces::lines_of(const std::vector<const Found*>& found, const std::string& function) {
  std::set<unsigned> here, anywhere;
  for (const Found* f : found) {
    anywhere.insert(f->second.line);
    if (f->second.function == function) here.insert(f->second.line);
  }
  const std::set<unsigned>& lines = here.empty() ? anywhere : here;
  return {lines.begin(), lines.end()};
}

unsigned ReachedPlaces::line_among(const std::vector<unsigned>& lines, const SourcePlace& place) {
  if (lines.size() == place.copies) return lines[place.copy - 1];
  if (std::binary_search(lines.begin(), lines.end(), place.line)) return place.line;
  if (lines.size() < place.copies) return place.copy <= lines.size() ? lines[place.copy - 1] : 0;
  const auto distance = [&](unsigned line) { return line > place.line ? line - place.line : place.line - line; };
  return *std::min_element(lines.begin(), lines.end(), [&](unsigned a, unsigned b) { return distance(a) < distance(b); });
}

// A thread has one beginning and one end, so its function need not be the same.
std::vector<const ReachedPlaces::Found*> ReachedPlaces::without_line(Kind kind, const std::string& function) const {
  const bool anywhere = kind == Kind::thread_start || kind == Kind::thread_exit;
  std::vector<const Found*> out;
  for (const Found& found : positions_) {
    const Position& position = found.second;
    if (position.line != 0 || position.function.empty()) continue;
    const bool here = position.function == function;
    if (anywhere ? position.kinds.count(kind) != 0 : here && has_family(position.kinds, kind)) out.push_back(&found);
  }
  return of_kind_and_function(std::move(out), kind, function);
}

bool ReachedPlaces::place_of(SiteId site, Kind kind, SourcePlace& out) const {
  const auto at = positions_.find(site);
  if (at == positions_.end()) return false;
  const Position& position = at->second;
  const auto number_in = [&](const std::vector<const Found*>& alike) {
    const auto found = std::find_if(alike.begin(), alike.end(), [&](const Found* f) { return f->first == site; });
    return found == alike.end() ? 1 : static_cast<unsigned>(found - alike.begin()) + 1;
  };
  if (position.line == 0) {
    out = {.kind = kind, .number = number_in(without_line(kind, position.function)), .function = position.function};
    return !position.function.empty();
  }
  std::vector<const Found*> alike;
  for (const Found& other : positions_) {
    if (other.second.file == position.file && other.second.line == position.line &&
        has_family(other.second.kinds, kind))
      alike.push_back(&other);
  }
  alike = of_kind_and_function(alike, kind, position.function);
  out = {.kind = kind,
         .file = position.file,
         .line = position.line,
         .number = number_in(alike),
         .function = position.function,
         .text = position.text};
  const std::vector<unsigned> lines = lines_of(with_text(out.file, out.text, kind), out.function);
  if (const auto its = std::find(lines.begin(), lines.end(), out.line); its != lines.end()) {
    out.copy = static_cast<unsigned>(its - lines.begin()) + 1;
    out.copies = static_cast<unsigned>(lines.size());
  }
  return true;
}

std::vector<const ReachedPlaces::Found*> ReachedPlaces::alike(const SourcePlace& place, bool& all_lines) const {
  all_lines = true;
  if (place.line == 0) return without_line(place.kind, place.function);
  std::vector<const Found*> found = with_text(place.file, place.text, place.kind);
  if (!found.empty()) {
    const std::vector<unsigned> lines = lines_of(found, place.function);
    const unsigned line = line_among(lines, place);
    all_lines = lines.size() >= place.copies;
    std::erase_if(found, [&](const Found* f) { return f->second.line != line; });
  } else {
    for (const Found& other : positions_) {
      const Position& position = other.second;
      if (position.file != place.file || position.line == 0 || position.line != place.line) continue;
      if (!has_family(position.kinds, place.kind)) continue;
      // With both texts known, this line has been edited, or is another one: then it must at least be
      // in the same function.
      if (place.text.empty() || position.text.empty() || position.function == place.function) found.push_back(&other);
    }
  }
  return of_kind_and_function(std::move(found), place.kind, place.function);
}

SiteId ReachedPlaces::find(const SourcePlace& place, bool& exact) const {
  bool all_lines = true;
  const std::vector<const Found*> found = alike(place, all_lines);
  exact = all_lines && place.number <= found.size();
  return found.empty() ? kNoSite : found[std::min<size_t>(place.number, found.size()) - 1]->first;
}

std::vector<SiteId> ReachedPlaces::find_all(const SourcePlace& place) const {
  bool all_lines = true;
  std::vector<SiteId> out;
  for (const Found* found : alike(place, all_lines)) out.push_back(found->first);
  return out;
}

Kind ReachedPlaces::kind_at(SiteId site, Kind kind) const {
  const auto at = positions_.find(site);
  if (at == positions_.end() || at->second.kinds.count(kind) != 0) return kind;
  if (family(kind) == family(Kind::plain_read) && !at->second.in_code) return kind;  // a call into a library may do that, too
  for (const Kind other : at->second.kinds) {
    if (family(other) == family(kind)) return other;
  }
  return kind;
}

}  // namespace heddle::cli
