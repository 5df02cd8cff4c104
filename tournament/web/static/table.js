// The table of a match, drawn from a frame: its zones, counters and events. Nothing here knows a game.

import { back, face } from "./cards.js";

const MOST_BACKS = 20; // More cards face-down than that lie on a heap.

export class Table {
  // `eyes` is whose frames are drawn: that seat sits at the bottom.
  constructor(root, seats) {
    this.root = root;
    this.seats = seats;
  }

  // `before` is the frame of the step before, if there is one: cards that have come from elsewhere are marked.
  draw(frame, eyes, before) {
    this.places = new Map();
    for (const zone of frame.deal ? [] : (before?.zones ?? [])) {
      for (const card of zone.cards) this.places.set(card, key(zone));
    }
    const bottom = /^\d+$/.test(eyes) ? Number(eyes) : 0;
    const order = this.seats.map((_, number) => (bottom + 1 + number) % this.seats.length);
    const own = order.pop();
    const opposite = element("div", "opposite");
    opposite.append(...order.map((seat) => this.seat(frame, seat)));
    this.root.replaceChildren(opposite, this.middle(frame), this.seat(frame, own));
    // The table does not shrink, so that nothing below it jumps while the match plays.
    this.height = Math.max(this.height ?? 0, this.root.offsetHeight);
    this.root.style.minHeight = `${this.height}px`;
  }

  seat(frame, seat) {
    const place = element("section", "seat");
    place.dataset.seat = seat;
    const { bot, version } = this.seats[seat];
    place.setAttribute("aria-label", `Seat ${seat}, ${bot} ${version}`);
    const head = element("div", "seat-head");
    head.append(element("span", "seat-number", `${seat}`), element("b", "", bot), element("span", "version", ` ${version}`));
    if (frame.to_act.includes(seat)) {
      place.classList.add("to-act");
      head.append(element("span", "turn", "▸ to act"));
    }
    const action = frame.actions.find((each) => each.seat === seat);
    if (action) head.append(this.action(action));
    place.append(head, this.zones(frame.zones.filter((zone) => zone.owner === seat)));
    if (action?.comment) place.append(element("q", "comment", action.comment));
    return place;
  }

  action({ action, substituted, used_time }) {
    const shown = element("span", "action");
    if (action !== null) shown.append(element("span", "notation", action));
    if (substituted) {
      shown.classList.add("substituted");
      shown.append(element("span", "reason", `! ${substituted}: the default stands in`));
    }
    if (used_time !== null) shown.append(element("span", "time", duration(used_time)));
    return shown;
  }

  middle(frame) {
    const middle = element("section", "middle");
    middle.setAttribute("aria-label", "The middle of the table");
    middle.append(this.zones(frame.zones.filter((zone) => zone.owner === null)));
    return middle;
  }

  zones(zones) {
    const list = element("div", "zones");
    list.append(...zones.map((zone) => this.zone(zone)));
    return list;
  }

  zone(zone) {
    const { name, cards, unseen } = zone;
    const place = element("div", "zone");
    place.dataset.zone = name;
    const count = cards.length + unseen;
    const label = element("div", "zone-name", name);
    if (count) label.append(element("span", "count", `${count}`));
    const list = element("ol", "cards");
    list.setAttribute("aria-label", unseen ? `${name}: ${unseen} face-down` : name);
    const heap = unseen > MOST_BACKS;
    list.append(...Array.from({ length: heap ? 3 : unseen }, back), ...cards.map((card) => face(card, this.moved(card, zone))));
    if (heap) list.classList.add("heap");
    if (!count) place.classList.add("vacant");
    // A zone is as wide as its cards want to be; in a narrow one they lie over each other.
    place.style.setProperty("--cards", Math.max(1, Math.min(heap ? 1 + cards.length : count, 20)));
    place.append(label, list);
    return place;
  }

  moved(card, zone) {
    return this.places.size > 0 && this.places.get(card) !== key(zone);
  }
}

function key({ name, owner }) {
  return `${owner} ${name}`;
}

// Return the counters of a frame, those that have just changed marked.
export function counters(frame, before) {
  const old = new Map((before?.counters ?? []).map(({ name, value }) => [name, value]));
  return frame.counters.flatMap(({ name, value }) => {
    const pair = element("div", old.has(name) && old.get(name) !== value ? "changed" : "");
    pair.append(element("dt", "", name), element("dd", "", `${value}`.replace("-", "−")));
    return [pair];
  });
}

// Return what has happened, an item for each event.
export function events(frame) {
  return frame.events.map(({ seat, text }) => {
    const item = element("li");
    if (seat !== null) item.append(element("span", "seat-number", `${seat}`));
    item.append(element("span", "notation", text));
    return item;
  });
}

export function element(name, classes = "", text = null) {
  const made = document.createElement(name);
  if (classes) made.className = classes;
  if (text !== null) made.textContent = text;
  return made;
}

function duration(seconds) {
  if (seconds >= 1) return `${seconds.toFixed(2)} s`;
  return `${(1000 * seconds).toFixed(seconds < 0.01 ? 1 : 0)} ms`;
}
