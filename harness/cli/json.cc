#include "harness/cli/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::cli {
namespace {

using Json = nlohmann::ordered_json;

// Some JSON readers cannot represent 64-bit numbers. So identities are strings.
std::string identity(uint64_t id) { return fmt::format("0x{:016x}", id); }

void put_site(Json& out, SiteId site, const SiteNames& names) {
  out["site"] = identity(site);
  const std::string where = names.comment(site);
  if (!where.empty()) out["where"] = where;
}

std::string_view name_of(Kind kind) { return kind_info(kind).name; }

Json element(const Element& e, const SiteNames& names) {
  Json out;
  out["kind"] = name_of(e.kind);
  put_site(out, e.site, names);
  if (e.thread != kAnyThread) out["thread"] = thread_name(e.thread);
  if (e.thread_var != 0) out["thread_variable"] = e.thread_var;
  if (e.object != kAnyObject) out["object"] = identity(e.object);
  if (e.occurrence != 0) out["occurrence"] = e.occurrence;
  if (e.context != 0) out["context"] = e.context;
  return out;
}

std::string hex_bytes(const std::vector<uint8_t>& bytes) {
  std::string out;
  for (const uint8_t byte : bytes) out += fmt::format("{:02x}", byte);
  return out;
}

}  // namespace

std::string schedule_json(const Schedule& s, const SiteNames& names) {
  Json out;
  out["version"] = s.version;
  out["seed"] = identity(s.seed);
  out["strategy"] = static_cast<int>(s.strategy);
  out["memory_model"] = static_cast<int>(s.memory_model);
  if ((s.assumes & kNoSpuriousWakes) != 0) out["no_spurious_wakes"] = true;
  if ((s.assumes & kPatientTimeouts) != 0) out["patient_timeouts"] = true;
  if ((s.assumes & kEndlessIntended) != 0) out["endless_threads_intended"] = true;
  if (s.pct_depth != 0) out["pct_depth"] = s.pct_depth;
  if (s.stickiness != 0) out["stickiness"] = s.stickiness;
  if (s.step_estimate != 0) out["step_estimate"] = s.step_estimate;
  if (s.surw_site != 0) out["surw_site"] = identity(s.surw_site);
  out["chains"] = Json::array();
  for (const Element& e : s.elements) {
    while (out["chains"].size() <= e.chain) out["chains"].push_back(Json::array());
    out["chains"][e.chain].push_back(element(e, names));
  }
  out["reads_from"] = Json::array();
  for (const ReadsFrom& c : s.reads_from) {
    Json one;
    one["read"] = element(c.read, names);
    one["write"] = c.write.site == kNoSite ? Json("initial") : element(c.write, names);
    one["negative"] = c.negative != 0;
    one["shield"] = c.shield != 0;
    out["reads_from"].push_back(one);
  }
  out["selects"] = Json::array();
  for (const SelectPreference& p : s.selects) {
    Json one;
    one["kind"] = name_of(p.kind);
    put_site(one, p.site, names);
    if (p.thread != kAnyThread) one["thread"] = thread_name(p.thread);
    one["instance"] = p.instance;
    one["choice"] = p.choice;
    out["selects"].push_back(one);
  }
  out["delays"] = Json::array();
  for (const Delay& d : s.delays) {
    Json one;
    one["what"] = element(d.what, names);
    one["until"] = d.until.site == kNoSite ? Json("idle") : element(d.until, names);
    out["delays"].push_back(one);
  }
  out["visible_plain"] = Json::array();
  for (const SiteId site : s.visible_plain) out["visible_plain"].push_back(identity(site));
  out["weights"] = Json::array();
  for (const ThreadWeight& w : s.weights) out["weights"].push_back({{"thread", thread_name(w.thread)}, {"count", w.count}});
  out["graph_nodes"] = s.graph.size();
  out["payload"] = hex_bytes(s.payload);
  return out.dump(2) + "\n";
}

std::string trace_json(const StoredTrace& trace, const SiteNames& names) {
  Json out;
  out["input_hash"] = identity(trace.input_hash);
  out["trace_hash"] = identity(trace_hash(trace.summary()));
  out["steps"] = trace.steps;
  out["flags"] = trace.flags;
  out["chains"] = Json::array();
  for (const ChainResult& c : trace.chains) out["chains"].push_back({{"length", c.length}, {"realised", c.realised}});
  out["events"] = Json::array();
  for (const Event& e : trace.events) {
    Json one;
    one["thread"] = thread_name(trace.threads[e.thread].id);
    one["kind"] = name_of(e.kind);
    put_site(one, e.site, names);
    one["occurrence"] = e.occurrence;
    if (trace.objects[e.object].id != kAnyObject) one["object"] = identity(trace.objects[e.object].id);
    if (e.partner != kNoEvent) one["partner"] = e.partner;
    one["finished"] = e.finished();
    out["events"].push_back(one);
  }
  return out.dump(2) + "\n";
}

}  // namespace heddle::cli
