// A person at a table: what the seat sees is drawn, legal actions are buttons with keys. Nothing here knows a game.

import { Table, counters, element, events } from "./table.js";

const KEYS = "1234567890abcdefghijklmnopqrstuvwxyz";

const form = document.getElementById("choose");
const news = document.getElementById("news");
const filter = document.getElementById("filter");
const actions = document.getElementById("actions");

class Sitting {
  constructor(wish) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.turn = null;
    this.over = false;
    this.keys = new Map(); // by action
    this.socket = new WebSocket(`${scheme}//${location.host}/play-at?${wish}`);
    this.socket.addEventListener("message", ({ data }) => this.hear(JSON.parse(data)));
    this.socket.addEventListener("close", () => {
      if (!this.over) this.end("You have left the table, and with it the match.");
    });
    document.getElementById("leave").onclick = () => this.socket.close();
    say("The bot is starting …");
  }

  hear(message) {
    const kinds = { table: this.open, turn: this.ask, result: this.close, kept: this.keep, problem: this.fail };
    kinds[message.kind].call(this, message);
  }

  open({ seat, seats, realtime }) {
    this.seat = seat;
    this.realtime = realtime;
    this.drawn = new Table(document.getElementById("felt"), seats.map((each, number) => (number === seat ? { bot: "you", version: "" } : each)));
    document.getElementById("play").hidden = false;
    form.hidden = true;
  }

  ask(message) {
    const before = this.frame;
    this.frame = message.frame;
    this.turn = message;
    this.drawn.draw(message.frame, `${this.seat}`, before);
    document.getElementById("counters").replaceChildren(...counters(message.frame, before));
    document.getElementById("events").replaceChildren(...events(message.frame));
    this.offer(message.legal_actions);
    const late = message.substituted ? ` Your last action did not count: ${message.substituted}.` : "";
    if (!this.realtime || late) say(`Your turn: ${message.frame.phase}.${late}`);
    else if (!before) say("It has begun.");
  }

  close({ payoffs, places, terminations, unit }) {
    const own = terminations[this.seat] === "normal" ? "" : `, at fault: ${terminations[this.seat]}`;
    const shown = `${payoffs[this.seat]}`.replace("-", "−");
    this.outcome = `The match is over: place ${places[this.seat]} of ${places.length}, ${shown} ${unit}${own}.`;
    this.end(this.outcome);
  }

  keep({ id, faults }) {
    this.end(faults.length ? `${this.outcome} ${faults.join("; ")}.` : this.outcome);
    const link = element("a", "", "Watch the match again");
    link.href = `/played/${id}`;
    const again = element("a", "", "play again");
    again.href = location.pathname + location.search;
    news.append(" ", link, ", or ", again, ".");
  }

  fail({ message }) {
    this.end(`${message}.`);
  }

  end(text) {
    this.over = true;
    this.turn = null;
    actions.replaceChildren();
    say(text);
  }

  // Show the legal actions as buttons. While ticks go by, one that stays legal keeps its key, lest a finger finds another.
  offer(legal) {
    const shown = [...actions.children].map((each) => each.dataset.action);
    if (shown.join("\n") === legal.join("\n")) {
      for (const each of actions.children) each.disabled = false;
      return;
    }
    for (const action of this.keys.keys()) if (!this.realtime || !legal.includes(action)) this.keys.delete(action);
    const free = [...KEYS].filter((key) => ![...this.keys.values()].includes(key));
    for (const action of legal) if (!this.keys.has(action) && free.length) this.keys.set(action, free.shift());
    const focused = document.activeElement?.dataset?.action;
    actions.replaceChildren(...legal.map((action) => this.button(action)));
    filter.value = "";
    [...actions.children].find((each) => each.dataset.action === focused)?.focus();
  }

  button(action) {
    const made = element("button", "choice");
    made.type = "button";
    made.dataset.action = action;
    const key = this.keys.get(action);
    if (key) {
      made.append(element("kbd", "", key));
      made.setAttribute("aria-keyshortcuts", key);
    }
    made.append(element("span", "notation", action));
    made.addEventListener("click", () => this.act(action));
    return made;
  }

  act(action) {
    if (!this.turn) return;
    this.socket.send(JSON.stringify({ number: this.turn.number, action }));
    if (this.realtime) return say(`You: ${action}`);
    this.turn = null;
    for (const each of actions.children) each.disabled = true;
    say(`You: ${action}. The others play …`);
  }

  press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !this.turn) return;
    if (event.target.matches("input, select")) return;
    if (event.key === "/") {
      event.preventDefault();
      filter.focus();
      return;
    }
    for (const [action, key] of this.keys) {
      if (key === event.key.toLowerCase()) {
        event.preventDefault();
        this.act(action);
        return;
      }
    }
  }

  search() {
    const wanted = filter.value.trim().toLowerCase();
    for (const each of actions.children) each.hidden = !each.dataset.action.toLowerCase().includes(wanted);
  }

  take() {
    const wanted = filter.value.trim();
    const left = [...actions.children].filter((each) => !each.hidden);
    const exact = left.find((each) => each.dataset.action === wanted);
    const chosen = exact ?? (left.length === 1 ? left[0] : null);
    if (chosen) this.act(chosen.dataset.action);
  }
}

function say(text) {
  news.textContent = text;
  document.getElementById("play").hidden = false;
}

if (form) {
  let sitting = null;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const wish = new URLSearchParams(new FormData(form));
    wish.set("game", form.dataset.game);
    sitting = new Sitting(wish);
  });
  document.addEventListener("keydown", (event) => sitting?.press(event));
  filter.addEventListener("input", () => sitting?.search());
  filter.addEventListener("keydown", (event) => {
    if (event.key === "Enter") sitting?.take();
    if (event.key === "Escape") actions.querySelector("button:not([hidden])")?.focus();
  });
}
