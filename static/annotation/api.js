/** Requests to the work API. They carry the page's token and no cookie, and work from a frame without an origin. */

// Browsers refuse larger bodies in a request that outlives its page.
const MOST_LEAVING_BYTES = 60_000;

/**
 * What the server said: its reply is an empty object where it sent no JSON.
 * @typedef {{status: number, reply: any}} Outcome
 */

/**
 * `{status, reply}` of the request (its body may be null), or a rejection where no answer came.
 * @param {string} method
 * @param {string} url
 * @param {string} token
 * @param {object | null} body
 * @param {{leaving?: boolean}} options `leaving` where the request has to outlive its page
 * @returns {Promise<Outcome>}
 */
export async function request(method, url, token, body, { leaving = false } = {}) {
  const text = body ? JSON.stringify(body) : "";
  const response = await fetch(url, {
    method,
    body: text || null,
    headers: { "Content-Type": "application/json", Authorization: `Work ${token}` },
    credentials: "omit",
    cache: "no-store",
    keepalive: leaving && new TextEncoder().encode(text).length < MOST_LEAVING_BYTES,
  });
  return { status: response.status, reply: await response.json().catch(() => ({})) };
}
