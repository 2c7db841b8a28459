// The data of the page, and which of its rows are in view. The flags are those of harness/cli/run_page.cc.
const data = JSON.parse(document.getElementById("data").textContent);
const MARKED = 1, UNFINISHED = 2, HERE = 4, IMPORTANT = 8, WAITED = 16, CONSTRAINED = 32, DROPPED = 64, DELAYED = 128, STALE = 256, NO_OPERATION = 512;
const ARROWS = ["reads", "lock", "message", "thread", "waits", "changes", "conflict"];
const ARROW_WORDS = {
  reads: "reads what another thread wrote", lock: "takes a lock that another thread gave back", message: "notification or message",
  thread: "thread created or joined", waits: "waits for the thread that took the lock", changes: "another thread changes what this one has read",
  conflict: "the other access",
};

const count = data.rows.length;
const thread = (i) => data.rows[i][0];
const step = (i) => data.rows[i][1];
const words = (i) => data.words[data.rows[i][2]];
const placeOf = (i) => data.places[data.rows[i][3]];  // [file, line, column, function, short]
const objectOf = (i) => data.objects[data.rows[i][4]];  // [name, origin]
const is = (i, flag) => (data.rows[i][5] & flag) !== 0;
const partner = (i) => data.rows[i][6];
const values = (i) => (data.rows[i].length > 7 ? data.words[data.rows[i][7]] : "");
const threadName = (t) => data.threads[t][0];
const blocked = (i) => is(i, UNFINISHED) && data.threads[thread(i)][1] === 1;

// What a row says before and after its words.
function sentence(i) {
  const before = is(i, HERE) ? "HERE: " : blocked(i) ? "BLOCKED: " : is(i, UNFINISHED) ? "next: " : "";
  return before + words(i);
}
function notes(i) {
  const out = [];
  if (is(i, WAITED)) out.push("after waiting");
  if (is(i, STALE)) out.push("stale: not the newest value");
  if (is(i, DROPPED)) out.push("constraint dropped");
  if (is(i, CONSTRAINED)) out.push("constrained");
  if (is(i, DELAYED)) out.push("delayed");
  return out;
}

const FOLD_FROM = 60;  // rows
const state = { chosen: -1, folded: false, open: new Set(), query: "", hits: [], isHit: new Set() };
let view = [];                           // a row's index; or -1 - the first row of a gap
let gapEnd = new Map();                  // first row of a gap -> its last row
const position = new Int32Array(count);  // row -> index in the view
const foldable = count > FOLD_FROM && data.rows.some((row) => (row[5] & IMPORTANT) !== 0);

function buildView() {
  view = [];
  gapEnd = new Map();
  for (let i = 0; i < count; ++i) {
    let last = i;
    if (state.folded && !is(i, IMPORTANT)) {
      while (last + 1 < count && !is(last + 1, IMPORTANT)) ++last;
    }
    if (last - i >= 2 && !state.open.has(i)) {
      gapEnd.set(i, last);
      for (let k = i; k <= last; ++k) position[k] = view.length;
      view.push(-1 - i);
    } else {
      for (let k = i; k <= last; ++k) {
        position[k] = view.length;
        view.push(k);
      }
    }
    i = last;
  }
}

// Which of a thread's bars stand beside each other, and from where to where a thread lives.
const SLOTS = 3;
const lockSlot = new Uint8Array(data.locks.length);
const lifeBegin = new Int32Array(data.threads.length).fill(-1), lifeEnd = new Int32Array(data.threads.length).fill(-1);
function prepare() {
  const busy = data.threads.map(() => []);
  data.locks.forEach(([t, , from, to], n) => {
    let slot = 0;
    while (slot < SLOTS - 1 && busy[t][slot] !== undefined && busy[t][slot] >= from) ++slot;
    busy[t][slot] = to;
    lockSlot[n] = slot;
  });
  for (let i = 0; i < count; ++i) {
    const t = thread(i);
    if (lifeBegin[t] < 0) lifeBegin[t] = i;
    lifeEnd[t] = i;
    if (t === data.threads.length - 1) lastLane = Math.max(lastLane, Math.min(700, 60 + 7.7 * (sentence(i).length + placeOf(i)[4].length + notes(i).join(", ").length + 6)));
  }
}

let lowered = null;
function search(query) {
  state.query = query.trim().toLowerCase();
  state.hits = [];
  if (state.query !== "") {
    lowered = lowered || data.words.map((text) => text.toLowerCase());
    const placeHit = data.places.map((p) => `${p[4]} ${p[3]}`.toLowerCase().includes(state.query));
    const threadHit = data.threads.map((t) => t[0].toLowerCase() === state.query);
    for (let i = 0; i < count; ++i) {
      if (lowered[data.rows[i][2]].includes(state.query) || placeHit[data.rows[i][3]] || threadHit[thread(i)]) state.hits.push(i);
    }
  }
  state.isHit = new Set(state.hits);
}

// The next element of an ascending list after a row, or before it; the list is a circle.
function neighbour(list, from, direction) {
  if (list.length === 0) return -1;
  if (direction > 0) return list.find((i) => i > from) ?? list[0];
  for (let k = list.length - 1; k >= 0; --k) if (list[k] < from) return list[k];
  return list[list.length - 1];
}
const markedRows = [];
for (let i = 0; i < count; ++i) if (is(i, MARKED)) markedRows.push(i);
