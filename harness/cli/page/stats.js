// How the searches went. Several searches in one directory stand one after the other on the time axis.
const searches = JSON.parse(document.getElementById("data").textContent).searches;
const $ = (id) => document.getElementById(id);
function make(tag, className, text) {
  const out = document.createElement(tag);
  if (className) out.className = className;
  if (text !== undefined) out.textContent = text;
  return out;
}
function makeSvg(tag, attributes, text) {
  const out = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) out.setAttribute(name, value);
  if (text !== undefined) out.textContent = text;
  return out;
}
const grouped = (n) => Math.round(n).toLocaleString("en");
const short = (n) => (n >= 1e9 ? `${+(n / 1e9).toPrecision(3)} G` : n >= 1e6 ? `${+(n / 1e6).toPrecision(3)} M` : n >= 1e4 ? `${+(n / 1e3).toPrecision(3)} k` : `${+n.toPrecision(3)}`);
function duration(s) {
  if (s >= 3600) return `${Math.floor(s / 3600)} h ${Math.floor((s / 60) % 60)} min`;
  return s >= 60 ? `${Math.floor(s / 60)} min ${Math.floor(s % 60)} s` : `${s.toFixed(1)} s`;
}

// All points and findings on one axis.
const points = [], findings = [], borders = [];
let begin = 0, before = 0;
for (const search of searches) {
  if (begin > 0) borders.push(begin);
  search.points.forEach((p, i) => points.push({ ...p, first: i === 0, t: begin + p.t, executions: before + p.executions, rate: 0 }));
  for (const f of search.findings) findings.push({ ...f, t: begin + f.t });
  const last = search.points[search.points.length - 1];
  search.end = begin + last.t;
  begin += last.t;
  before += last.executions;
}
for (let i = 1; i < points.length; ++i) {
  const t = points[i].t - points[i - 1].t;
  points[i].rate = t > 0 ? Math.max(0, points[i].executions - points[i - 1].executions) / t : points[i - 1].rate;
}
if (points.length > 1) points[0].rate = points[1].rate;
const end = Math.max(begin, 1e-9), last = points[points.length - 1], lastSearch = searches[searches.length - 1];

const W = 1100, H = 210, LEFT = 62, RIGHT = 14, TOP = 18, BOTTOM = 22;
const xOf = (t) => LEFT + (t / end) * (W - LEFT - RIGHT);
// The next of 1, 2, 5, 10, ... that divides the range into at most five.
function stepFor(range) {
  const raw = range / 5, power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw);
}

// lines: [name, key, colour]
function chart(title, explanation, lines) {
  const figure = make("figure"), caption = make("figcaption", "", title), svg = makeSvg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img" });
  caption.append(make("span", "soft", explanation));
  const most = Math.max(1, ...points.map((p) => Math.max(...lines.map(([, key]) => p[key]))));
  const yOf = (value) => H - BOTTOM - (value / most) * (H - TOP - BOTTOM);
  for (let value = 0, step = stepFor(most); value <= most; value += step) {
    svg.append(makeSvg("line", { class: "grid", x1: LEFT, x2: W - RIGHT, y1: yOf(value), y2: yOf(value) }), makeSvg("text", { x: LEFT - 6, y: yOf(value) + 4, "text-anchor": "end" }, short(value)));
  }
  for (let t = 0, step = stepFor(end); t <= end; t += step) svg.append(makeSvg("text", { x: xOf(t), y: H - 6, "text-anchor": t === 0 ? "start" : "middle" }, duration(t)));
  for (const t of borders) svg.append(makeSvg("line", { class: "border", x1: xOf(t), x2: xOf(t), y1: TOP, y2: H - BOTTOM }));
  findings.forEach((f, n) => {
    const line = makeSvg("line", { class: "finding", x1: xOf(f.t), x2: xOf(f.t), y1: TOP - 4, y2: H - BOTTOM });
    line.append(makeSvg("title", {}, `${duration(f.t)}: ${f.kind} ${f.place}`));
    svg.append(line, makeSvg("text", { class: "found", x: xOf(f.t) + 3, y: TOP - 6 }, String(n + 1)));
  });
  for (const [, key, colour] of lines) {
    const path = points.map((p) => `${p.first ? "M" : "L"}${xOf(p.t).toFixed(1)},${yOf(p[key]).toFixed(1)}`).join(" ");
    const line = makeSvg("path", { class: "line", d: path });
    line.style.stroke = colour;
    svg.append(line);
  }
  const cursor = makeSvg("line", { class: "cursor", y1: TOP, y2: H - BOTTOM, x1: -9, x2: -9 });
  svg.append(cursor);
  svg.addEventListener("mousemove", (event) => {
    const box = svg.getBoundingClientRect(), x = ((event.clientX - box.left) / box.width) * W, t = ((x - LEFT) / (W - LEFT - RIGHT)) * end;
    const point = points.reduce((best, p) => (Math.abs(p.t - t) < Math.abs(best.t - t) ? p : best), points[0]);
    cursor.setAttribute("x1", xOf(point.t));
    cursor.setAttribute("x2", xOf(point.t));
    caption.lastChild.textContent = `${duration(point.t)}: ${lines.map(([name, key]) => `${grouped(point[key])} ${name}`).join(", ")}`;
  });
  svg.addEventListener("mouseleave", () => {
    cursor.setAttribute("x1", -9);
    cursor.setAttribute("x2", -9);
    caption.lastChild.textContent = explanation;
  });
  figure.append(caption, svg);
  $("charts").append(figure);
}

