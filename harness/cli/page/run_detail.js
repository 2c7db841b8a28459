// The chosen operation in words, its source, the map of the whole run, and what is printed on paper.
function fact(list, name, ...content) {
  const dd = make("dd");
  dd.append(...content);
  list.append(make("dt", "", name), dd);
}
function jump(i) {
  const out = make("button", "", `${threadName(thread(i))}: ${sentence(i)}${step(i) ? ` (step ${step(i)})` : ""}`);
  out.onclick = () => choose(i);
  return out;
}

function heldAt(i) {
  return data.locks.filter(([t, , from, to]) => t === thread(i) && from <= i && i <= to).map(([, object]) => data.objects[object][0]);
}

function showDetail() {
  const box = $("detail"), i = state.chosen;
  if (i < 0) return box.replaceChildren();
  const list = make("dl"), place = placeOf(i), object = objectOf(i);
  fact(list, "thread", threadName(thread(i)));
  if (step(i)) fact(list, "step", String(step(i)));
  fact(list, "where", place[3] ? `${place[4]} in ${place[3]}` : place[4] || "not known");
  if (values(i)) fact(list, "values", values(i));
  if (object[0]) fact(list, "object", object[1] ? `${object[0]}: ${object[1]}` : object[0]);
  if (is(i, MARKED)) fact(list, "★", "explains the finding");
  if (notes(i).length) fact(list, "note", notes(i).join(", "));
  if (partner(i) >= 0) fact(list, "comes from", jump(partner(i)));
  const to = data.links.filter(([from]) => from === i).slice(0, 6);
  for (const [, row, kind] of to) fact(list, { waits: "waits for", changes: "changed by", reads: "read by", conflict: "conflicts with" }[ARROWS[kind]] ?? "leads to", jump(row));
  const held = heldAt(i);
  if (held.length) fact(list, "holds", [...new Set(held)].join(", "));
  box.replaceChildren(make("h2", "mono", sentence(i)), list);
  showSource(place);
}

let shownPart = null;
function showSource(place) {
  const box = $("source"), [file, line] = place;
  const part = file >= 0 ? data.files[file].parts.find(([first, text]) => line >= first && line < first + text.length) : undefined;
  if (!part) {
    shownPart = null;
    box.replaceChildren(...(file >= 0 ? [make("div", "file", `${data.files[file].path}:${line}`), make("p", "soft", "Its lines are not in this page: the file was not there when the page was made, or --no-source was given.")] : []));
    return;
  }
  if (shownPart !== part) box.replaceChildren(make("div", "file mono", data.files[file].path), codeOf(file, part));
  shownPart = part;
  const code = box.querySelector(".code");
  code.querySelector(".chosen")?.classList.remove("chosen");
  const shown = code.querySelectorAll("tr")[line - part[0]];
  shown.classList.add("chosen");
  code.scrollTop = Math.max(0, shown.offsetTop - code.clientHeight / 2);
}

// With the threads whose marked rows are there.
function codeOf(file, [first, text]) {
  const who = new Map();
  for (const i of markedRows) {
    const [ofFile, line] = placeOf(i);
    if (ofFile === file) who.set(line, (who.get(line) ?? new Set()).add(threadName(thread(i))));
  }
  const code = make("div", "code"), table = make("table");
  text.forEach((lineText, k) => {
    const names = who.get(first + k), row = make("tr", names ? "marked" : "");
    row.append(make("td", "number mono", String(first + k)), make("td", "who", !names ? "" : names.size === 1 ? `★ ${[...names][0]}` : `★ ${names.size} threads`), make("td", "mono", lineText));
    if (names) row.title = `explains the finding: ${[...names].join(", ")}`;
    table.append(row);
  });
  code.append(table);
  return code;
}

function drawMap() {
  const map = $("map");
  map.hidden = view.length * ROW <= scroll.clientHeight;
  if (map.hidden) return;
  const w = map.clientWidth, h = map.clientHeight, scale = h / view.length;
  if (mapPicture === null) mapPicture = mapOfRows(w, h, scale);
  if (map.width !== mapPicture.width || map.height !== mapPicture.height) [map.width, map.height] = [mapPicture.width, mapPicture.height];
  const c = map.getContext("2d");
  c.setTransform(1, 0, 0, 1, 0, 0);
  c.clearRect(0, 0, map.width, map.height);
  c.drawImage(mapPicture, 0, 0);
  c.scale(map.width / w, map.height / h);
  c.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--ink");
  c.strokeRect(0.5, scroll.scrollTop / ROW * scale + 0.5, w - 1, Math.max(4, scroll.clientHeight / ROW * scale) - 1);
}

