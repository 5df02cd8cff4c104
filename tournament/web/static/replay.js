// The replay of a match: steps forward and back, plays, jumps, and sees with the eyes of a seat or with all.
// The address keeps the moment: #step=12&eyes=1

import { button, labelled, numberField, select, slider } from "./controls.js";
import { Table, counters, element, events } from "./table.js";

const SPEEDS = [[2000, "slow"], [1000, "normal"], [350, "fast"], [90, "very fast"]]; // milliseconds for a step
const FILM_SPEED = 90; // ticks begin to play as a film
const MOST_DEALS = 200; // listed one by one

class Replay {
  constructor(root) {
    this.root = root;
    this.step = 0;
    this.timer = null;
  }

  async open() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    await this.load(wanted.get("eyes") ?? "all");
    this.build();
    this.go(Number(wanted.get("step")) || 0);
    addEventListener("hashchange", () => this.follow());
  }

  // Fetch every frame that these eyes see.
  async load(eyes) {
    const found = [];
    let start = 0;
    do {
      const answer = await fetch(`${this.root.dataset.replay}?eyes=${encodeURIComponent(eyes)}&start=${start}`);
      // The address may name eyes that there are not.
      if (!answer.ok && eyes !== "all") return this.load("all");
      if (!answer.ok) throw new Error((await answer.json()).detail);
      this.match = await answer.json();
      found.push(...this.match.frames);
      start = this.match.next;
    } while (start !== null);
    this.eyes = eyes;
    this.frames = found;
  }

  get last() {
    return this.frames.length - 1;
  }

  build() {
    const { seats, real_time: realTime } = this.match;
    const felt = element("div", "felt");
    this.table = new Table(felt, seats);
    this.counters = element("dl", "counters");
    this.events = element("ol", "events");
    this.phase = element("p", "phase");
    this.said = element("p", "visually-hidden");
    this.said.setAttribute("role", "status");
    const side = element("aside", "side");
    side.setAttribute("aria-label", "This step");
    side.append(this.phase, this.events, this.counters);

    this.slider = slider("Step", this.last, (step) => this.go(step));
    this.number = numberField("Step number", this.last, (step) => this.go(step));
    this.player = button("▶ Play", "Play or stop (space)", () => this.toggle());
    this.player.classList.add("main");
    this.speed = select("Speed", SPEEDS);
    this.speed.value = realTime ? FILM_SPEED : 1000;
    const own = seats.map(({ bot, version }, seat) => [seat, `seat ${seat}: ${bot} ${version}`]);
    this.chooser = select("Eyes", [["all", "all cards"], ["public", "what everybody saw"], ...own]);
    this.chooser.value = this.eyes;
    this.chooser.addEventListener("change", () => this.see(this.chooser.value));
    this.jump = select("Jump to", [["", "choose …"], ...this.places()]);
    this.jump.addEventListener("change", () => {
      if (this.jump.value) this.jumpTo(this.jump.value);
      this.jump.value = "";
    });

    const buttons = element("div", "buttons");
    buttons.append(
      button("|◀", "First step (Home)", () => this.go(0)),
      button("◀", "One step back (left arrow)", () => this.go(this.step - 1)),
      this.player,
      button("▶", "One step forward (right arrow)", () => this.go(this.step + 1)),
      button("▶|", "Last step (End)", () => this.go(this.last)),
    );
    const where = element("div", "where");
    where.append(this.slider, this.number, element("span", "muted", `of ${this.last}`));
    const choices = element("div", "choices");
    choices.append(labelled("Speed", this.speed), labelled("Jump to", this.jump));
    // Where the cards lie face-down for everybody there are no eyes to choose.
    if (this.match.eyes !== "none") choices.prepend(labelled("Eyes", this.chooser));
    const controls = element("div", "controls");
    controls.append(buttons, where, choices);

    this.root.replaceChildren(controls, felt, side, this.said);
    this.root.setAttribute("role", "group");
    this.root.setAttribute("aria-label", "Replay: left and right arrow step, space plays, Home and End jump");
    document.addEventListener("keydown", (event) => this.key(event));
  }

  // Where one can jump to.
  places() {
    const names = this.match.seats.map(({ bot }, seat) => `seat ${seat} (${bot})`);
    const decisions = names.flatMap((name, seat) => [
      [`next decision ${seat}`, `next decision of ${name}`],
      [`previous decision ${seat}`, `decision before of ${name}`],
    ]);
    const substitutions = this.frames.some((frame) => frame.actions.some((action) => action.substituted))
      ? [["next substituted", "next answer that was replaced"]]
      : [];
    const deals = this.frames.filter((frame) => frame.deal).map((frame) => frame.step);
    const listed = deals.length > 1 ? deals.slice(0, MOST_DEALS).map((step, number) => [`step ${step}`, `deal ${number + 1} (step ${step})`]) : [];
    return [...decisions, ...substitutions, ...listed];
  }

  jumpTo(place) {
    const [first, what, seat] = place.split(" ");
    if (first === "step") return this.go(Number(what));
    const found = (frame) =>
      what === "substituted"
        ? frame.actions.some((action) => action.substituted)
        : frame.actions.some((action) => action.seat === Number(seat));
    const frames = first === "next" ? this.frames.slice(this.step + 1) : this.frames.slice(0, this.step).reverse();
    const frame = frames.find(found);
    if (frame) this.go(frame.step);
    else this.said.textContent = "There is none.";
  }

  key(event) {
    // A list or a field that has the focus takes the keys itself.
    const busy = event.target.closest("input, select, textarea, [contenteditable]");
    if (busy || event.altKey || event.ctrlKey || event.metaKey) return;
    const onButton = event.target.closest("button, a, summary");
    const keys = {
      ArrowLeft: () => this.go(this.step - 1),
      ArrowRight: () => this.go(this.step + 1),
      Home: () => this.go(0),
      End: () => this.go(this.last),
      " ": () => this.toggle(),
    };
    if (!keys[event.key] || (event.key === " " && onButton) || !near(this.root)) return;
    // A box that scrolls sideways keeps its arrows.
    const box = event.target.closest(".scroll");
    if (box && !this.root.contains(box)) return;
    event.preventDefault();
    keys[event.key]();
  }

  toggle() {
    if (this.timer !== null) return this.stop();
    if (this.step >= this.last) this.draw(0);
    this.player.textContent = "❚❚ Stop";
    const next = () => {
      if (this.step >= this.last) return this.stop();
      this.draw(this.step + 1);
      this.timer = setTimeout(next, Number(this.speed.value));
    };
    this.timer = setTimeout(next, Number(this.speed.value));
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.player.textContent = "▶ Play";
    this.remember();
  }

  // Show a step that the reader asks for.
  go(step) {
    if (this.timer !== null) this.stop();
    this.draw(step);
    this.remember();
    const { events: happened, actions } = this.frames[this.step];
    const told = actions.filter(({ action }) => action).map(({ seat, action }) => `seat ${seat}: ${action}`);
    const rest = happened.map(({ seat, text }) => (seat === null ? text : `seat ${seat}: ${text}`));
    this.said.textContent = `Step ${this.step}. ${(told.length ? told : rest).join("; ")}`;
  }

  async see(eyes) {
    this.stop();
    await this.load(eyes);
    this.chooser.value = this.eyes;
    this.go(this.step);
  }

  // Go where a new address points.
  async follow() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const eyes = wanted.get("eyes") ?? "all";
    if (eyes !== this.eyes) await this.see(eyes);
    this.go(Number(wanted.get("step")) || 0);
  }

  remember() {
    const eyes = this.eyes === "all" ? "" : `&eyes=${this.eyes}`;
    history.replaceState(null, "", `#step=${this.step}${eyes}`);
  }

  draw(step) {
    this.step = Math.max(0, Math.min(Number.isInteger(step) ? step : 0, this.last));
    const frame = this.frames[this.step];
    this.table.draw(frame, this.eyes, this.frames[this.step - 1]);
    this.slider.value = this.step;
    this.number.value = this.step;
    this.root.dataset.step = this.step;
    this.phase.textContent = frame.deal ? `${frame.phase} · cards are dealt` : frame.phase;
    this.counters.replaceChildren(...counters(frame, this.frames[this.step - 1]));
    this.events.replaceChildren(...events(frame));
  }
}

function near(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return top < innerHeight && bottom > 0;
}

const root = document.getElementById("replay");
root.replaceChildren(element("p", "loading", "The replay is being loaded …"));
new Replay(root).open().catch((error) => {
  root.replaceChildren(element("p", "note", `The replay cannot be shown: ${error.message}`));
});
