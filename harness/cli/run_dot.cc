#include <fmt/format.h>

#include <map>

#include "harness/cli/markup.h"
#include "harness/cli/run_picture.h"

namespace heddle::cli {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : valid_utf8(text)) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') out += "\\n";
    else out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}

struct Edge {
  const char* name;
  const char* look;
};
constexpr Edge kReadsFrom = {"rf", "color=\"#0b5cad\""}, kSync = {"sw", "color=\"#1a7f37\", style=dashed"}, kOrderOfStores = {"mo", "color=\"#a04100\", style=dotted"},
               kConflict = {"conflict", "color=\"#a40e26\", style=bold"}, kWaits = {"waits", "color=\"#a40e26\", style=dashed"};

class Graph {
 public:
  Graph(const RunModel& model, const StoredTrace& trace) : model_(model), trace_(trace) {
    row_.assign(trace.events.size(), kNoRow);
    for (uint32_t i = 0; i < model.rows.size(); ++i) {
      if (model.rows[i].event != kNoEvent) row_[model.rows[i].event] = i;
    }
  }

  std::string write() {
    out_ = fmt::format("digraph {} {{\n", quoted(model_.kind.empty() ? "run" : model_.kind));
    out_ += "  // po: the order of a thread's operations. rf: reads from. sw: synchronizes with. mo: the order of the stores to an object.\n"
            "  node [shape=box, fontname=\"monospace\", fontsize=10, style=filled, fillcolor=white];\n  edge [fontname=\"monospace\", fontsize=9];\n";
    for (uint32_t t = 0; t < model_.threads.size(); ++t) put_thread(t);
    for (uint32_t i = 0; i < model_.rows.size(); ++i) {
      const RunRow& row = model_.rows[i];
      if (row.partner == kNoRow) continue;
      const KindInfo& kind = kind_info(row.kind);
      put(row.partner, i, (kind.has(kAtomic) || kind.has(kPlain)) ? kReadsFrom : kSync);
    }
    for (const RunLink& link : model_.links) {
      if (link.arrow == RunArrow::waits) put(link.from, link.to, kWaits);
      if (link.arrow == RunArrow::conflict) put(link.from, link.to, kConflict);
    }
    put_order_of_stores();
    return out_ + "}\n";
  }

 private:
  void put_thread(uint32_t t) {
    out_ += fmt::format("  subgraph cluster_{} {{\n    label={};\n", t, quoted(model_.threads[t].name));
    uint32_t before = kNoRow;
    for (uint32_t i = 0; i < model_.rows.size(); ++i) {
      const RunRow& row = model_.rows[i];
      if (row.thread != t) continue;
      const std::string step = row.step != 0 ? fmt::format("{} ", row.step) : row.what == RunRow::here ? "HERE: " : row.finished ? "" : "not done: ";
      out_ += fmt::format("    n{} [label={}{}];\n", i, quoted(fmt::format("{}{}\n{}", step, row.words, short_place(model_.places[row.place]))),
                          row.what == RunRow::here || (!row.finished && row.marked) ? ", fillcolor=\"#ffdad6\"" : row.marked ? ", fillcolor=\"#fff3c4\"" : "");
      if (before != kNoRow) out_ += fmt::format("    n{} -> n{} [color=gray];\n", before, i);
      before = i;
    }
    out_ += "  }\n";
  }
  void put(uint32_t from, uint32_t to, const Edge& edge) {
    out_ += fmt::format("  n{} -> n{} [label={}, {}, constraint=false];\n", from, to, edge.name, edge.look);
  }
  // Under sc the order of execution is the order of the stores.
  void put_order_of_stores() {
    for (const StoreOrder& store : trace_.coherence) {
      if (store.event >= row_.size() || store.after >= row_.size()) continue;
      if (row_[store.event] != kNoRow && row_[store.after] != kNoRow) put(row_[store.after], row_[store.event], kOrderOfStores);
    }
    if (!trace_.coherence.empty()) return;
    std::map<uint32_t, uint32_t> last;  // by object
    for (uint32_t i = 0; i < model_.rows.size(); ++i) {
      const RunRow& row = model_.rows[i];
      const KindInfo& kind = kind_info(row.kind);
      if (row.event == kNoEvent || !row.finished || !kind.has(kWrites) || !(kind.has(kAtomic) || kind.has(kPlain))) continue;
      const Event& e = trace_.events[row.event];
      if (e.kind == Kind::atomic_cas && e.outcome == Outcome::failure) continue;
      const auto [at, first] = last.try_emplace(row.object, i);
      if (!first) put(at->second, i, kOrderOfStores);
      at->second = i;
    }
  }

  const RunModel& model_;
  const StoredTrace& trace_;
  std::vector<uint32_t> row_;  // by event
  std::string out_;
};

}  // namespace

std::string run_dot(const RunModel& model, const StoredTrace& trace) { return Graph(model, trace).write(); }

}  // namespace heddle::cli
