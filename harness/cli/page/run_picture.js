// The picture: only the rows that can be seen are elements of the page.
const ROW = 24, LEFT = 58, LANE = 44, OVERSCAN = 12, MOST_ARROWS = 300;
const $ = (id) => document.getElementById(id);
const scroll = $("scroll"), lines = $("lines"), rowsBox = $("rows");
let laneWidth = 200, lastLane = 260;
const laneX = (t) => LEFT + t * laneWidth + LANE - 10;  // of a thread's line
const drawn = new Map();  // index in the view -> element

function make(tag, className, text) {
  const out = document.createElement(tag);
  if (className) out.className = className;
  if (text !== undefined) out.textContent = text;
  return out;
}
function makeSvg(tag, attributes) {
  const out = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) out.setAttribute(name, value);
  return out;
}

function rowClass(i) {
  return "row" + (is(i, MARKED) ? " marked" : "") + (is(i, HERE) ? " here" : "") + (blocked(i) ? " blocked" : "") +
    (state.isHit.has(i) ? " hit" : "") + (state.chosen === i ? " chosen" : "");
}

function makeRow(at) {
  const item = view[at];
  if (item < 0) {
    const first = -1 - item, n = gapEnd.get(first) - first + 1;
    const out = make("div", "row gap");
    out.append(make("span", "step", "…"), make("span", "op", `${n} operations (click to show them)`));
    out.querySelector(".op").style.left = `${LEFT}px`;
    out.dataset.gap = first;
    return out;
  }
  const out = make("div", rowClass(item)), op = make("span", "op");
  out.dataset.row = item;
  out.id = `row-${item}`;
  out.setAttribute("role", "option");
  out.setAttribute("aria-selected", state.chosen === item);
  out.setAttribute("aria-label", `${step(item) ? `step ${step(item)}, ` : ""}${threadName(thread(item))}: ${sentence(item)}, ${placeOf(item)[4]}`);
  out.title = [sentence(item), values(item), objectOf(item)[1], placeOf(item)[4]].filter((text) => text).join("\n");
  op.style.left = `${laneX(thread(item)) + 8}px`;
  op.append(make("span", "words mono", (is(item, MARKED) && !is(item, HERE) ? "★ " : "") + sentence(item)), make("span", "place", placeOf(item)[4]));
  const more = notes(item).join(", ");
  if (more) op.append(make("span", "note", more));
  out.append(make("span", "step", step(item) || ""), op);
  return out;
}

function drawRows(first, last) {
  for (const [at, element] of drawn) {
    if (at >= first && at <= last) continue;
    element.remove();
    drawn.delete(at);
  }
  for (let at = first; at <= last; ++at) {
    if (drawn.has(at)) continue;
    const element = makeRow(at);
    element.style.top = `${at * ROW}px`;
    drawn.set(at, element);
    rowsBox.append(element);
  }
}

const ARROW_COLOURS = { reads: "var(--c0)", lock: "var(--c2)", message: "var(--c3)", thread: "var(--soft)", waits: "var(--fail-ink)", changes: "var(--c1)", conflict: "var(--fail-ink)" };
const ARROW_DASHES = { reads: "", lock: "5 3", message: "8 3", thread: "2 4", waits: "6 3", changes: "3 3", conflict: "" };
const colour = (object) => `var(--c${object % 8})`;
const middle = (at, first) => (at - first) * ROW + ROW / 2;

function drawBands(out, first, last) {
  const width = $("space").clientWidth;
  for (let at = first; at <= last; ++at) {
    const i = view[at];
    if (i < 0) continue;
    const y = (at - first) * ROW + 1, band = (name) => out.append(makeSvg("rect", { class: `band ${name}`, x: 0, y, width, height: ROW - 2 }));
    if (is(i, HERE) || (blocked(i) && is(i, MARKED))) band("bad");
    else if (is(i, MARKED)) band("marked");
    else if (i === state.chosen) band("chosen");
  }
}

function drawLives(out, first, last) {
  for (let t = 0; t < data.threads.length; ++t) {
    if (lifeBegin[t] < 0 || !laneVisible(t)) continue;
    const from = Math.max(position[lifeBegin[t]], first - 1), to = Math.min(position[lifeEnd[t]], last + 1);
    if (to >= from) out.append(makeSvg("line", { class: "life", x1: laneX(t), x2: laneX(t), y1: middle(from, first), y2: middle(to, first) }));
  }
}

function drawLocks(out, first, last) {
  data.locks.forEach(([t, object, from, to, flags], n) => {
    const begin = position[from], end = position[to];
    if (end < first || begin > last || !laneVisible(t) || (begin === end && view[begin] < 0)) return;
    const y1 = middle(Math.max(begin, first - 1), first) - (begin < first - 1 ? 0 : 7), y2 = middle(Math.min(end, last + 1), first) + 7;
    const x = laneX(t) - 34 + lockSlot[n] * 10;
    const bar = makeSvg("rect", { x, y: y1, width: 9, height: Math.max(y2 - y1, 8), rx: 3, fill: colour(object), "fill-opacity": flags & 1 ? 0.25 : 0.6,
      stroke: colour(object) });
    out.append(bar);
    if (y2 - y1 < 40) return;
    const text = makeSvg("text", { transform: `translate(${x + 2} ${y1 + 5}) rotate(90)`, fill: "var(--ink)" });
    text.textContent = `${data.objects[object][0]} held`.slice(0, Math.floor((y2 - y1 - 8) / 5));
    out.append(text);
  });
}

