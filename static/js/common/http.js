// Requests to the site: JSON in both directions. Every failure becomes one kind of error that says what to do.

/**
 * The `error` object of a response.
 * @typedef {{code?: string, sentence?: string, fix?: string, [field: string]: unknown}} Problem
 */

/** The site could not be reached, or responded with an error. `status` is 0 if there was no response. */
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

  /** True if another attempt may succeed: no network, or a busy or broken server. */
  get mayPass() {
    return this.status === 0 || this.status >= 500 || [408, 425, 429].includes(this.status);
  }

  /** True if nobody is signed in, or the person may not do this or may not know of it. */
  get notAllowed() {
    return [401, 403, 404].includes(this.status);
  }
}

/** How many attempts are made if the site is too busy to compute a response. */
const TRIES = 3;

/**
 * Send a request. If the site is too busy with slow work, send it again after the time it names.
 * @param {string} url
 * @param {Options} [options]
 * @returns {Promise<Json>} see `askOnce`
 * @throws {HttpError} see `askOnce`
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
 * @typedef {{me?: string, method?: string, body?: object, fetch?: typeof globalThis.fetch, signal?: AbortSignal,
 *   keepalive?: boolean}} Options `me`: the person whose page this is. Somebody else may have signed in to this browser
 *   since; the site then rejects (401) what would be done in their name. All requests that write something send it.
 */

/**
 * @param {string} url
 * @param {Options} options
 * @returns {Promise<Json>} the JSON of the response; null if it is empty
 * @throws {HttpError} for every response of 400 and above, and if there is no response
 */
async function askOnce(url, { me, method = "GET", body, fetch = globalThis.fetch, signal, keepalive }) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (me !== undefined) headers["X-QC4-Person"] = encodeURIComponent(me); // See SamePerson in accounts/authentication.py.
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
  if (answer === undefined) throw new HttpError(502, { sentence: "The site's response could not be read." });
  return answer;
}

/** The token from the cookie. If scripts cannot read the cookie, the token of a form on the page. */
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
