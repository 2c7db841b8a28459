#include "axioms.h"

#include <algorithm>
#include <bit>

namespace heddle::axioms {
namespace {

// A relation over up to 64 events: row a has bit b if a is related to b.
struct Relation {
  std::vector<uint64_t> rows;

  explicit Relation(size_t n) : rows(n, 0) {}
  size_t size() const { return rows.size(); }
  bool has(size_t a, size_t b) const { return rows[a] >> b & 1; }
  void add(size_t a, size_t b) { rows[a] |= uint64_t{1} << b; }

  Relation operator|(const Relation& o) const {
    Relation r = *this;
    for (size_t a = 0; a < size(); ++a) r.rows[a] |= o.rows[a];
    return r;
  }
  // Composition.
  Relation operator*(const Relation& o) const {
    Relation r(size());
    for (size_t a = 0; a < size(); ++a) {
      for (uint64_t left = rows[a]; left != 0; left &= left - 1) r.rows[a] |= o.rows[static_cast<size_t>(std::countr_zero(left))];
    }
    return r;
  }
  Relation closure() const {
    Relation r = *this;
    for (size_t via = 0; via < size(); ++via) {
      for (size_t a = 0; a < size(); ++a) {
        if (r.has(a, via)) r.rows[a] |= r.rows[via];
      }
    }
    return r;
  }
  Relation or_same() const {
    Relation r = *this;
    for (size_t a = 0; a < size(); ++a) r.add(a, a);
    return r;
  }
  bool irreflexive() const {
    for (size_t a = 0; a < size(); ++a) {
      if (has(a, a)) return false;
    }
    return true;
  }
  bool acyclic() const { return closure().irreflexive(); }
  template <typename Keep>
  Relation only(Keep keep) const {
    Relation r(size());
    for (size_t a = 0; a < size(); ++a) {
      for (size_t b = 0; b < size(); ++b) {
        if (has(a, b) && keep(a, b)) r.add(a, b);
      }
    }
    return r;
  }
};

bool releases(Order o) { return o == Order::release || o == Order::acq_rel || o == Order::seq_cst; }
bool acquires(Order o) { return o == Order::acquire || o == Order::acq_rel || o == Order::seq_cst; }

struct Relations {
  const std::vector<Event>& e;
  Relation po, rf, mo, rb, hb;

  explicit Relations(const Graph& g) : e(g.events), po(e.size()), rf(e.size()), mo(e.size()), rb(e.size()), hb(e.size()) {
    const size_t n = e.size();
    for (size_t a = 0; a < n; ++a) {
      for (size_t b = 0; b < n; ++b) {
        if (e[a].thread == e[b].thread && e[a].index < e[b].index) po.add(a, b);
      }
      if (e[a].reads && e[a].from != kInitial) rf.add(static_cast<size_t>(e[a].from), a);
    }
    for (const auto& list : g.mo) {
      for (size_t i = 0; i < list.size(); ++i) {
        for (size_t k = i + 1; k < list.size(); ++k) mo.add(static_cast<size_t>(list[i]), static_cast<size_t>(list[k]));
      }
    }
    for (size_t r = 0; r < n; ++r) {
      if (!e[r].reads) continue;
      for (size_t w = 0; w < n; ++w) {
        if (w == r || !e[w].writes || e[w].location != e[r].location) continue;
        if (e[r].from == kInitial || mo.has(static_cast<size_t>(e[r].from), w)) rb.add(r, w);
      }
    }
    hb = (po | synchronises()).closure();
  }

  bool fence(size_t a) const { return !e[a].reads && !e[a].writes; }

  // sw = [>=rel] ; ([F] ; po)? ; rs ; rf ; [R] ; (po ; [F])? ; [>=acq], rs = [W] ; (rf ; rmw)*
  Relation synchronises() const {
    const size_t n = e.size();
    Relation sw(n);
    const Relation sequence = rf.only([&](size_t, size_t b) { return e[b].writes; }).closure().or_same();
    const Relation reaches = sequence * rf;
    for (size_t w = 0; w < n; ++w) {
      if (!e[w].writes) continue;
      for (size_t r = 0; r < n; ++r) {
        if (!reaches.has(w, r)) continue;
        for (size_t a = 0; a < n; ++a) {
          const bool begins = releases(e[a].order) && (a == w || (fence(a) && po.has(a, w)));
          if (!begins) continue;
          for (size_t b = 0; b < n; ++b) {
            if (acquires(e[b].order) && (b == r || (fence(b) && po.has(r, b)))) sw.add(a, b);
          }
        }
      }
    }
    return sw;
  }

  bool same_location(size_t a, size_t b) const { return !fence(a) && !fence(b) && e[a].location == e[b].location; }
  bool sc(size_t a) const { return e[a].order == Order::seq_cst; }

