// The heat map: every score as a shaded cell of a canvas, for mouse, touch and keys. The table below shows the same
// scores; without this script there is only the table.

/**
 * `count`: "28 of 44" if the mean does not cover all queries; otherwise empty.
 * @typedef {{ text: string, key: string, mean: number | null, spread: number | null, counted: number, count: string }} Query
 */
/** @typedef {{ hue: number, hollow: boolean }} Mark */
/** @typedef {{ name: string, submission: number, mean: number | null, count: string, compared: boolean,
 *   mark: Mark | null }} Column */
/**
 * Values are in thousandths.
 * @typedef {{ measure: string, lower: boolean, ends: [number, number], options: string,
 * query: string, why: string, queries: Query[], algorithms: Column[], values: (number | null)[][], gaps: [number, string, string, number[]][] }} Data
 */
/** @typedef {{ left: number, top: number, width: number, height: number, body: number, means: number, wide: number,
 * high: number, side: number }} Sizes */

const STEPS = 9;
const STRONG_FROM = 5;
const GAP = 4;
const SMALL = 11;
// With this many pixels per query or more, all queries are in sight and can be named.
const SCREEN = 1000;

/** Format a score as all other pages do: ".512", "−.042". @param {number | null} value thousandths */
function shown(value) {
  if (value === null) return "–";
  const digits = String(Math.abs(value) % 1000).padStart(3, "0");
  const whole = Math.floor(Math.abs(value) / 1000);
  return `${value < 0 ? "−" : ""}${whole || ""}.${digits}`;
}

/** @param {Data} data */
function start(data) {
  const heat = /** @type {HTMLElement} */ (document.getElementById("heat"));
  const frame = /** @type {HTMLElement} */ (document.getElementById("heat-frame"));
  const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById("heat-canvas"));
  const reasons = whys(data);
  const cursor = new Cursor(frame);
  const at = { query: 0, algorithm: 0 };
  heat.hidden = false;
  let sizes = measure(data, frame.clientWidth);
  const redraw = () => {
    sizes = measure(data, frame.clientWidth);
    draw(data, canvas, sizes);
    if (!cursor.hidden) cursor.show(sizes, at.query, at.algorithm);
  };
  redraw();
  let width = frame.clientWidth;
  new ResizeObserver(() => {
    if (frame.clientWidth !== width) {
      width = frame.clientWidth;
      redraw();
    }
  }).observe(frame);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);

  /** @param {number} query @param {number} algorithm */
  const move = (query, algorithm) => {
    const other = at.query !== query || cursor.hidden;
    at.query = query;
    at.algorithm = algorithm;
    cursor.show(sizes, query, algorithm);
    say(data, reasons, query, algorithm);
    if (other) showRow(data, reasons, query);
  };
  frame.addEventListener("pointermove", (event) => {
    const cell = cellAt(data, sizes, frame, event);
    if (cell && event.pointerType !== "touch") move(cell.query, cell.algorithm);
  });
  frame.addEventListener("click", (event) => {
    const cell = cellAt(data, sizes, frame, event);
    if (!cell) return;
    const touched = /** @type {PointerEvent} */ (event).pointerType === "touch";
    const known = at.query === cell.query && at.algorithm === cell.algorithm && !cursor.hidden;
    move(cell.query, cell.algorithm);
    // A finger covers many cells, so the first tap only says which cell it is.
    if (!touched || known) location.assign(cell.named ? pageOf(data, cell.query) : address(data, reasons, at));
  });
  frame.addEventListener("focus", () => {
    if (cursor.hidden && frame.matches(":focus-visible")) move(at.query, at.algorithm);
  });
  frame.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = { query: data.queries.length - 1, algorithm: data.algorithms.length - 1 };
    /** @type {Record<string, [number, number]>} */
    const ways = {
      ArrowUp: [at.query - 1, at.algorithm],
      ArrowDown: [at.query + 1, at.algorithm],
      ArrowLeft: [at.query, at.algorithm - 1],
      ArrowRight: [at.query, at.algorithm + 1],
      PageUp: [at.query - 20, at.algorithm],
      PageDown: [at.query + 20, at.algorithm],
      Home: [at.query, 0],
      End: [at.query, last.algorithm],
    };
    if (event.key === "Enter") location.assign(address(data, reasons, at));
    const way = ways[event.key];
    if (!way) return;
    event.preventDefault();
    move(Math.min(last.query, Math.max(0, way[0])), Math.min(last.algorithm, Math.max(0, way[1])));
    cursor.bringIntoView();
  });
  heat.dataset.drawn = "yes";
}

