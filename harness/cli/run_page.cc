#include "harness/cli/run_page.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>

#include "harness/cli/embedded_pages.h"
#include "harness/cli/markup.h"
#include "harness/cli/source_excerpt.h"

namespace heddle::cli {
namespace {

using Json = nlohmann::ordered_json;

// The page's flags of a row (page/run_data.js).
enum RowFlag : unsigned {
  kMarked = 1, kUnfinished = 2, kHere = 4, kImportant = 8, kWaited = 16, kConstrained = 32, kDropped = 64, kDelayed = 128, kStale = 256, kNoOperation = 512,
};

unsigned flags_of(const RunRow& row) {
  unsigned out = 0;
  const auto set = [&out](bool is, RowFlag flag) { out |= is ? flag : 0u; };
  set(row.marked, kMarked);
  set(!row.finished, kUnfinished);
  set(row.what == RunRow::here, kHere);
  set(row.important, kImportant);
  set((row.flags & kEventContended) != 0 && row.finished, kWaited);
  set((row.flags & kEventReleased) != 0, kDropped);
  set((row.flags & (kEventHeld | kEventReleased)) == kEventHeld, kConstrained);
  set((row.flags & kEventDelayed) != 0, kDelayed);
  set(row.stale, kStale);
  set(row.what == RunRow::aside || row.what == RunRow::note, kNoOperation);
  return out;
}

// Each text once: a long run has few different ones.
class Texts {
 public:
  size_t add(const std::string& text) {
    const auto [at, is_new] = numbers_.try_emplace(text, numbers_.size());
    if (is_new) all_.push_back(valid_utf8(text));
    return at->second;
  }
  Json all() const { return all_; }

 private:
  std::map<std::string, size_t> numbers_;
  std::vector<std::string> all_;
};

Json row_json(const RunRow& row, Texts& texts) {
  Json out = {row.thread, row.step, texts.add(row.words), row.place, row.object, flags_of(row), row.partner == kNoRow ? -1 : static_cast<int64_t>(row.partner)};
  if (!row.values.empty()) out.push_back(texts.add(row.values));
  return out;
}

Json files_json(const RunModel& model, const std::vector<std::string>& files, bool source) {
  Json out = Json::array();
  for (const std::string& file : files) {
    std::vector<unsigned> lines;
    for (const RunPlace& place : model.places) {
      if (place.file == file && place.line != 0) lines.push_back(place.line);
    }
    Json parts = Json::array();
    if (source) {
      for (const SourcePart& part : source_excerpt(file, lines)) {
        Json text = Json::array();
        for (const std::string& line : part.lines) text.push_back(valid_utf8(line));
        parts.push_back({part.first, text});
      }
    }
    out.push_back({{"path", valid_utf8(file)}, {"parts", parts}});
  }
  return out;
}

void replace(std::string& text, std::string_view mark, const std::string& by) {
  const size_t at = text.find(mark);
  if (at != std::string::npos) text.replace(at, mark.size(), by);
}

constexpr std::string_view kBeginning = "<!doctype html>\n<!-- Written by heddle";

}  // namespace

std::string run_page_data(const RunModel& model, bool source) {
  Texts texts;
  std::vector<std::string> files;
  Json out, threads = Json::array(), objects = Json::array(), places = Json::array(), rows = Json::array(), locks = Json::array(), links = Json::array();
  for (const RunThread& thread : model.threads) threads.push_back({valid_utf8(thread.name), thread.blocked ? 1 : 0});
  for (const RunObject& object : model.objects) objects.push_back({valid_utf8(object.name), valid_utf8(object.origin)});
  for (const RunPlace& place : model.places) {
    size_t file = static_cast<size_t>(std::find(files.begin(), files.end(), place.file) - files.begin());
    if (file == files.size() && !place.file.empty()) files.push_back(place.file);
    const int64_t number = place.file.empty() ? -1 : static_cast<int64_t>(file);
    places.push_back({number, place.line, place.column, valid_utf8(place.function), valid_utf8(short_place(place))});
  }
  for (const RunRow& row : model.rows) rows.push_back(row_json(row, texts));
  for (const RunLock& lock : model.locks) locks.push_back({lock.thread, lock.object, lock.from, lock.to, (lock.shared ? 1 : 0) + (lock.for_good ? 2 : 0)});
  for (const RunLink& link : model.links) links.push_back({link.from, link.to, static_cast<int>(link.arrow)});
  for (const auto& [key, text] : {std::pair("kind", &model.kind), {"place", &model.place}, {"what", &model.what}, {"signature", &model.signature},
                                  {"target", &model.target}, {"file", &model.file}, {"report", &model.report}}) {
    out[key] = valid_utf8(*text);
  }
  out["operations"] = model.operations;
  out["left_out"] = model.left_out;
  out["preemptions"] = model.preemptions;
  out["threads"] = threads, out["objects"] = objects, out["places"] = places, out["files"] = files_json(model, files, source);
  out["rows"] = rows, out["words"] = texts.all(), out["locks"] = locks, out["links"] = links;
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string filled_page(std::string page, const std::string& title, const std::string& json) {
  // In a script element, only "<" can begin something that ends it or hides its end.
  std::string data;
  data.reserve(json.size());
  for (const char c : json) c == '<' ? data += "\\u003c" : data += c;
  replace(page, "@DATA@", data);
  replace(page, "@TITLE@", escaped_markup(title, ' ', "\n\t"));  // the mark is before that of the data
  return page;
}

std::string run_page(const RunModel& model, bool source) {
  const std::string what = model.kind.empty() ? "a run" : model.kind;
  return filled_page(std::string(embedded_page("run.html")), valid_utf8(fmt::format("heddle: {} of {}", what, model.target)), run_page_data(model, source));
}

bool is_page_of_heddle(std::string_view bytes) { return bytes.starts_with(kBeginning); }

}  // namespace heddle::cli