  Relation psc() const {
    const size_t n = e.size();
    const Relation eco = (rf | mo | rb).closure();
    const Relation elsewhere = po.only([&](size_t a, size_t b) { return !same_location(a, b); });
    const Relation here = hb.only([&](size_t a, size_t b) { return same_location(a, b); });
    const Relation scb = po | elsewhere * hb * elsewhere | here | mo | rb;
    Relation accesses(n), fences(n);
    for (size_t a = 0; a < n; ++a) {
      if (!sc(a)) continue;
      accesses.add(a, a);
      if (fence(a)) fences.add(a, a);
    }
    const Relation base = (accesses | fences * hb.or_same()) * scb * (accesses | hb.or_same() * fences);
    const Relation between = fences * (hb | hb * eco * hb) * fences;
    return base | between;
  }
};

struct Search {
  const Program& program;
  Model model;
  size_t most;
  std::set<std::string> seen, complete;
  bool too_many = false;

  uint32_t value_of(const Graph& g, int store) const { return store == kInitial ? 0 : g.events[static_cast<size_t>(store)].value; }

  void visit(const Graph& g) {
    if (too_many || !seen.insert(key_of(g)).second) return;
    bool ended = true;
    for (uint32_t t = 0; t < program.size(); ++t) {
      const auto index = static_cast<uint32_t>(std::count_if(g.events.begin(), g.events.end(), [t](const Event& e) { return e.thread == t; }));
      if (index == program[t].size()) continue;
      ended = false;
      add(g, t, index);
    }
    if (!ended) return;
    complete.insert(key_of(g));
    too_many = complete.size() > most;
  }

  void add(const Graph& g, uint32_t t, uint32_t index) {
    const Instruction& instruction = program[t][index];
    if (instruction.act == Act::fence) return put(g, event_of(instruction, t, index, 0), kInitial);
    if (instruction.act == Act::store) return put(g, event_of(instruction, t, index, 0), kInitial);
    put(g, event_of(instruction, t, index, 0), kInitial);
    for (const int store : g.mo[instruction.location]) put(g, event_of(instruction, t, index, value_of(g, store)), store);
  }

  void put(const Graph& g, Event e, int from) {
    e.from = from;
    Graph next = g;
    next.events.push_back(e);
    if (!e.writes) return check(next);
    auto& list = next.mo[e.location];
    const int added = static_cast<int>(next.events.size() - 1);
    for (size_t at = 0; at <= list.size(); ++at) {
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), added);
      check(next);
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }

  // All axioms hold for a part of a consistent graph, too.
  void check(const Graph& g) {
    if (broken_axiom(g, model).empty()) visit(g);
  }
};

}  // namespace

std::string broken_axiom(const Graph& graph, Model model) {
  const Relations r(graph);
  for (size_t u = 0; u < r.e.size(); ++u) {
    if (!r.e[u].reads || !r.e[u].writes) continue;
    for (size_t w = 0; w < r.e.size(); ++w) {
      if (w != u && r.rb.has(u, w) && r.mo.has(w, u)) return "atomicity";
    }
    if (r.e[u].from != kInitial && !r.mo.has(static_cast<size_t>(r.e[u].from), u)) return "atomicity";
  }
  if (model == Model::sc) return (r.po | r.rf | r.mo | r.rb).acyclic() ? "" : "sequential consistency";
  const Relation eco = (r.rf | r.mo | r.rb).closure();
  if (!r.hb.irreflexive() || !(r.hb * eco).irreflexive()) return "coherence";
  if (!eco.irreflexive()) return "coherence";
  if (!(r.po | r.rf).acyclic()) return "no thin air";
  return r.psc().acyclic() ? "" : "seq_cst";
}

std::string key_of(const Graph& graph) {
  const auto name = [&](int event) {
    if (event == kInitial) return std::string("i");
    const Event& e = graph.events[static_cast<size_t>(event)];
    return std::to_string(e.thread) + "." + std::to_string(e.index);
  };
  std::vector<std::string> parts;
  for (size_t i = 0; i < graph.events.size(); ++i) {
    const Event& e = graph.events[i];
    std::string part = name(static_cast<int>(i));
    if (e.reads) part += "<" + name(e.from);
    if (e.writes) {
      const auto& list = graph.mo[e.location];
      const auto at = std::find(list.begin(), list.end(), static_cast<int>(i));
      part += ">" + (at == list.begin() ? std::string("i") : name(*(at - 1)));
    }
    parts.push_back(part);
  }
  std::sort(parts.begin(), parts.end());
  std::string key;
  for (const std::string& part : parts) key += part + " ";
  return key;
}

Event event_of(const Instruction& i, uint32_t thread, uint32_t index, uint32_t value_read) {
  Event e{thread, index};
  e.location = i.location;
  e.order = i.order;
  e.reads = i.act == Act::load || i.act == Act::add || i.act == Act::exchange || i.act == Act::compare;
  e.writes = i.act == Act::store || i.act == Act::add || i.act == Act::exchange || (i.act == Act::compare && value_read == i.expected);
  e.value = i.act == Act::add ? value_read + i.operand : i.operand;
  if (i.act == Act::compare && !e.writes) e.order = i.failure;
  return e;
}

std::set<std::string> all_graphs(const Program& program, Model model, size_t most) {
  Search search{program, model, most, {}, {}};
  size_t locations = 1;
  for (const auto& thread : program) {
    for (const Instruction& i : thread) locations = std::max<size_t>(locations, i.location + 1);
  }
  search.visit({{}, std::vector<std::vector<int>>(locations)});
  return search.too_many ? std::set<std::string>{} : search.complete;
}

}  // namespace heddle::axioms
