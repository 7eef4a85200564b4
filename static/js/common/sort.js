// Tables marked data-sortable: a click on a header sorts by its column, and another click reverses the order. Columns
// whose header is marked data-unsorted do not sort. Rows without a number in a numeric column always come last.

/**
 * The number in a cell of a table; NaN if the cell has no number. "<1 %" comes before "1 %", and ">99 %" after "99 %".
 *
 * @param {string} text
 */
export function numberOf(text) {
  if (text === "") return NaN;
  const beside = { "<": -1e-9, ">": 1e-9 }[text[0]] ?? 0;
  return Number(text.replace("−", "-").replace(/[<>%\s]/g, "")) + beside;
}

/** @param {HTMLTableRowElement} row @param {number} column */
function cellAt(row, column) {
  let at = 0;
  for (const cell of row.cells) {
    if (column < at + cell.colSpan) return cell.colSpan === 1 ? cell : null;
    at += cell.colSpan;
  }
  return null;
}

/** @param {HTMLTableRowElement} row @param {number} column */
function textAt(row, column) {
  return cellAt(row, column)?.textContent.trim() ?? "";
}

/** @param {HTMLTableElement} table @param {number} column @param {boolean} descending */
function sort(table, column, descending) {
  const body = table.tBodies[0];
  const lines = [...body.rows].map((row) => ({
    row,
    text: textAt(row, column),
    value: numberOf(textAt(row, column)),
  }));
  const numeric = lines.some((line) => !Number.isNaN(line.value));
  const turn = descending ? -1 : 1;
  lines.sort((one, other) => {
    if (!numeric) return turn * one.text.localeCompare(other.text);
    if (Number.isNaN(one.value) || Number.isNaN(other.value))
      return Number(Number.isNaN(one.value)) - Number(Number.isNaN(other.value));
    return turn * (one.value - other.value);
  });
  body.append(...lines.map((line) => line.row));
}

/** @param {HTMLTableElement} table */
function makeSortable(table) {
  const heads = [...(table.tHead?.rows[0].cells ?? [])];
  heads.forEach((head, column) => {
    if (!head.textContent.trim() || head.querySelector(".visually-hidden") || "unsorted" in head.dataset) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      // Numbers start with the largest, names with the first letter.
      const first = head.classList.contains("num") ? "descending" : "ascending";
      const second = first === "descending" ? "ascending" : "descending";
      const order = head.getAttribute("aria-sort") === first ? second : first;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order);
      sort(table, column, order === "descending");
    });
  });
}

/** @param {ParentNode} within */
function makeAllSortable(within) {
  for (const table of within.querySelectorAll('table[data-sortable=""]')) {
    table.dataset.sortable = "done";
    makeSortable(table);
  }
}

makeAllSortable(document);
// Tables that are added later, on pages that wait for some work.
document.addEventListener("htmx:load", (event) => makeAllSortable(/** @type {Element} */ (event.target)));
