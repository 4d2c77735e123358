// What the pages do beyond links and forms. Without it they do the same, page by page.
"use strict";
document.documentElement.classList.add("scripted");

// get fetches a page or a piece of one, as elements.
async function get(address, signal) {
  const answer = await fetch(address, { signal });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!answer.ok) throw new Error(page.querySelector(".error p:not(.status)")?.textContent ?? answer.statusText);
  return page;
}

// Drift is looked for when its row is seen, a few at a time, and kept while the page is
// open.
const badges = new Map();
const waiting = [];
let asking = 0;

async function nextBadge() {
  const cell = waiting.shift();
  if (!cell) return;
  asking++;
  const address = cell.dataset.badge;
  try {
    const found = badges.get(address) ?? (await get(address)).querySelector(".chip");
    badges.set(address, found);
    cell.replaceChildren(found.cloneNode(true));
  } catch (e) {
    cell.firstElementChild.title = e.message;
  }
  asking--;
  nextBadge();
}

const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    seen.unobserve(entry.target);
    waiting.push(entry.target);
    if (asking < 2) nextBadge();
  }
});

function watchBadges() {
  for (const cell of document.querySelectorAll("[data-badge]")) seen.observe(cell);
}

// The index is filtered and sorted by the server; the table is replaced while one types.
let typing;
async function show(address) {
  typing?.abort();
  typing = new AbortController();
  try {
    const page = await get(address, typing.signal);
    for (const id of ["totals", "list"]) document.getElementById(id).replaceWith(page.getElementById(id));
    history.replaceState(null, "", address);
    watchBadges();
  } catch (e) {
    if (e.name !== "AbortError") location.assign(address);
  }
}

document.addEventListener("input", (event) => {
  const form = event.target.closest(".filter");
  if (!form) return;
  if (form.matches(".search")) return search(form);
  if (fixed) return filterRows(form);
  const asked = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value) asked.set(name, value);
  const sort = new URLSearchParams(location.search).get("sort"); // it may have changed since the form was made
  if (sort) asked.set("sort", sort);
  show(form.getAttribute("action") + "?" + asked);
});
document.addEventListener("submit", (event) => {
  if (event.target.matches(".filter")) event.preventDefault();
});
document.addEventListener("click", (event) => {
  const column = event.target.closest("#list thead a");
  if (!column || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(column.getAttribute("href"));
});

// Static pages have no server: the rows of the index are hidden and sorted here.
const fixed = document.documentElement.dataset.static !== undefined;
function filterRows(form) {
  const { name, health, language } = Object.fromEntries(new FormData(form));
  const words = name.toLowerCase().split(/\s+/).filter(Boolean);
  for (const row of document.querySelectorAll("#list tbody tr")) {
    const text = row.dataset.words.toLowerCase();
    row.hidden = !(words.every((w) => text.includes(w)) && (!health || row.dataset.health === health) && (!language || row.dataset.language === language));
  }
}
if (fixed) {
  for (const button of document.querySelectorAll("#list thead button")) {
    button.addEventListener("click", () => {
      const head = button.parentElement;
      const up = head.getAttribute("aria-sort") !== "ascending";
      for (const h of head.parentElement.children) h.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const at = head.cellIndex;
      const value = (row) => row.cells[at].textContent.trim();
      const number = (text) => (/^\d/.test(text) ? parseFloat(text) : NaN);
      const rows = [...document.querySelectorAll("#list tbody tr")];
      rows.sort((a, b) => {
        const [x, y] = [value(a), value(b)];
        const [n, m] = [number(x), number(y)];
        return (up ? 1 : -1) * (Number.isNaN(n) || Number.isNaN(m) ? x.localeCompare(y) : n - m);
      });
      rows[0]?.parentElement.append(...rows);
    });
  }
}

// The search looks for all words in the index of specs, requirements, scenarios and tests, which a script of its own holds.
function search(form) {
  const found = document.getElementById("found");
  const words = new FormData(form).get("q").toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return found.replaceChildren();
  const score = (e) => {
    const head = `${e.id ?? ""} ${e.title}`.toLowerCase();
    const all = `${head} ${e.spec} ${e.text ?? ""}`.toLowerCase();
    if (!words.every((w) => all.includes(w))) return 0;
    return 1 + words.filter((w) => head.includes(w)).length + (e.id ? 0 : 0.5);
  };
  const most = 100;
  const hits = window.specIndex.map((e) => [score(e), e]).filter(([n]) => n > 0).sort(([a], [b]) => b - a);
  const list = document.createElement("ol");
  list.className = "hits";
  for (const [, e] of hits.slice(0, most)) {
    const link = Object.assign(document.createElement("a"), { href: e.address });
    if (e.id) link.append(Object.assign(document.createElement("span"), { className: "id", textContent: e.id }), " ");
    link.append(e.title);
    const item = document.createElement("li");
    item.append(link);
    const rest = [e.id ? e.spec : "", e.text].filter(Boolean).join(" · ");
    if (rest) item.append(Object.assign(document.createElement("small"), { textContent: rest }));
    list.append(item);
  }
  const said = hits.length === 0 ? found.dataset.none : hits.length > most ? found.dataset.more : "";
  found.replaceChildren(list, Object.assign(document.createElement("p"), { className: "empty", textContent: said, hidden: !said }));
}
addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector("form.search");
  if (!form || !window.specIndex) return;
  const asked = new URLSearchParams(location.search).get("q");
  if (asked) form.elements.q.value = asked;
  search(form);
});

