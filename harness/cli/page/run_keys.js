// What the user does: choose, search, fold, scroll.
function reveal(i) {
  const at = position[i];
  if (view[at] < 0) {
    state.open.add(-1 - view[at]);
    buildView();
    layOut();
  }
  const top = position[i] * ROW, h = scroll.clientHeight;
  if (top < scroll.scrollTop + 2 * ROW || top > scroll.scrollTop + h - 3 * ROW) scroll.scrollTop = Math.max(0, top - h / 2);
  const x = laneX(thread(i));
  if (x < scroll.scrollLeft + LEFT) scroll.scrollLeft = Math.max(0, x - LEFT - 60);
  else if (x > scroll.scrollLeft + scroll.clientWidth - 200) scroll.scrollLeft = x - scroll.clientWidth + 320;
}
function choose(i) {
  if (i < 0 || i >= count) return;
  state.chosen = i;
  reveal(i);
  repaint();
  scroll.setAttribute("aria-activedescendant", `row-${i}`);
  history.replaceState(null, "", `#${i}`);
  showDetail();
}
function move(by) {
  let at = state.chosen < 0 ? 0 : position[state.chosen] + by;
  while (at >= 0 && at < view.length && view[at] < 0) at += by;
  if (at >= 0 && at < view.length) choose(view[at]);
}
function moveInThread(by) {
  const t = state.chosen < 0 ? 0 : thread(state.chosen);
  for (let i = state.chosen + by; i >= 0 && i < count; i += by) if (thread(i) === t) return choose(i);
}
function setFolded(folded) {
  state.folded = folded && foldable;
  state.open.clear();
  buildView();
  showFold();
  redraw();
  if (state.chosen >= 0) choose(state.chosen);
}
function runSearch() {
  search($("search").value);
  const n = state.hits.length;
  $("hits").textContent = state.query === "" ? "" : n === 0 ? "no hit" : `${n} hit${n === 1 ? "" : "s"}`;
  redraw();
}
const nextHit = (direction) => choose(neighbour(state.hits, state.chosen, direction));
const nextMarked = (direction) => choose(neighbour(markedRows, state.chosen, direction));

const KEYS = {
  j: () => move(1), ArrowDown: () => move(1), k: () => move(-1), ArrowUp: () => move(-1),
  l: () => moveInThread(1), h: () => moveInThread(-1),
  f: () => nextMarked(1), F: () => nextMarked(-1), n: () => nextHit(1), N: () => nextHit(-1),
  w: () => state.chosen >= 0 && choose(partner(state.chosen)),
  g: () => choose(0), G: () => choose(count - 1), Home: () => choose(0), End: () => choose(count - 1),
  a: () => setFolded(!state.folded), "?": () => $("keys").showModal(),
  "/": () => { $("search").focus(); $("search").select(); },
};

function start() {
  prepare();
  state.folded = foldable;
  buildView();
  showTop();
  scroll.addEventListener("scroll", drawSoon, { passive: true });
  new ResizeObserver(() => redraw()).observe(scroll);
  rowsBox.addEventListener("click", (event) => {
    const row = event.target.closest(".row");
    if (!row) return;
    if (row.dataset.gap !== undefined) {
      state.open.add(Number(row.dataset.gap));
      buildView();
      redraw();
    } else {
      choose(Number(row.dataset.row));
    }
  });
  $("map").addEventListener("click", (event) => {
    scroll.scrollTop = event.offsetY / $("map").clientHeight * view.length * ROW - scroll.clientHeight / 2;
  });
  $("fold").onclick = () => setFolded(!state.folded);
  $("marked").onclick = () => nextMarked(1);
  $("help").onclick = () => $("keys").showModal();
  $("search").addEventListener("input", runSearch);
  $("search").addEventListener("keydown", (event) => {
    if (event.key === "Enter") nextHit(event.shiftKey ? -1 : 1);
    if (event.key === "Escape") scroll.focus();
  });
  document.addEventListener("keydown", (event) => {
    const key = KEYS[event.key];
    if (!key || event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "INPUT" || $("keys").open) return;
    event.preventDefault();
    key();
  });
  window.addEventListener("beforeprint", fillPrint);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  redraw();
  // First what failed: the finding's row, or the last one that explains it.
  const linked = /^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : -1;
  const here = [...Array(Math.min(count, 50)).keys()].map((k) => count - 1 - k).find((i) => is(i, HERE));
  choose(linked >= 0 && linked < count ? linked : here ?? markedRows[markedRows.length - 1] ?? 0);
  scroll.focus({ preventScroll: true });
}
