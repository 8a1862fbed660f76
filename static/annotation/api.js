/** Requests to the work API. They carry the page's token and no cookie, and work from a frame without an origin. */

// Browsers refuse larger bodies in a request that outlives its page.
const MOST_LEAVING_BYTES = 60_000;

/** `{status, reply}` of the request (its body may be null), or a rejection where no answer came. */
export async function request(method, url, token, body, { leaving = false } = {}) {
  const text = body && JSON.stringify(body);
  const response = await fetch(url, {
    method,
    body: text,
    headers: { "Content-Type": "application/json", Authorization: `Work ${token}` },
    credentials: "omit",
    cache: "no-store",
    keepalive: leaving && new TextEncoder().encode(text).length < MOST_LEAVING_BYTES,
  });
  return { status: response.status, reply: await response.json().catch(() => ({})) };
}