// A table of contents is in the way on a small screen.
if (matchMedia("(max-width: 60rem)").matches) {
  for (const contents of document.querySelectorAll(".contents")) contents.open = false;
}

// What takes long comes after the page.
async function fill(place) {
  try {
    const page = await get(place.dataset.fragment);
    place.replaceChildren(...page.body.childNodes);
    place.querySelectorAll(".map").forEach(makeMap);
  } catch (e) {
    place.textContent = e.message;
    place.classList.add("empty");
  }
}
for (const place of document.querySelectorAll("[data-fragment]")) fill(place);
document.querySelectorAll(".map").forEach(makeMap);

watchBadges();

// The lines around a place are shown while the pointer is on a link to it, or the keyboard is at it. Pages from disk may not read others.
const peek = document.createElement("div");
peek.className = "peek code";
peek.hidden = true;
document.body.append(peek);
const sources = new Map();
let looked; // the link
async function look(link) {
  looked = link;
  await new Promise((done) => setTimeout(done, 150));
  if (looked !== link) return;
  const address = link.href.split("#")[0];
  if (sources.size > 20) sources.clear();
  if (!sources.has(address)) sources.set(address, get(address));
  const page = await sources.get(address).catch(() => null);
  const rows = [...(page?.querySelectorAll(".file .code tr") ?? [])];
  const at = rows.findIndex((row) => "#" + row.id === link.hash);
  if (looked !== link || at < 0) return;
  const table = document.createElement("table");
  for (const row of rows.slice(Math.max(0, at - 4), at + 9)) {
    const line = document.importNode(row, true);
    line.removeAttribute("id");
    line.classList.toggle("asked", row === rows[at]);
    table.append(line);
  }
  peek.replaceChildren(table);
  peek.hidden = false;
  const box = link.getClientRects()[0];
  const below = box.bottom + peek.offsetHeight + 8 < innerHeight;
  peek.style.left = Math.max(8, Math.min(box.left, innerWidth - peek.offsetWidth - 8)) + "px";
  peek.style.top = Math.max(8, below ? box.bottom + 4 : box.top - peek.offsetHeight - 4) + "px";
}
function lookAway() {
  looked = null;
  peek.hidden = true;
}
if (location.protocol !== "file:") {
  const place = (e) => e.target.closest?.("main a.place[href*='#L']");
  document.addEventListener("pointerover", (e) => e.pointerType !== "touch" && place(e) && look(place(e)));
  document.addEventListener("pointerout", (e) => place(e) && lookAway());
  document.addEventListener("focusin", (e) => place(e)?.matches(":focus-visible") && look(place(e)));
  document.addEventListener("focusout", lookAway);
  document.addEventListener("scroll", lookAway, { passive: true });
  document.addEventListener("keydown", (e) => e.key === "Escape" && lookAway());
}

