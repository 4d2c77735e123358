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
  const asked = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value) asked.set(name, value);
  const sort = new URLSearchParams(location.search).get("sort"); // it may have changed since the form was made
  if (sort) asked.set("sort", sort);
  show("/?" + asked);
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

// A table of contents is in the way on a small screen.
if (matchMedia("(max-width: 60rem)").matches) {
  for (const contents of document.querySelectorAll(".contents")) contents.open = false;
}

// What takes long comes after the page.
async function fill(place) {
  try {
    const page = await get(place.dataset.fragment);
    place.replaceChildren(...page.body.childNodes);
  } catch (e) {
    place.textContent = e.message;
    place.classList.add("empty");
  }
}
for (const place of document.querySelectorAll("[data-fragment]")) fill(place);

watchBadges();
