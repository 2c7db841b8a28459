#include "harness/cli/run_model.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "harness/cli/markup.h"
#include "harness/cli/site_table.h"

namespace heddle::cli {
namespace {

using Json = nlohmann::json;

// What the target's lines say.
struct Words {
  struct Operation {
    std::string words, values;
    uint32_t place = 0, caller = 0;
    bool known = false;
  };
  struct Extra {
    RunRow row;
    uint32_t before;
    uint32_t of;  // it is this event, and has its words
  };
  uint32_t first = 0;
  std::vector<Operation> operations;  // by event
  std::vector<uint32_t> marks;
  std::vector<Extra> extras;
};

std::string text_of(const Json& line, const char* key) {
  const auto at = line.find(key);
  return at != line.end() && at->is_string() ? at->get<std::string>() : std::string();
}

uint32_t number_of(const Json& line, const char* key, uint32_t otherwise = 0) {
  const auto at = line.find(key);
  return at != line.end() && at->is_number_unsigned() ? at->get<uint32_t>() : otherwise;
}

std::string without_last_newlines(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string values_of(const Json& line, const RunModel& model) {
  std::string out;
  const auto add = [&](const std::string& what) { out += (out.empty() ? "" : ", ") + what; };
  for (const char* key : {"read", "expected", "stored"}) {
    if (line.contains(key)) add(fmt::format("{} {}", key, text_of(line, key)));
  }
  if (!out.empty()) out += fmt::format(" ({} byte{})", number_of(line, "size"), number_of(line, "size") == 1 ? "" : "s");
  if (line.contains("initial")) add("no one has written it before in this run");
  const uint32_t writer = number_of(line, "writer", kNoEvent);
  if (writer < model.threads.size()) add(fmt::format("last written by {}", model.threads[writer].name));
  return out;
}

class WordsReader {
 public:
  WordsReader(RunModel& model, Words& words) : model_(model), words_(words) {}

  void read(std::string_view lines) {
    for (size_t begin = 0; begin < lines.size();) {
      const size_t end = std::min(lines.find('\n', begin), lines.size());
      const Json line = Json::parse(valid_utf8(lines.substr(begin, end - begin)), nullptr, false);
      if (line.is_object()) read_line(line);
      begin = end + 1;
    }
  }

 private:
  void read_line(const Json& line) {
    const auto index = [&](const char* key, size_t limit, uint32_t& out) { return line.contains(key) && (out = number_of(line, key, kNoEvent)) < limit; };
    uint32_t i;
    if (line.contains("run")) {
      words_.first = number_of(line, "first");
      model_.preemptions = number_of(line, "preemptions");
    } else if (index("thread", model_.threads.size(), i)) {
      model_.threads[i].name = text_of(line, "name");
    } else if (line.contains("site")) {
      places_[number_of(line, "site")] = static_cast<uint32_t>(model_.places.size());
      // heddle's own code has no place that helps.
      const RunPlace place = {text_of(line, "file"), readable_function(text_of(line, "function")), number_of(line, "line"), number_of(line, "column")};
      model_.places.push_back(line.contains("own") ? RunPlace{} : place);
    } else if (index("object", model_.objects.size(), i) && !line.contains("pending")) {
      model_.objects[i] = {text_of(line, "name"), text_of(line, "origin")};
    } else if (index("event", words_.operations.size(), i)) {
      words_.operations[i] = {text_of(line, "words"), values_of(line, model_), place_of(line, "at"), place_of(line, "from"), true};
    } else if (line.contains("finding")) {
      model_.kind = text_of(line, "finding");
      model_.what = without_last_newlines(text_of(line, "what"));
      model_.signature = text_of(line, "signature");
    } else if (index("mark", words_.operations.size(), i)) {
      words_.marks.push_back(i);
    } else if (index("aside", model_.threads.size(), i)) {
      add_extra(line, RunRow::aside, i);
    } else if (index("note", model_.threads.size(), i)) {
      add_extra(line, RunRow::note, i);
    } else if (index("here", model_.threads.size(), i)) {
      add_extra(line, RunRow::here, i);
    } else if (index("pending", model_.threads.size(), i)) {
      add_extra(line, RunRow::pending, i);
    }
  }
  uint32_t place_of(const Json& line, const char* key) const {
    const auto at = places_.find(number_of(line, key, kNoEvent));
    return at == places_.end() ? 0 : at->second;
  }
  void add_extra(const Json& line, RunRow::What what, uint32_t thread) {
    RunRow row;
    row.what = what;
    row.thread = thread;
    row.place = place_of(line, "at");
    row.words = text_of(line, "words");
    row.marked = what == RunRow::aside || what == RunRow::here;
    row.counterpart = what == RunRow::aside;
    row.finished = what != RunRow::pending;
    if (what == RunRow::here) row.words = row.words.empty() ? model_.kind : model_.kind + ": " + row.words;
    if (what == RunRow::pending) row.kind = static_cast<Kind>(number_of(line, "kind") % kKindLimit), row.object = number_of(line, "object");
    if (row.object >= model_.objects.size()) row.object = 0;
    words_.extras.push_back({row, number_of(line, "before", kNoEvent), number_of(line, "of", kNoEvent)});
  }

  RunModel& model_;
  Words& words_;
  std::map<uint32_t, uint32_t> places_;  // by the number of the site
};

std::string kind_words(Kind kind) {
  std::string out(kind_info(kind).name);
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

// Threads and objects of a trace alone: M1, M2, A1, ...
void name_all(RunModel& model, const StoredTrace& trace) {
  for (const ThreadRecord& thread : trace.threads) {
    const auto end = static_cast<ThreadEnd>(thread.state);
    model.threads.push_back({thread_name(thread.id), end == ThreadEnd::blocked || end == ThreadEnd::joinable_blocked});
  }
  std::map<char, unsigned> numbers;
  model.objects.resize(trace.objects.size());
  for (const Event& e : trace.events) {
    std::string& name = model.objects[e.object].name;
    if (e.object == 0 || !name.empty() || kind_info(e.kind).has(kThread)) continue;
    const char letter = static_cast<char>(std::toupper(kind_info(e.kind).name.empty() ? '?' : kind_info(e.kind).name[0]));
    name = fmt::format("{}{}", letter, ++numbers[letter]);
  }
}

uint32_t place_by_name(RunModel& model, const SiteName* name) {
  if (name == nullptr) return 0;
  RunPlace place = {name->location, name->function, 0, 0};
  // FILE:LINE, with or without a column.
  for (unsigned* const number : {&place.column, &place.line}) {
    const size_t colon = place.file.rfind(':');
    if (colon == std::string::npos || place.file.find_first_not_of("0123456789", colon + 1) != std::string::npos) break;
    *number = static_cast<unsigned>(std::strtoul(place.file.c_str() + colon + 1, nullptr, 10));
    place.file.erase(colon);
  }
  if (place.line == 0) std::swap(place.line, place.column);
  model.places.push_back(std::move(place));
  return static_cast<uint32_t>(model.places.size() - 1);
}

RunRow row_of(const StoredTrace& trace, uint32_t event) {
  const Event& e = trace.events[event];
  RunRow row;
  row.kind = e.kind;
  row.flags = e.flags;
  row.finished = e.finished();
  row.stale = is_stale(e);
  row.thread = e.thread;
  row.event = event;
  row.step = e.done;
  row.object = e.object;
  return row;
}

// The harness's own, not the program's.
bool of_harness(const Event& e) { return e.thread == 0 && (e.kind == Kind::thread_start || e.kind == Kind::thread_exit); }

}  // namespace

std::string short_place(const RunPlace& place) {
  if (place.file.empty() || place.line == 0) return place.function;
  return fmt::format("{}:{}", place.file.substr(place.file.rfind('/') + 1), place.line);
}

RunModel make_model(const StoredTrace& trace, std::string_view lines, const SiteNames& names) {
  RunModel model;
  Words words;
  model.places.emplace_back();
  model.operations = static_cast<uint32_t>(trace.events.size());
  name_all(model, trace);
  words.operations.resize(trace.events.size());
  WordsReader(model, words).read(lines);
  std::vector<bool> marked(trace.events.size());
  for (const uint32_t mark : words.marks) marked[mark] = true;
  model.left_out = std::min(words.first, model.operations);
  std::map<SiteId, uint32_t> places;
  const auto put_extras = [&](uint32_t event) {
    for (Words::Extra& extra : words.extras) {
      if (extra.before > event || extra.of != kNoEvent || extra.row.words.empty()) continue;
      model.rows.push_back(extra.row);
      extra.row.words.clear();  // once
    }
  };
  for (uint32_t i = model.left_out; i < trace.events.size(); ++i) {
    put_extras(i);
    const Event& e = trace.events[i];
    if (of_harness(e)) continue;
    RunRow row = row_of(trace, i);
    const Words::Operation& told = words.operations[i];
    row.marked = marked[i];
    row.words = told.words;
    row.values = told.values;
    row.place = told.place;
    row.caller = told.caller;
    if (row.words.empty()) row.words = kind_words(e.kind) + (model.objects[e.object].name.empty() ? "" : " " + model.objects[e.object].name);
    if (!told.known) {
      const auto [at, is_new] = places.try_emplace(e.site, 0);
      if (is_new) at->second = place_by_name(model, names.find(e.site));
      row.place = at->second;
    }
    for (const Words::Extra& extra : words.extras) {
      if (extra.of != i) continue;
      row.marked = row.counterpart = true;
      row.words = extra.row.words;
      row.place = extra.row.place;
    }
    model.rows.push_back(std::move(row));
  }
  put_extras(kNoEvent);
  add_locks(model, trace);
  add_links(model, trace);
  choose_important(model);
  return model;
}

}  // namespace heddle::cli