// A map is moved by dragging and by the arrow keys, and scaled by its buttons, + and -,
// a pinch, or the wheel with ctrl held: the wheel alone scrolls the page.
function makeMap(map) {
  const svg = map.querySelector("svg");
  const { x, y, width, height } = svg.viewBox.baseVal;
  const all = { x, y, width, height };
  let now = { ...all };
  const set = () => svg.setAttribute("viewBox", `${now.x} ${now.y} ${now.width} ${now.height}`);

  // unit is how much of the drawing one pixel of the screen is.
  const unit = () => Math.max(now.width / svg.clientWidth, now.height / svg.clientHeight);
  const fit = () => {
    // It is begun at a scale at which its words can be read and do not shout.
    const least = Math.max(all.width / svg.clientWidth, all.height / svg.clientHeight);
    now = { ...all };
    const u = least > 1.8 ? 1.2 : Math.max(least, 0.8);
    now.width = svg.clientWidth * u;
    now.height = svg.clientHeight * u;
    now.x = all.x + (all.width - now.width) / 2;
    now.y = all.y + (least > 1.8 ? 0 : (all.height - now.height) / 2);
    set();
  };
  const scale = (by, px = svg.clientWidth / 2, py = svg.clientHeight / 2) => {
    const box = svg.getBoundingClientRect();
    const u = unit();
    const left = now.x + now.width / 2 + (px - box.width / 2) * u;
    const top = now.y + now.height / 2 + (py - box.height / 2) * u;
    const f = Math.min(Math.max(u / by, 0.2), 40) / u;
    now = { x: left - (left - now.x) * f, y: top - (top - now.y) * f, width: now.width * f, height: now.height * f };
    set();
  };
  const move = (dx, dy) => {
    const u = unit();
    now.x -= dx * u;
    now.y -= dy * u;
    set();
  };

  const fingers = new Map();
  let moved = 0;
  svg.addEventListener("pointerdown", (e) => {
    if (e.button !== 0) return;
    fingers.set(e.pointerId, e);
    moved = 0;
  });
  addEventListener("pointermove", (e) => {
    const last = fingers.get(e.pointerId);
    if (!last) return;
    const others = [...fingers.values()].filter((f) => f.pointerId !== e.pointerId);
    if (others.length === 0) {
      move(e.clientX - last.clientX, e.clientY - last.clientY);
      moved += Math.abs(e.clientX - last.clientX) + Math.abs(e.clientY - last.clientY);
    } else {
      const apart = (f) => Math.hypot(f.clientX - others[0].clientX, f.clientY - others[0].clientY);
      const box = svg.getBoundingClientRect();
      scale(apart(e) / apart(last), (e.clientX + others[0].clientX) / 2 - box.x, (e.clientY + others[0].clientY) / 2 - box.y);
      moved = 100;
    }
    fingers.set(e.pointerId, e);
  });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, (e) => fingers.delete(e.pointerId));
  svg.addEventListener("dragstart", (e) => e.preventDefault());
  svg.addEventListener("click", (e) => {
    if (moved > 5) e.preventDefault(); // it was dragged by a link
  }, true);
  svg.addEventListener("wheel", (e) => {
    if (!e.ctrlKey && !e.metaKey) return;
    e.preventDefault();
    const box = svg.getBoundingClientRect();
    scale(Math.exp(-e.deltaY / 300), e.clientX - box.x, e.clientY - box.y);
  }, { passive: false });
  map.addEventListener("keydown", (e) => {
    const act = {
      ArrowLeft: () => move(60, 0), ArrowRight: () => move(-60, 0), ArrowUp: () => move(0, 60), ArrowDown: () => move(0, -60),
      "+": () => scale(1.25), "=": () => scale(1.25), "-": () => scale(0.8), 0: all_,
    }[e.key];
    if (!act || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    act();
  });
  function all_() {
    now = { ...all };
    set();
  }
  for (const button of map.querySelectorAll("[data-scale]")) {
    button.addEventListener("click", () => (Number(button.dataset.scale) ? scale(Number(button.dataset.scale)) : all_()));
  }

  // What a module rests on, and what rests on it, stands out while it is pointed at.
  const light = (box) => {
    map.classList.toggle("lit", box != null);
    for (const e of svg.querySelectorAll(".near")) e.classList.remove("near");
    if (!box) return;
    const name = [...box.classList].find((c) => /^n\d+$/.test(c));
    box.classList.add("near");
    for (const line of svg.querySelectorAll(`.from-${name}, .to-${name}`)) {
      line.classList.add("near");
      for (const c of line.classList) {
        const end = /^(?:from|to)-(n\d+)$/.exec(c);
        if (end) svg.querySelector(`.box.${end[1]}`).classList.add("near");
      }
    }
  };
  for (const box of svg.querySelectorAll(".box")) {
    box.addEventListener("pointerenter", () => light(box));
    box.addEventListener("pointerleave", () => light(null));
    box.closest("a")?.addEventListener("focus", () => light(box));
    box.closest("a")?.addEventListener("blur", () => light(null));
  }
  fit();
}
