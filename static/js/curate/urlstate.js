// Queue, topic, search and page in the address: a reload, a bookmark or a colleague lands at the same place.

export function readAddress(location = window.location) {
  const given = new URLSearchParams(location.search);
  return {
    queue: given.get("queue") ?? "",
    topic: given.get("topic"),
    search: given.get("q") ?? "",
    page: given.get("page"),
  };
}

/** Beside a topic only its splitting is told: all else is its pages. @param {{queue: string, topic: string|null, search: string, cursor: string|null}} view */
export function writeAddress(view, { history = window.history, location = window.location } = {}) {
  const wanted = new URLSearchParams();
  if (view.topic !== null) wanted.set("topic", view.topic);
  if (view.queue && (view.topic === null || view.queue === "split")) wanted.set("queue", view.queue);
  if (view.search) wanted.set("q", view.search);
  if (view.cursor !== null) wanted.set("page", view.cursor);
  const address = `${location.pathname}?${wanted}`;
  if (address !== `${location.pathname}${location.search}`) history.replaceState(null, "", address);
}
