// Locks, arrows between threads, and the rows that matter, of the model of a run.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "harness/cli/run_model.h"

namespace heddle::cli {
namespace {

std::vector<uint32_t> rows_by_event(const RunModel& model, const StoredTrace& trace) {
  std::vector<uint32_t> out(trace.events.size(), kNoRow);
  for (uint32_t i = 0; i < model.rows.size(); ++i) {
    if (model.rows[i].event != kNoEvent) out[model.rows[i].event] = i;
  }
  return out;
}

// Reads locks shared with others: it takes the lock without changing it.
bool shares(Kind kind) { return !kind_info(kind).has(kWrites); }

class LockTracker {
 public:
  LockTracker(RunModel& model, const StoredTrace& trace) : model_(model), trace_(trace) {}

  void visit(uint32_t row) {
    const RunRow& r = model_.rows[row];
    if (r.event == kNoEvent) return;
    const Event& e = trace_.events[r.event];
    if (!e.finished() || in_vain(e.outcome) || (e.flags & kEventRecursive) != 0) return;
    if (e.kind == Kind::cond_wait) {
      if (e.choice < model_.objects.size()) drop(e.thread, e.choice, row);  // the wait gives the mutex back
    } else if (kind_info(e.kind).has(kHoldsLock) && e.object != 0) {
      take(e.thread, e.object, row, shares(e.kind));
    } else if (kind_info(e.kind).has(kDropsLock) && e.object != 0) {
      if (!drop(e.thread, e.object, row)) drop_any(e.object, row);
    }
  }
  void end() {
    for (const auto& [key, lock] : held_) {
      model_.locks.push_back(lock);
      model_.locks.back().for_good = true;
      model_.locks.back().to = static_cast<uint32_t>(model_.rows.size()) - 1;
    }
    std::sort(model_.locks.begin(), model_.locks.end(), [](const RunLock& a, const RunLock& b) { return a.from != b.from ? a.from < b.from : a.object < b.object; });
  }

 private:
  using Key = std::pair<uint32_t, uint32_t>;  // thread, object

  void take(uint32_t thread, uint32_t object, uint32_t row, bool shared) {
    held_.try_emplace({thread, object}, RunLock{thread, object, row, row, shared, false});
  }
  bool drop(uint32_t thread, uint32_t object, uint32_t row) {
    const auto at = held_.find({thread, object});
    if (at == held_.end()) return false;
    at->second.to = row;
    model_.locks.push_back(at->second);
    held_.erase(at);
    return true;
  }
  // Another thread than the one that took it gives it back.
  void drop_any(uint32_t object, uint32_t row) {
    for (uint32_t t = 0; t < model_.threads.size(); ++t) {
      if (drop(t, object, row)) return;
    }
  }

