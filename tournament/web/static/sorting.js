// Tables that are sorted by a press on a column's heading. The order is kept when a table is drawn anew.

const kept = new Map(); // by the table's name: which column, and whether ascending

export function makeSortable(root) {
  for (const table of root.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      button.title = head.title;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const before = kept.get(table.dataset.name);
        // Numbers are looked at from the greatest down, names and ranks from the first.
        const ascending = before?.column === column ? !before.ascending : column < 3;
        kept.set(table.dataset.name, { column, ascending });
        sort(table, heads);
      });
    });
    if (kept.has(table.dataset.name)) sort(table, heads);
  }
}

function sort(table, heads) {
  const { column, ascending } = kept.get(table.dataset.name);
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const sign = ascending ? 1 : -1;
  rows.sort((a, b) => sign * compare(value(a, column), value(b, column)));
  body.replaceChildren(...rows);
  heads.forEach((head, number) => {
    if (number === column) head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    else head.removeAttribute("aria-sort");
  });
}

function value(row, column) {
  const cell = row.cells[column];
  return cell.dataset.value ?? cell.textContent.trim();
}

function compare(a, b) {
  const [x, y] = [Number(a), Number(b)];
  return Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x - y;
}
