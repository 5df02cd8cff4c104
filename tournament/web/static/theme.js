// Light or dark: as the system says, unless the reader has chosen. Runs before the page is drawn.
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");

function chosen() {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null; // Storage is denied.
  }
}

function show() {
  const theme = chosen() ?? (system.matches ? "dark" : "light");
  root.dataset.theme = theme;
  const button = document.getElementById("theme");
  if (button) {
    button.hidden = false;
    button.textContent = theme === "dark" ? "☀ Light" : "☾ Dark";
  }
}

function toggle() {
  try {
    localStorage.setItem("theme", root.dataset.theme === "dark" ? "light" : "dark");
  } catch {
    return;
  }
  show();
}

show();
system.addEventListener("change", show);
document.addEventListener("DOMContentLoaded", () => {
  show();
  document.getElementById("theme").addEventListener("click", toggle);
});