// All rows in a few pixels. It is made again when the view changes.
let mapPicture = null;
function mapOfRows(w, h, scale) {
  const dots = devicePixelRatio || 1, style = getComputedStyle(document.documentElement), paint = (name) => style.getPropertyValue(name);
  const picture = make("canvas");
  [picture.width, picture.height] = [Math.max(1, w * dots), Math.max(1, h * dots)];
  const c = picture.getContext("2d");
  c.scale(dots, dots);
  const stroke = (i, colour, x, width, least) => {
    c.fillStyle = colour;
    c.fillRect(x, position[i] * scale, width, Math.max(least, scale * 0.7));
  };
  const lane = (w - 4) / data.threads.length, every = Math.max(1, Math.floor(count / 4000));
  for (let i = 0; i < count; i += every) stroke(i, paint("--c7"), 2 + thread(i) * lane, Math.max(1, lane - 1), 1);
  for (const i of state.hits.slice(0, 2000)) stroke(i, paint("--link"), 0, w, 1.5);
  for (const i of markedRows) stroke(i, paint("--mark-ink"), 0, w, 2);
  for (let i = Math.max(0, count - 1); i >= 0 && is(i, HERE | UNFINISHED); --i) stroke(i, paint("--fail-ink"), 0, w, 2);
  return picture;
}

function showTop() {
  const fold = $("fold");
  $("kind").textContent = data.kind || "No finding";
  $("kind").className = data.kind ? "" : "none";
  const facts = [data.place.replace(/^[^:]*\//, ""), `${data.operations} operation${data.operations === 1 ? "" : "s"}`, `${data.threads.length} thread${data.threads.length === 1 ? "" : "s"}`];
  if (data.preemptions >= 0) facts.push(`${data.preemptions} preemption${data.preemptions === 1 ? "" : "s"}`);
  if (data.left_out) facts.push(`the first ${data.left_out} operations are left out`);
  facts.push([data.target, data.file].filter((text) => text).join(" "));
  $("facts").textContent = facts.filter((text) => text).join(" · ");
  $("what").textContent = data.what;
  $("what").hidden = !data.what;
  $("report").hidden = !data.report;
  $("report").querySelector("pre").textContent = data.report;
  fold.hidden = !foldable;
  $("marked").hidden = markedRows.length === 0;
  showFold();
  const legend = [];
  const sample = (draw, text) => {
    const picture = makeSvg("svg", { width: 34, height: 14 });
    picture.append(draw);
    legend.push(picture, text);
  };
  for (const kind of new Set(data.links.map((link) => ARROWS[link[2]]))) {
    const line = makeSvg("line", { x1: 1, x2: 33, y1: 7, y2: 7, "stroke-width": 2.2 });
    line.style.stroke = ARROW_COLOURS[kind];
    line.setAttribute("stroke-dasharray", ARROW_DASHES[kind]);
    sample(line, ARROW_WORDS[kind]);
  }
  if (data.locks.length) sample(makeSvg("rect", { x: 12, y: 0, width: 9, height: 14, rx: 3, fill: "var(--c2)", "fill-opacity": 0.6 }), "holds a lock");
  if (markedRows.length) legend.push(" \u2003★ explains the finding");
  $("legend").replaceChildren(...legend);
}
function showFold() {
  $("fold").textContent = state.folded ? "Show all operations" : "Only what matters for the finding";
  $("fold").setAttribute("aria-pressed", state.folded);
}

// On paper, the rows that matter as sentences.
function fillPrint() {
  const rows = markedRows.length || foldable ? [...Array(count).keys()].filter((i) => is(i, IMPORTANT)) : [...Array(Math.min(count, 2000)).keys()];
  const table = make("table"), head = make("tr");
  head.append(...["step", "thread", "operation", "where"].map((text) => make("th", "", text)));
  table.append(head);
  for (const i of rows) {
    const row = make("tr");
    row.append(make("td", "", step(i) || ""), make("td", "", threadName(thread(i))),
      make("td", "", [(is(i, MARKED) ? "★ " : "") + sentence(i), ...notes(i)].join(", ")), make("td", "", placeOf(i)[4]));
    table.append(row);
  }
  $("print").replaceChildren(table, make("p", "", markedRows.length ? "★ explains the finding." : ""));
}
