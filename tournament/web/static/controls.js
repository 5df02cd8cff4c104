// Buttons and fields with names.

import { element } from "./table.js";

export function button(text, name, act) {
  const made = element("button", "", text);
  made.type = "button";
  made.title = name;
  if (text.length <= 2) made.setAttribute("aria-label", name);
  made.addEventListener("click", act);
  return made;
}

export function slider(name, most, act) {
  const made = element("input");
  Object.assign(made, { type: "range", min: 0, max: most, value: 0 });
  made.setAttribute("aria-label", name);
  made.addEventListener("input", () => act(Number(made.value)));
  return made;
}

export function numberField(name, most, act) {
  const made = element("input");
  Object.assign(made, { type: "number", min: 0, max: most, value: 0 });
  made.setAttribute("aria-label", name);
  made.addEventListener("change", () => act(Math.round(Number(made.value))));
  return made;
}

export function select(name, choices) {
  const made = element("select");
  for (const [value, text] of choices) {
    const option = element("option", "", text);
    option.value = value;
    made.append(option);
  }
  made.setAttribute("aria-label", name);
  return made;
}

export function labelled(text, field) {
  const made = element("label", "", `${text} `);
  made.append(field);
  return made;
}