/** "query algorithm" -> state and reason of a cell that has no value. @param {Data} data */
function whys(data) {
  /** @type {Map<string, { state: string, reason: string }>} */
  const found = new Map();
  for (const [algorithm, state, reason, places] of data.gaps)
    for (const query of places) found.set(`${query} ${algorithm}`, { state, reason });
  return found;
}

/** The URL of a query. @param {Data} data @param {number} query */
function pageOf(data, query) {
  return `${data.query.replace(/x\/$/, "")}${data.queries[query].key}/`;
}

/**
 * The URL that explains a cell. If there is no clustering, it is the URL of the query.
 * @param {Data} data
 * @param {ReturnType<typeof whys>} reasons
 * @param {{ query: number, algorithm: number }} at
 */
function address(data, reasons, at) {
  if (reasons.get(`${at.query} ${at.algorithm}`)?.state === "missing") return pageOf(data, at.query);
  const why = data.why.replace("/0/", `/${data.algorithms[at.algorithm].submission}/`).replace(/x\/$/, "");
  return `${why}${data.queries[at.query].key}/${data.options}`;
}

/**
 * Choose the sizes: as large as fits, but each cell at least four pixels wide and two high.
 * @param {Data} data
 * @param {number} space
 * @returns {Sizes}
 */
function measure(data, space) {
  const [down, across] = [data.queries.length, data.algorithms.length];
  const height = down <= 60 ? 22 : down <= 90 ? 14 : down <= 150 ? SMALL : Math.max(2, Math.floor(SCREEN / down));
  const longest = Math.max(...data.queries.map((query) => query.text.length));
  const left = height >= SMALL ? Math.min(220, 0.3 * space, 14 + 6.4 * longest) : 0;
  const side = height >= SMALL ? 40 : 12;
  const room = space - left - side - 2 * GAP;
  // If not everything fits, the map scrolls, and only a few algorithms keep their names.
  const width = Math.max(across <= 60 ? 13 : 4, Math.min(64, Math.floor(room / across)));
  const names = Math.max(...data.algorithms.map((algorithm) => algorithm.name.length));
  const marks = width >= 9 ? 16 : 0;
  const means = (width >= 13 ? Math.min(150, 12 + 6.4 * names) : 4) + marks;
  const top = means + Math.max(12, Math.min(height, 22));
  const body = top + GAP;
  const wide = left + across * width + GAP + side;
  return { left, top, width, height, body, means, wide, high: body + down * height + 1, side };
}

/** @param {Data} data @param {number} value */
function stepOf(data, value) {
  const [low, high] = data.ends;
  const share = high > low ? (value - low) / (high - low) : 1;
  return Math.min(STEPS - 1, Math.max(0, Math.floor((data.lower ? 1 - share : share) * STEPS)));
}

/** @param {Data} data @param {HTMLCanvasElement} canvas @param {Sizes} sizes */
function draw(data, canvas, sizes) {
  const pixels = Math.min(window.devicePixelRatio || 1, 2);
  canvas.width = Math.ceil(sizes.wide * pixels);
  canvas.height = Math.ceil(sizes.high * pixels);
  canvas.style.width = `${sizes.wide}px`;
  canvas.style.height = `${sizes.high}px`;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const style = getComputedStyle(canvas);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  const shades = Array.from({ length: STEPS }, (_, step) => colour(`--heat-${step}`));
  const on = [colour("--heat-on-weak"), colour("--heat-on-strong")];
  pen.scale(pixels, pixels);
  pen.clearRect(0, 0, sizes.wide, sizes.high);
  pen.font = `11px ${style.fontFamily}`;
  const line = sizes.width > 8 && sizes.height > 8 ? 1 : 0;

  /**
   * @param {number | null} value
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   * @param {string} count of a mean that does not cover all queries
   */
  const cell = (value, x, y, width, height, count = "") => {
    if (value === null) return;
    const step = stepOf(data, value);
    pen.fillStyle = shades[step];
    pen.fillRect(x, y, width - line, height - line);
    if (width < 32 || height < 12) return;
    pen.fillStyle = on[step >= STRONG_FROM ? 1 : 0];
    pen.textAlign = "center";
    pen.fillText(`${shown(value)}${count && "*"}`, x + width / 2, y + height / 2 + 4, width - 2);
  };
  const end = sizes.left + data.algorithms.length * sizes.width + GAP;
  data.values.forEach((row, query) => {
    const y = sizes.body + query * sizes.height;
    row.forEach((value, algorithm) => {
      cell(value, sizes.left + algorithm * sizes.width, y, sizes.width, sizes.height);
    });
    const { mean, count } = data.queries[query];
    cell(mean, end, y, sizes.side, sizes.height, count);
  });
  data.algorithms.forEach((algorithm, place) => {
    const [x, high] = [sizes.left + place * sizes.width, sizes.top - sizes.means];
    cell(algorithm.mean, x, sizes.means, sizes.width, high, algorithm.count);
  });
  drawGaps(data, pen, sizes, colour("--heat-gap"), line);
  drawNames(data, pen, sizes, colour("--text"), colour("--text-muted"), end);
  const shapes = document.querySelectorAll("#heat-table thead .glyph path");
  data.algorithms.forEach((algorithm, place) => {
    const shape = shapes[place]?.getAttribute("d");
    if (sizes.width < 9 || !algorithm.mark || !shape) return;
    const size = Math.min(12, sizes.width - 1);
    const x = sizes.left + place * sizes.width + (sizes.width - size) / 2;
    drawMark(pen, algorithm.mark, new Path2D(shape), x, sizes.means - 15, size, colour(`--hue-${algorithm.mark.hue}`));
  });
}

