// The matrix of topics and clusters: names the cell at the pointer or the arrow keys, and shows its common pages.

/**
 * @typedef {{topics: [string | null, string, number][], clusters: [string, string, number][], cells: [number, number, number][]}} Cells
 */

/** Format a share as the page does. @param {number} value */
function share(value) {
  return value.toFixed(3).replace(/^0/, "");
}

class Matrix {
  /** @param {HTMLElement} panel */
  constructor(panel) {
    this.panel = panel;
    this.svg = panel.querySelector("svg.cells");
    this.rect = this.svg.querySelector(".here");
    this.detail = panel.querySelector("#matrix-detail");
    /** @type {Cells} */
    this.data = JSON.parse(panel.querySelector("#matrix-data").textContent);
    this.across = Number(this.svg.dataset.across);
    this.down = Number(this.svg.dataset.down);
    this.counts = new Map(this.data.cells.map(([row, column, pages]) => [`${row} ${column}`, pages]));
    this.row = 0;
    this.column = 0;
    this.#listen();
  }

  #listen() {
    this.svg.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.#point(event));
    this.svg.addEventListener("click", (/** @type {PointerEvent} */ event) => {
      this.#point(event);
      this.#open();
    });
    this.svg.addEventListener("focus", () => this.#show());
    this.svg.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.#key(event));
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const box = this.svg.getBoundingClientRect();
    this.#go(Math.floor((event.clientY - box.top) / this.down), Math.floor((event.clientX - box.left) / this.across));
  }

  /** @param {number} row @param {number} column */
  #go(row, column) {
    const before = [this.row, this.column];
    this.row = Math.max(0, Math.min(this.data.topics.length - 1, row));
    this.column = Math.max(0, Math.min(this.data.clusters.length - 1, column));
    const same = this.row === before[0] && this.column === before[1];
    if (!same || !this.rect.classList.contains("shown")) this.#show();
  }

  #show() {
    this.rect.setAttribute("x", String(this.column * this.across));
    this.rect.setAttribute("y", String(this.row * this.down));
    this.rect.classList.add("shown");
    const [, path, size] = this.data.topics[this.row];
    const [, name, pages] = this.data.clusters[this.column];
    const common = this.counts.get(`${this.row} ${this.column}`) ?? 0;
    const numbers = common
      ? `recall ${share(common / size)}, precision ${share(common / pages)}, F ${share((2 * common) / (size + pages))}`
      : "nothing";
    this.detail.textContent = `${path} (${size}) and “${name}” (${pages}): ${common} in common; ${numbers}`;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    /** @type {Record<string, [number, number]>} */
    const steps = {
      ArrowUp: [this.row - 1, this.column],
      ArrowDown: [this.row + 1, this.column],
      ArrowLeft: [this.row, this.column - 1],
      ArrowRight: [this.row, this.column + 1],
      Home: [this.row, 0],
      End: [this.row, this.data.clusters.length - 1],
      PageUp: [0, this.column],
      PageDown: [this.data.topics.length - 1, this.column],
    };
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") this.#open();
    else if (event.key in steps) {
      this.#go(...steps[event.key]);
      this.rect.scrollIntoView({ block: "nearest", inline: "nearest" });
    } else return;
    event.preventDefault();
  }

  /** Show the common pages of a cell, and put the cell into the URL. */
  #open() {
    const form = /** @type {HTMLFormElement} */ (document.getElementById("choices"));
    const chosen = new URLSearchParams(/** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form))));
    chosen.set("topic", this.data.topics[this.row][0] ?? "");
    chosen.set("cluster", this.data.clusters[this.column][0]);
    const address = `${location.pathname}?${chosen}`;
    history.replaceState(history.state, "", address);
    window.htmx?.ajax("GET", address, { target: "#common", select: "#common", swap: "outerHTML" });
  }
}

/** @param {ParentNode} within */
function start(within) {
  for (const panel of within.querySelectorAll("#matrix:not([data-ready])")) {
    panel.dataset.ready = "";
    if (panel.querySelector("svg.cells")) new Matrix(panel);
  }
}

start(document);
document.addEventListener("htmx:load", () => start(document));
