// The URL contains queue, topic, search, filters, page and open dialog, so that a reload, a bookmark or a colleague
// gets to the same place.

import { readFilters, writeFilters } from "./filters.js";

export function readAddress(location = window.location) {
  const given = new URLSearchParams(location.search);
  return {
    queue: given.get("queue") ?? "",
    topic: given.get("topic"),
    search: given.get("q") ?? "",
    filters: readFilters(given),
    page: given.get("page"),
    sheet: given.get("sheet"),
  };
}

/**
 * Write the URL. With a topic, the queue is written only for splitting: otherwise all its pages are shown.
 * @param {Pick<import("./view.js").View, "queue"|"topic"|"search"|"filters"|"cursor"|"sheet">} view
 */
export function writeAddress(view, { history = window.history, location = window.location } = {}) {
  const wanted = new URLSearchParams();
  if (view.topic !== null) wanted.set("topic", view.topic);
  if (view.queue && (view.topic === null || view.queue === "split")) wanted.set("queue", view.queue);
  if (view.search) wanted.set("q", view.search);
  writeFilters(view.filters, wanted);
  if (view.sheet !== null) wanted.set("sheet", view.sheet);
  if (view.cursor !== null) wanted.set("page", view.cursor);
  const address = `${location.pathname}?${wanted}`;
  if (address !== `${location.pathname}${location.search}`) history.replaceState(null, "", address);
}