/**
 * @param {Data} data
 * @param {CanvasRenderingContext2D} pen
 * @param {Sizes} sizes
 * @param {string} colour
 * @param {number} line
 */
function drawGaps(data, pen, sizes, colour, line) {
  const looks = { missing: hatch(pen, colour, false), undefined: hatch(pen, colour, true) };
  for (const [algorithm, state, , places] of data.gaps) {
    const look = looks[/** @type {"missing" | "undefined"} */ (state)];
    for (const query of places) {
      const x = sizes.left + algorithm * sizes.width;
      const y = sizes.body + query * sizes.height;
      pen.fillStyle = look ?? colour;
      if (look) pen.fillRect(x, y, sizes.width - line, sizes.height - line);
      else pen.fillRect(x + sizes.width / 2 - 1, y + sizes.height / 2 - 1, 2, 2);
    }
  }
}

/**
 * Hatch one way for a missing clustering, both ways if a measure is undefined.
 * @param {CanvasRenderingContext2D} pen
 * @param {string} colour
 * @param {boolean} crossed
 */
function hatch(pen, colour, crossed) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const small = /** @type {CanvasRenderingContext2D} */ (tile.getContext("2d"));
  small.strokeStyle = colour;
  small.beginPath();
  small.moveTo(-1, 7);
  small.lineTo(7, -1);
  if (crossed) {
    small.moveTo(-1, -1);
    small.lineTo(7, 7);
  }
  small.stroke();
  return pen.createPattern(tile, "repeat");
}

/** @param {Data} data @param {CanvasRenderingContext2D} pen @param {Sizes} sizes @param {string} text @param {string} muted
 * @param {number} end */
function drawNames(data, pen, sizes, text, muted, end) {
  pen.fillStyle = text;
  pen.textAlign = "left";
  if (sizes.left)
    data.queries.forEach((query, place) => {
      const y = sizes.body + place * sizes.height + sizes.height / 2 + 4;
      pen.fillText(fitting(pen, query.text, sizes.left - 8), 0, y);
    });
  if (sizes.width >= 13)
    data.algorithms.forEach((algorithm, place) => {
      pen.save();
      pen.translate(sizes.left + (place + 0.5) * sizes.width + 4, sizes.means - 18);
      pen.rotate(-Math.PI / 2);
      pen.fillText(fitting(pen, algorithm.name, sizes.means - 26), 0, 0);
      pen.restore();
    });
  pen.fillStyle = muted;
  if (sizes.left) pen.fillText("mean", Math.max(0, sizes.left - 34), sizes.top - 4);
  if (sizes.side >= 30) pen.fillText("mean", end + 6, sizes.top - 4);
}

/**
 * Shorten a text in the middle if it is too wide, because names of variants differ at their ends.
 * @param {CanvasRenderingContext2D} pen
 * @param {string} text
 * @param {number} width
 */
function fitting(pen, text, width) {
  if (pen.measureText(text).width <= width) return text;
  const letters = [...text];
  /** @param {number} kept */
  const cut = (kept) =>
    `${letters.slice(0, Math.ceil(kept / 2)).join("")}…${letters.slice(letters.length - Math.floor(kept / 2)).join("")}`;
  let [least, most] = [0, letters.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (pen.measureText(cut(middle)).width <= width) least = middle;
    else most = middle - 1;
  }
  return cut(least);
}

/**
 * Draw the mark of an algorithm as the table shows it.
 * @param {CanvasRenderingContext2D} pen
 * @param {Mark} mark
 * @param {Path2D} shape
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} colour
 */