  RunModel& model_;
  const StoredTrace& trace_;
  std::map<Key, RunLock> held_;
};

RunArrow arrow_of(const Event& e) {
  const KindInfo& kind = kind_info(e.kind);
  if (kind.has(kThread)) return RunArrow::thread;
  if (kind.has(kHoldsLock)) return RunArrow::lock;
  return kind.has(kAtomic) || kind.has(kPlain) ? RunArrow::reads : RunArrow::message;
}

}  // namespace

void add_locks(RunModel& model, const StoredTrace& trace) {
  LockTracker locks(model, trace);
  for (uint32_t i = 0; i < model.rows.size(); ++i) locks.visit(i);
  locks.end();
}

void add_links(RunModel& model, const StoredTrace& trace) {
  const std::vector<uint32_t> rows = rows_by_event(model, trace);
  for (uint32_t i = 0; i < model.rows.size(); ++i) {
    RunRow& row = model.rows[i];
    if (row.event == kNoEvent) continue;
    const Event& e = trace.events[row.event];
    if (e.partner >= rows.size() || rows[e.partner] == kNoRow) continue;
    if (is_plain_store(e)) continue;  // its partner is no store that it reads
    row.partner = rows[e.partner];
    if (model.rows[row.partner].thread != row.thread) model.links.push_back({row.partner, i, arrow_of(e)});
  }
  // What a thread has read, another one changes: the next store after a marked read.
  std::map<uint32_t, uint32_t> next_store;  // by object
  for (uint32_t i = static_cast<uint32_t>(model.rows.size()); i-- > 0;) {
    const RunRow& row = model.rows[i];
    if (row.event == kNoEvent || row.object == 0 || !row.marked || !row.finished) continue;
    const KindInfo& kind = kind_info(row.kind);
    if (!kind.has(kAtomic) && !kind.has(kPlain)) continue;
    const bool stores = kind.has(kWrites) && trace.events[row.event].outcome != Outcome::failure;
    const auto at = next_store.find(row.object);
    if (!stores && at != next_store.end() && model.rows[at->second].thread != row.thread) model.links.push_back({i, at->second, RunArrow::changes});
    if (stores) next_store[row.object] = i;
  }
  for (uint32_t i = static_cast<uint32_t>(model.rows.size()); i-- > 0;) {
    if (model.rows[i].what != RunRow::here) continue;
    for (uint32_t k = 0; k < i; ++k) {
      if (model.rows[k].counterpart && model.rows[k].thread != model.rows[i].thread) model.links.push_back({k, i, RunArrow::conflict});
    }
  }
  // A blocked thread waits for who holds the lock at the end.
  for (const RunLock& lock : model.locks) {
    if (!lock.for_good) continue;
    for (uint32_t i = static_cast<uint32_t>(model.rows.size()); i-- > 0 && !model.rows[i].finished;) {
      const RunRow& row = model.rows[i];
      if (row.object == lock.object && row.thread != lock.thread && kind_info(row.kind).has(kHoldsLock)) {
        model.links.push_back({i, lock.from, RunArrow::waits});
      }
    }
  }
}

namespace {

// If few rows matter, then for context each different one of the others, the last of its kind: so a loop is there once.
void add_context(const RunModel& model, std::vector<bool>& near) {
  constexpr auto kEnough = 30;
  auto room = kEnough - std::count(near.begin(), near.end(), true);
  if (room == kEnough) return;  // nothing says what matters
  std::set<std::tuple<uint32_t, uint32_t, std::string_view>> known;
  const auto is_new = [&](const RunRow& row) { return known.emplace(row.thread, row.place, row.words).second; };
  for (size_t i = near.size(); i-- > 0 && room > 0;) {
    if (!is_new(model.rows[i]) || near[i]) continue;
    near[i] = true;
    --room;
  }
}

}  // namespace

void choose_important(RunModel& model) {
  std::vector<RunRow>& rows = model.rows;
  std::vector<uint32_t> last(model.threads.size(), kNoRow);  // of each thread
  std::vector<bool> near(rows.size());
  const auto relevant = [](const RunRow& row) { return row.marked || !row.finished; };
  for (uint32_t i = 0; i < rows.size(); ++i) {
    uint32_t& before = last[rows[i].thread];
    if (before != kNoRow && (rows[i].marked || rows[before].marked)) near[i] = near[before] = true;
    before = i;
    if (!relevant(rows[i])) continue;
    near[i] = true;
    if (rows[i].partner != kNoRow) near[rows[i].partner] = true;
  }
  for (const RunLink& link : model.links) {
    if (link.arrow == RunArrow::waits) near[link.to] = true;
  }
  // The locks that a thread holds at a row that matters. A thread's locks are in the order in which it took them.
  std::vector<std::vector<uint32_t>> marked(model.threads.size());
  for (uint32_t i = 0; i < rows.size(); ++i) {
    if (rows[i].marked) marked[rows[i].thread].push_back(i);
  }
  for (const RunLock& lock : model.locks) {
    const auto& of_thread = marked[lock.thread];
    const auto at = std::lower_bound(of_thread.begin(), of_thread.end(), lock.from);
    if (at != of_thread.end() && *at <= lock.to) near[lock.from] = near[lock.to] = true;
  }
  add_context(model, near);
  for (uint32_t i = 0; i < rows.size(); ++i) rows[i].important = near[i];
}

}  // namespace heddle::cli
