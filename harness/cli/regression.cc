#include "harness/cli/regression.h"

#include <algorithm>
#include <cstdlib>
#include <regex>

#include <fmt/format.h>

#include "harness/cli/files.h"
#include "schema/options_text.h"
#include "schema/text_words.h"

namespace heddle::cli {
namespace {

constexpr std::string_view kHeader = "heddle regression ";
constexpr std::string_view kSchedule = "heddle schedule ";
constexpr const char* kNoFile = "?";  // of a position without a line
constexpr unsigned kVersion = 1;

unsigned to_number(const std::string& text) {
  return static_cast<unsigned>(std::strtoul(text.c_str(), nullptr, 10));
}

void parse_place(const std::string& file, size_t number, const std::string& line, Regression& out) {
  static const std::regex kForm(R"(place (P\d+) (\w+) (.+):(\d+) #(\d+) (?:copy (\d+)/(\d+) )?in (.*?) \| ?(.*))");
  std::smatch part;
  if (!std::regex_match(line, part, kForm)) {
    throw Failure(
        kUsage,
        fmt::format(
            "{}: line {}: a place has the form 'place P1 KIND FILE:LINE #N in FUNCTION | TEXT'",
            file, number));
  }
  bool known = false;
  const Kind kind = kind_by_name(part[2].str(), &known);
  if (!known)
    throw Failure(kUsage, fmt::format("{}: line {}: '{}' is no kind of operation", file, number,
                                      part[2].str()));
  if (part[1] != place_name(out.places.size())) {
    throw Failure(
        kUsage, fmt::format("{}: line {}: expected {}, because places are numbered in their order",
                            file, number, place_name(out.places.size())));
  }
  const unsigned copies = std::max(1u, to_number(part[7]));
  const bool has_line = part[3] != kNoFile;
  out.places.push_back({.kind = kind,
                        .file = has_line ? part[3].str() : std::string(),
                        .line = has_line ? std::max(1u, to_number(part[4])) : 0,
                        .number = std::max(1u, to_number(part[5])),
                        .function = part[8],
                        .text = part[9],
                        .copy = std::clamp(to_number(part[6]), 1u, copies),
                        .copies = copies});
}

// Follows its place.
void parse_caller(const std::string& file, size_t number, const std::string& line, Regression& out) {
  static const std::regex kForm(R"(called (P\d+) (.+):(\d+) in (.*?) \| ?(.*))");
  std::smatch part;
  if (!std::regex_match(line, part, kForm) || out.places.empty() ||
      part[1] != place_name(out.places.size() - 1)) {
    throw Failure(kUsage,
                  fmt::format("{}: line {}: after a place comes 'called P1 FILE:LINE in FUNCTION | "
                              "TEXT', with the place's number",
                              file, number));
  }
  out.places.back().caller = SourceLine{part[2], to_number(part[3]), part[4], part[5]};
}

}  // namespace

bool Regression::names_callers() const {
  return std::any_of(places.begin(), places.end(),
                     [](const SourcePlace& place) { return place.caller.has_value(); });
}

std::string Regression::options_of_run(std::string_view options) {
  constexpr std::string_view kChangeRun[] = {
      "args",           "stdin",           "restore",       "program",     "report_leaks",
      "report_races",   "report_livelock", "report_misuse", "report_exit", "report_abort",
      "report_endless", "spurious",        "timeouts",      "memory"};
  std::string out;
  for (const std::string_view key : kChangeRun) {
    const std::string_view value = option_value(options, key);
    if (value.empty()) continue;
    const bool plain = value.find_first_of(":, \t'\"") == value.npos;
    const char* const quote = plain ? "" : value.find('\'') == value.npos ? "'" : "\"";
    out += fmt::format("{}{}={}{}{}", out.empty() ? "" : ":", key, quote, value, quote);
  }
  return out;
}

std::string place_name(size_t index) { return fmt::format("P{}", index + 1); }

bool is_regression(const std::vector<uint8_t>& bytes) {
  return bytes.size() >= kHeader.size() &&
         std::equal(kHeader.begin(), kHeader.end(), bytes.begin());
}

std::string regression_to_text(const Regression& r) {
  std::string out = fmt::format("{}{}\n// {}\n", kHeader, kVersion, r.about);
  if (r.signature != 0) out += fmt::format("signature {:016x}\n", r.signature);
  if (!r.options.empty()) out += fmt::format("options {}\n", r.options);
  for (size_t i = 0; i < r.places.size(); ++i) {
    const SourcePlace& p = r.places[i];
    const std::string copy = p.copies > 1 ? fmt::format("copy {}/{} ", p.copy, p.copies) : "";
    out += fmt::format("place {} {} {}:{} #{} {}in {} | {}\n", place_name(i), kind_info(p.kind).name,
                       p.line != 0 ? p.file.c_str() : kNoFile, p.line, p.number, copy, p.function, p.text);
    if (p.caller)
      out += fmt::format("called {} {}:{} in {} | {}\n", place_name(i), p.caller->file,
                         p.caller->line, p.caller->function, p.caller->text);
  }
  return out + r.schedule;
}

Regression regression_from_text(const std::string& file, const std::string& text) {
  Regression out;
  size_t number = 0;
  for (size_t at = 0, end; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.pop_back();
    ++number;
    if (number == 1) {
      if (line != fmt::format("{}{}", kHeader, kVersion)) {
        throw Failure(
            kUsage,
            fmt::format(
                "{}: '{}' is not a regression test that this heddle reads (it reads version {})",
                file, text::printable(line, 60), kVersion));
      }
    } else if (line.starts_with("//")) {
      if (out.about.empty())
        out.about = line.substr(std::min(line.size(), line.find_first_not_of("/ ")));
    } else if (line.starts_with("signature ")) {
      out.signature = std::strtoull(line.c_str() + 10, nullptr, 16);
    } else if (line.starts_with("options ")) {
      out.options = line.substr(8);
    } else if (line.starts_with("place ")) {
      parse_place(file, number, line, out);
    } else if (line.starts_with("called ")) {
      parse_caller(file, number, line, out);
    } else if (line.starts_with(kSchedule)) {
      out.schedule = text.substr(at);
      return out;
    } else if (!line.empty()) {
      throw Failure(kUsage, fmt::format("{}: line {}: '{}' is not a line of a regression test",
                                        file, number, text::printable(line, 60)));
    }
  }
  throw Failure(
      kUsage,
      fmt::format("{}: the schedule is missing: a line 'heddle schedule 1', then its constraints",
                  file));
}

}  // namespace heddle::cli
