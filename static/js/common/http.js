// Asking the site: JSON there and back, and every failure as one kind of error that says what to do about it.

/**
 * The `error` object of a response.
 * @typedef {{code?: string, sentence?: string, fix?: string, [field: string]: unknown}} Problem
 */

/** The site could not be reached, or answered with an error. `status` is 0 where there was no answer at all. */
export class HttpError extends Error {
  /**
   * @param {number} status
   * @param {Problem} [problem]
   * @param {number} [retryAfter] seconds
   */
  constructor(status, problem = {}, retryAfter = 0) {
    super(
      problem.sentence || (status ? `The site answered with an error (${status}).` : "The site cannot be reached."),
    );
    this.name = "HttpError";
    this.status = status;
    this.problem = problem;
    this.code = problem.code ?? "";
    this.fix = problem.fix ?? "";
    this.retryAfter = retryAfter;
  }

  /** Trying the same again may help: no network, a busy or a broken server. */
  get mayPass() {
    return this.status === 0 || this.status >= 500 || [408, 425, 429].includes(this.status);
  }

  /** Nobody is signed in, or somebody who may not do this, or may not even know of it. */
  get notAllowed() {
    return [401, 403, 404].includes(this.status);
  }
}

/** How often the site is asked again for something that it was too busy to work out. */
const TRIES = 3;

/**
 * Asks, and asks again after the time the site names where it only lacked a place for slow work.
 * @param {string} url
 * @param {Options} [options]
 * @returns {Promise<Json>} as `askOnce`
 * @throws {HttpError} as `askOnce`
 */
export async function ask(url, options = {}) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await askOnce(url, options);
    } catch (error) {
      const { method = "GET", signal } = options;
      const isCrowded = error instanceof HttpError && error.code.startsWith("slow-work");
      if (!isCrowded || method !== "GET" || tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, error.retryAfter * 1_000));
      if (signal?.aborted) throw error;
    }
  }
}

/**
 * @typedef {{me?: string, method?: string, body?: object, fetch?: typeof globalThis.fetch, signal?: AbortSignal, keepalive?: boolean}} Options
 *   `me`: whose page this is. Somebody else may have signed in to this browser since: the site then refuses (401) what
 *   would be done as them. Whatever writes says it.
 */

/**
 * @param {string} url
 * @param {Options} options
 * @returns {Promise<Json>} the JSON of the answer, null if it is empty
 * @throws {HttpError} for every answer of 400 and more, and where there is none
 */
async function askOnce(url, { me, method = "GET", body, fetch = globalThis.fetch, signal, keepalive }) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (me !== undefined) headers["X-QC4-Person"] = encodeURIComponent(me); // SamePerson in accounts/authentication.py
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (method !== "GET") headers["X-CSRFToken"] = csrfToken();
  let response;
  let text;
  try {
    response = await fetch(url, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
      cache: "no-store",
      signal,
      keepalive,
    });
    text = await response.text();
  } catch {
    throw new HttpError(0);
  }
  const answer = parsed(text);
  if (!response.ok)
    throw new HttpError(response.status, answer?.error ?? {}, seconds(response.headers.get("Retry-After")));
  if (answer === undefined) throw new HttpError(502, { sentence: "The site's answer could not be read." });
  return answer;
}

/** The cookie's token; where scripts cannot read the cookie, that of a form on the page. */
function csrfToken() {
  const cookie = /(?:^|;\s*)csrftoken=([^;]*)/.exec(globalThis.document?.cookie ?? "");
  if (cookie) return decodeURIComponent(cookie[1]);
  return String(document.querySelector("input[name=csrfmiddlewaretoken]")?.value ?? "");
}

/** @param {string} text */
function parsed(text) {
  if (!text) return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {string|null} header */
function seconds(header) {
  const value = Number(header);
  return Number.isFinite(value) && value > 0 ? value : 0;
}
