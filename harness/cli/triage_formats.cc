// What heddle triage prints: for people, and for the programs that show findings in a build.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <regex>

#include "harness/cli/printed_report.h"
#include "harness/cli/markup.h"
#include "harness/cli/triage.h"

namespace heddle::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string signature_text(const Group& group) { return group.signature != 0 ? fmt::format("{:016x}", group.signature) : std::string("none"); }

std::string count(size_t n, const char* one) { return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s"); }

// The program uses what it has freed there at several places: most likely that is one bug.
std::string freed_text(const Triage& triage, const Group& group) {
  const auto others = std::count_if(triage.groups.begin(), triage.groups.end(), [&](const Group& other) { return other.freed == group.freed; }) - 1;
  if (group.freed.empty() || others == 0) return {};
  return fmt::format("  freed at {}, as in {}: perhaps one bug\n", group.freed, count(static_cast<size_t>(others), "other finding"));
}

// Several findings at one place: who came there is what tells them apart.
std::string called_text(const Triage& triage, const Group& group) {
  const std::vector<std::string> stack = stack_in(group.report);
  for (const Group& other : triage.groups) {
    if (&other == &group || other.kind != group.kind || other.place != group.place) continue;
    const std::vector<std::string> others = stack_in(other.report);
    for (size_t i = 1; i < std::min(stack.size(), others.size()); ++i) {
      if (stack[i] != others[i]) return fmt::format("  called at {}\n", stack[i]);
    }
  }
  return {};
}

std::string text(const Triage& triage) {
  std::string out = fmt::format("{}: {}, {}\n", triage.target, count(triage.files, "file"), count(triage.groups.size(), "different finding"));
  for (const Group& group : triage.groups) {
    out += fmt::format("\n{} {}\n  signature {}, {}\n  smallest: {}\n", group.kind, group.place, signature_text(group), count(group.files.size(), "file"),
                       group.smallest);
    out += called_text(triage, group) + freed_text(triage, group);
    if (group.minimized) {
      const auto& [before, after] = std::pair(group.minimized->before, group.minimized->after);
      out += fmt::format("  minimized: {} -> {} thread switches, {} -> {} constraints, {} -> {} data bytes\n", before.switches, after.switches,
                         before.constraints, after.constraints, before.data, after.data);
    }
    if (!group.kept.empty()) out += fmt::format("  kept as {}\n", group.kept);
  }
  const auto list = [&out](const char* title, const std::vector<std::string>& files) {
    if (!files.empty()) out += fmt::format("\n{}\n", title);
    for (const std::string& file : files) out += fmt::format("  {}\n", file);
  };
  list("no finding (fixed, or made by another target or with other options):", triage.without_finding);
  list("do not apply to this build:", triage.not_applicable);
  list("damaged schedules (truncated or overwritten), without a finding:", triage.damaged);
  list("not tried, because time was short (more: --seconds):", triage.not_tried);
  return out;
}

std::string markdown(const Triage& triage) {
  std::string out = fmt::format("# Findings of {}\n\n{}, {}\n\n| finding | place | signature | files | smallest |\n| --- | --- | --- | --- | --- |\n",
                                triage.target, count(triage.files, "file"), count(triage.groups.size(), "different finding"));
  for (const Group& group : triage.groups) {
    out += fmt::format("| {} | `{}` | `{}` | {} | `{}` |\n", group.kind, group.place, signature_text(group), group.files.size(),
                       group.kept.empty() ? group.smallest : group.kept);
  }
  for (const Group& group : triage.groups) {
    out += fmt::format("\n## {} {}\n\n```text\n{}```\n", group.kind, signature_text(group), interleaving_of(group.report));
  }
  const auto list = [&out](const char* title, const std::vector<std::string>& files) {
    if (!files.empty()) out += fmt::format("\n## {}\n\n", title);
    for (const std::string& file : files) out += fmt::format("- `{}`\n", file);
  };
  list("No finding", triage.without_finding);
  list("Do not apply to this build", triage.not_applicable);
  list("Damaged schedules", triage.damaged);
  list("Not tried, because time was short", triage.not_tried);
  return out;
}

Json json_of(const Group& group) {
  Json out = {{"kind", group.kind}, {"place", group.place}, {"signature", signature_text(group)}, {"summary", group.summary},
              {"files", group.files}, {"smallest", group.smallest}};
  if (!group.freed.empty()) out["freed_at"] = group.freed;
  if (!group.kept.empty()) out["kept"] = group.kept;
  if (group.minimized) {
    const auto size = [](const Size& s) { return Json{{"switches", s.switches}, {"constraints", s.constraints}, {"data", s.data}, {"operations", s.operations}}; };
    out["minimized"] = {{"before", size(group.minimized->before)}, {"after", size(group.minimized->after)}, {"executions", group.minimized->executions}};
  }
  out["report"] = group.report;
  return out;
}

// Output of a program need not be UTF-8.
std::string dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

std::string json(const Triage& triage) {
  Json groups = Json::array();
  for (const Group& group : triage.groups) groups.push_back(json_of(group));
  return dump({{"target", triage.target}, {"files", triage.files}, {"findings", groups}, {"without_finding", triage.without_finding},
               {"not_applicable", triage.not_applicable}, {"damaged", triage.damaged}, {"not_tried", triage.not_tried}});
}

// Relative to this directory, as programs that show SARIF beside the source want it, where the file is below it. With the characters that a URI may have.
std::string uri_of(const std::string& file) {
  std::error_code error;
  const std::filesystem::path plain = std::filesystem::path(file).lexically_normal(), here = std::filesystem::current_path(error);
  const std::filesystem::path relative = plain.is_absolute() && !error ? plain.lexically_relative(here) : plain;
  const bool below = !relative.empty() && *relative.begin() != "..";
  std::string out = below || !plain.is_absolute() ? "" : "file://";
  for (const char c : (below ? relative : plain).string()) {
    const bool allowed = std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("/-._~+", c) != nullptr;
    out += allowed ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

// "queue.cc:41:3 in f" -> the location of SARIF; null: there is no line.
Json location_of(const Group& group) {
  static const std::regex kPlace(R"(^(.+?):(\d+)(?::(\d+))?(?: in (.*))?$)");
  std::smatch parts;
  if (!std::regex_match(group.place, parts, kPlace)) return nullptr;
  Json region = {{"startLine", std::strtoul(parts[2].str().c_str(), nullptr, 10)}};
  if (parts[3].matched) region["startColumn"] = std::strtoul(parts[3].str().c_str(), nullptr, 10);
  Json out = {{"physicalLocation", {{"artifactLocation", {{"uri", uri_of(parts[1].str())}}}, {"region", region}}}};
  if (parts[4].matched) out["logicalLocations"] = Json::array({{{"fullyQualifiedName", parts[4].str()}}});
  return out;
}

std::string sarif(const Triage& triage) {
  Json rules = Json::array(), results = Json::array();
  std::vector<std::string> known;
  for (const Group& group : triage.groups) {
    if (std::find(known.begin(), known.end(), group.kind) == known.end()) {
      known.push_back(group.kind);
      rules.push_back({{"id", group.kind}, {"shortDescription", {{"text", group.kind}}}});
    }
    Json result = {{"ruleId", group.kind},
                   {"level", "error"},
                   {"message", {{"text", fmt::format("{} ({} of {}, replay: {} {})", group.summary, group.files.size(), count(triage.files, "file"), triage.target, group.kept.empty() ? group.smallest : group.kept)}}},
                   {"partialFingerprints", {{"heddleSignature/v1", signature_text(group)}}},
                   {"properties", {{"interleaving", interleaving_of(group.report)}}}};
    if (const Json location = location_of(group); !location.is_null()) result["locations"] = Json::array({location});
    results.push_back(result);
  }
  Json run = {{"tool", {{"driver", {{"name", "heddle"}, {"version", HEDDLE_VERSION}, {"rules", rules}}}}}, {"results", results}};
  if (!triage.not_tried.empty()) {
    const Json said = {{"level", "warning"}, {"message", {{"text", fmt::format("{} not tried, because time was short", count(triage.not_tried.size(), "file"))}}}};
    run["invocations"] = Json::array({{{"executionSuccessful", false}, {"toolExecutionNotifications", Json::array({said})}}});
  }
  return dump({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
               {"version", "2.1.0"},
               {"runs", Json::array({run})}});
}

std::string escaped(const std::string& text) { return escaped_markup(text, '?', "\n\t"); }

std::string junit(const Triage& triage) {
  const std::string name = escaped(triage.target);
  const size_t skipped = triage.not_applicable.size() + triage.damaged.size() + triage.not_tried.size();
  const size_t cases = triage.groups.size() + triage.without_finding.size() + skipped;
  std::string out = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n",
                                name, cases, triage.groups.size(), skipped);
  for (const Group& group : triage.groups) {
    out += fmt::format("<testcase classname=\"{}\" name=\"{}\">\n<failure type=\"{}\" message=\"{}\">{}</failure>\n</testcase>\n", name, escaped(name_of(group)),
                       escaped(group.kind), escaped(group.summary), escaped(group.report));
  }
  for (const std::string& file : triage.without_finding) out += fmt::format("<testcase classname=\"{}\" name=\"{}\"/>\n", name, escaped(file));
  const auto skip = [&](const std::vector<std::string>& files, const char* why) {
    for (const std::string& file : files)
      out += fmt::format("<testcase classname=\"{}\" name=\"{}\"><skipped message=\"{}\"/></testcase>\n", name, escaped(file), why);
  };
  skip(triage.not_applicable, "does not apply to this build");
  skip(triage.damaged, "a damaged schedule");
  skip(triage.not_tried, "not tried, because time was short");
  return out + "</testsuite>\n</testsuites>\n";
}

}  // namespace

const std::vector<Format>& triage_formats() {
  static const std::vector<Format> kFormats = {{"text", text}, {"markdown", markdown}, {"json", json}, {"sarif", sarif}, {"junit", junit}};
  return kFormats;
}

}  // namespace heddle::cli