function drawMark(pen, mark, shape, x, y, size, colour) {
  pen.save();
  pen.translate(x, y);
  pen.scale(size / 16, size / 16);
  pen.fillStyle = pen.strokeStyle = colour;
  pen.lineWidth = 2.2;
  if (mark.hollow) pen.stroke(shape);
  else pen.fill(shape);
  pen.restore();
}

/**
 * Return the cell at a point. A point on a name at the left stands for the query itself.
 * @param {Data} data
 * @param {Sizes} sizes
 * @param {HTMLElement} frame
 * @param {MouseEvent} event
 */
function cellAt(data, sizes, frame, event) {
  const box = frame.getBoundingClientRect();
  const x = event.clientX - box.left + frame.scrollLeft;
  const query = Math.floor((event.clientY - box.top - sizes.body) / sizes.height);
  const across = Math.floor((x - sizes.left) / sizes.width);
  if (query < 0 || query >= data.queries.length) return null;
  const algorithm = Math.min(data.algorithms.length - 1, Math.max(0, across));
  return { query, algorithm, named: algorithm !== across };
}

/**
 * Return the words for a cell.
 * @param {Data} data
 * @param {ReturnType<typeof whys>} reasons
 * @param {number} query
 * @param {number} algorithm
 */
function say(data, reasons, query, algorithm) {
  const [row, column] = [data.queries[query], data.algorithms[algorithm]];
  const value = data.values[query][algorithm];
  const why = reasons.get(`${query} ${algorithm}`)?.reason ?? "";
  const now = /** @type {HTMLElement} */ (document.getElementById("heat-now"));
  const strong = document.createElement("strong");
  strong.textContent = value === null ? why : shown(value);
  now.replaceChildren(
    isolated(row.text),
    " · ",
    isolated(column.name),
    ": ",
    strong,
    ` (its mean ${meanOf(column)}; the query's mean ${shown(row.mean)} over ${row.counted}, spread ${shown(row.spread)})`,
  );
}

/** A mean, with its count unless it covers all queries. @param {Column} of */
function meanOf({ mean, count }) {
  return count ? `${shown(mean)} (${count})` : shown(mean);
}

/** @param {string} text */
function isolated(text) {
  const found = document.createElement("bdi");
  found.textContent = text;
  return found;
}

/**
 * Show all algorithms on one query as a table.
 * @param {Data} data
 * @param {ReturnType<typeof whys>} reasons
 * @param {number} query
 */
function showRow(data, reasons, query) {
  const panel = /** @type {HTMLElement} */ (document.getElementById("heat-row"));
  const title = /** @type {HTMLElement} */ (document.getElementById("heat-row-title"));
  panel.hidden = false;
  const to = document.createElement("a");
  to.href = pageOf(data, query);
  to.append(isolated(data.queries[query].text));
  title.replaceChildren(to);
  const rows = data.algorithms.map((algorithm, place) => {
    const row = document.createElement("tr");
    const value = data.values[query][place];
    const link = document.createElement("a");
    link.href = address(data, reasons, { query, algorithm: place });
    link.textContent = value === null ? (reasons.get(`${query} ${place}`)?.reason ?? "–") : shown(value);
    for (const content of [String(place + 1), isolated(algorithm.name), link, meanOf(algorithm)]) {
      const cell = document.createElement("td");
      cell.append(content);
      if (row.cells.length !== 1) cell.className = "num";
      row.append(cell);
    }
    return row;
  });
  panel.querySelector("tbody").replaceChildren(...rows);
}

/** Outline the current cell, its row and its column. */
class Cursor {
  /** @param {HTMLElement} frame */
  constructor(frame) {
    this.parts = ["heat-band", "heat-band", "heat-cursor"].map((name) => {
      const part = document.createElement("div");
      part.className = name;
      part.hidden = true;
      frame.append(part);
      return part;
    });
  }

  get hidden() {
    return this.parts[0].hidden;
  }

  /** @param {Sizes} sizes @param {number} query @param {number} algorithm */
  show(sizes, query, algorithm) {
    const x = sizes.left + algorithm * sizes.width;
    const y = sizes.body + query * sizes.height;
    /** @type {[number, number, number, number][]} */
    const boxes = [
      [0, y, sizes.wide, sizes.height],
      [x, 0, sizes.width, sizes.high],
      [x, y, sizes.width, sizes.height],
    ];
    this.parts.forEach((part, place) => {
      const [left, top, width, height] = boxes[place];
      part.hidden = false;
      part.style.left = `${left}px`;
      part.style.top = `${top}px`;
      part.style.width = `${width}px`;
      part.style.height = `${height}px`;
    });
  }

  bringIntoView() {
    this.parts[2].scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

const element = document.getElementById("heat-data");
if (element) start(JSON.parse(element.textContent ?? ""));
