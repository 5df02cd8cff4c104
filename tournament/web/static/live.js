// The part of a page that changes while a tournament is played: fetched anew whenever the server tells of results.

import { makeSortable } from "./sorting.js";

const part = document.getElementById("live");
const said = document.getElementById("said");
let busy = false;
let again = false;

makeSortable(part);
const source = new EventSource(part.dataset.events);
let first = true;
source.addEventListener("results", (event) => {
  // The first event tells what the page shows already, unless results came while it was on its way.
  if (first) {
    first = false;
    return renew();
  }
  const { finished } = JSON.parse(event.data);
  if (finished) said.textContent = "The tournament is finished.";
  return renew();
});

async function renew() {
  if (busy) {
    again = true;
    return;
  }
  busy = true;
  try {
    const answer = await fetch(part.dataset.page);
    if (answer.ok) show(await answer.text());
  } catch {
    // The server is away: the events begin anew when it is back.
  } finally {
    busy = false;
  }
  if (again) {
    again = false;
    setTimeout(renew, 500);
  }
}

function show(text) {
  const drawn = new DOMParser().parseFromString(text, "text/html").body;
  if (drawn.innerHTML === part.dataset.shown) return;
  part.dataset.shown = drawn.innerHTML;
  const focus = place(document.activeElement);
  const scrolled = [...part.querySelectorAll(".scroll")].map((box) => box.scrollLeft);
  part.replaceChildren(...drawn.childNodes);
  makeSortable(part);
  [...part.querySelectorAll(".scroll")].forEach((box, number) => (box.scrollLeft = scrolled[number] ?? 0));
  focus?.();
}

// Return what puts the focus back on the element that stands where the focused one stood.
function place(element) {
  if (!part.contains(element) || element === part) return null;
  const same = (root) => [...root.querySelectorAll("a, button, [tabindex]")];
  const number = same(part).indexOf(element);
  return number < 0 ? null : () => same(part)[number]?.focus({ preventScroll: true });
}