function drawArrow(out, from, to, kind, strong, first, last) {
  const clamp = (at) => Math.min(Math.max(at, first - 2), last + 2);
  const x1 = laneX(thread(from)), x2 = laneX(thread(to)), y1 = middle(clamp(position[from]), first), y2 = middle(clamp(position[to]), first);
  const side = x2 > x1 ? 1 : -1, endX = x2 - side * 6, bend = Math.min(Math.abs(x2 - x1) / 2, 60) * side;
  const className = kind + (strong ? " strong" : "");
  out.append(makeSvg("path", { class: className, d: `M${x1 + side * 4},${y1} C${x1 + bend},${y1} ${endX - bend},${y2} ${endX - side * 4},${y2}` }));
  const head = makeSvg("path", { class: "head", d: `M${endX + side},${y2} l${-side * 9},-4.5 l0,9 z` });
  head.style.fill = ARROW_COLOURS[kind];
  out.append(head);
}

function drawArrows(out, first, last) {
  let room = MOST_ARROWS;
  for (const strongOnes of [true, false]) {
    for (const [from, to, number] of data.links) {
      const a = position[from], b = position[to], chosen = state.chosen === from || state.chosen === to;
      const strong = chosen || (is(from, MARKED) && is(to, MARKED)) || ARROWS[number] === "waits";
      if (strong !== strongOnes || a === b || Math.max(a, b) < first || Math.min(a, b) > last) continue;
      if (!strong && (Math.min(a, b) < first - 40 || Math.max(a, b) > last + 40)) continue;  // a long way: only when it matters
      if (view[a] < 0 || view[b] < 0 || room-- <= 0) continue;
      drawArrow(out, from, to, ARROWS[number], strong, first, last);
    }
  }
}

function drawDots(out, first, last) {
  for (let at = first; at <= last; ++at) {
    const i = view[at];
    if (i < 0) continue;
    const className = is(i, HERE) ? "dot here" : blocked(i) ? "dot blocked" : is(i, MARKED) ? "dot marked" : "dot";
    out.append(makeSvg("circle", { class: className, cx: laneX(thread(i)), cy: middle(at, first), r: is(i, MARKED) ? 5 : 3.5 }));
  }
}

function laneVisible(t) {
  const x = LEFT + t * laneWidth;
  return x + laneWidth >= scroll.scrollLeft && x <= scroll.scrollLeft + scroll.clientWidth;
}

function drawColumns() {
  const out = [];
  for (let t = 0; t < data.threads.length; ++t) {
    if (!laneVisible(t)) continue;
    const name = make("span", data.threads[t][1] ? "blocked" : "", threadName(t));
    name.style.left = `${LEFT + t * laneWidth + LANE - 14 - scroll.scrollLeft}px`;
    name.style.maxWidth = `${laneWidth - 6}px`;
    out.push(name);
  }
  $("columns").replaceChildren(...out);
}

let waiting = false;
function draw() {
  waiting = false;
  const first = Math.max(0, Math.floor(scroll.scrollTop / ROW) - OVERSCAN);
  const last = Math.min(view.length - 1, Math.ceil((scroll.scrollTop + scroll.clientHeight) / ROW) + OVERSCAN);
  drawRows(first, last);
  const out = document.createDocumentFragment();
  drawBands(out, first, last);
  drawLives(out, first, last);
  drawLocks(out, first, last);
  drawArrows(out, first, last);
  drawDots(out, first, last);
  lines.replaceChildren(out);
  lines.style.top = `${first * ROW}px`;
  lines.setAttribute("width", $("space").clientWidth);
  lines.setAttribute("height", Math.max(1, (last - first + 1) * ROW));
  drawColumns();
  drawMap();
}
function drawSoon() {
  if (!waiting) requestAnimationFrame(draw);
  waiting = true;
}
// After a change of rows: what they look like.
function repaint() {
  drawn.forEach((element) => element.remove());
  drawn.clear();
  draw();
}
// After a change of the view or of its size.
function layOut() {
  mapPicture = null;
  const space = $("space");
  const lanes = data.threads.length - 1;  // and the last one, which needs room for its text
  laneWidth = Math.min(420, Math.max(120, Math.floor((scroll.clientWidth - LEFT - lastLane) / Math.max(1, lanes))));
  space.style.height = `${view.length * ROW + 8}px`;
  space.style.width = `${LEFT + lanes * laneWidth + lastLane}px`;
}
function redraw() {
  layOut();
  repaint();
}