function tile(value, words, className) {
  const out = make("li", className);
  out.append(make("b", "", value), words);
  $("tiles").append(out);
}

$("target").textContent = lastSearch.target || "A search";
const dates = searches.filter((s) => s.begin > 0).map((s) => new Date(s.begin * 1000).toISOString().slice(0, 16).replace("T", " "));
$("when").textContent = [dates.length ? `${dates[0]} UTC` : "", searches.length > 1 ? `${searches.length} searches, the last at ${dates[dates.length - 1]} UTC` : "",
  `${lastSearch.jobs} process${lastSearch.jobs === 1 ? "" : "es"}`].filter((text) => text).join(" · ");
tile(duration(begin), "of search");
tile(grouped(last.executions), "executions");
tile(grouped(last.executions / end), "executions a second");
const knowsOrders = points.some((p) => p.orders > 0);  // AFL++ does not
if (knowsOrders) tile(grouped(last.orders), "different orders");
if (knowsOrders) tile(last.pairs ? `${grouped(last.both_ways)} of ${grouped(last.pairs)}` : "none", last.pairs ? "racing pairs in both orders" : "racing pairs seen");
tile(grouped(findings.length), `finding${findings.length === 1 ? "" : "s"}`, findings.length ? "bad" : "");
tile(duration(Math.max(0, lastSearch.points[lastSearch.points.length - 1].t - lastSearch.news)), "since the last news");

if (knowsOrders) chart("Different orders", "of the process that has seen most of them. A flat line: the search repeats itself", [["different orders", "orders", "var(--c0)"]]);
if (points.some((p) => p.pairs > 0)) chart("Racing pairs", "pairs of code positions that race; the lower line: tried in both orders", [["pairs", "pairs", "var(--c7)"], ["in both orders", "both_ways", "var(--c2)"]]);
chart("Executions", "of all processes", [["executions", "executions", "var(--c3)"]]);
chart("Speed", "executions a second", [["executions a second", "rate", "var(--c1)"]]);

if (findings.length === 0) {
  $("findings").append(make("p", "soft", "none"));
} else {
  const table = make("table"), head = make("tr");
  head.append(...["", "after", "finding", "place", "signature"].map((text) => make("th", "", text)));
  table.append(head);
  findings.forEach((f, n) => {
    const row = make("tr");
    row.append(make("td", "", String(n + 1)), make("td", "", duration(f.t)), make("td", "", f.kind), make("td", "mono", f.place), make("td", "mono", f.signature));
    table.append(row);
  });
  $("findings").append(table);
}
