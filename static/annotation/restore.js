/** The work as it was left, from wherever the newest of it is. */

import { request } from "./api.js";
import { Stored } from "./autosave.js";
import { data, enabled } from "./page.js";
import { Work } from "./state.js";

// This browser's own copy of what was typed and marked, whatever language the page is read in.
const address = new URLSearchParams(location.search);
address.delete("lang");
export const copy = new Stored(`spanwright ${location.pathname}?${address}`);
// The token of this worker's last go at this task: the proof that what was typed in it is theirs to read.
const workerId = address.get("workerId");
export const lastGo = new Stored(`spanwright last go ${data.submit?.url} ${workerId} ${data.paragraphs[0]?.id}`);

/**
 * The work as it was left: the newest of the draft in the page, the browser's own copy, and the server's; where this
 * assignment has none of them, what was typed before the HIT was returned. `unsaved` where it is not this
 * assignment's draft on the server yet.
 * @param {(what: import("./state.js").Change) => void} onChange
 */
export async function restore(onChange) {
  const options = { onChange };
  const newer = enabled ? (copy.read() ?? (copy.works ? null : await draftOf(data.token))) : null;
  if (newer?.version > data.version) {
    try {
      return { work: new Work(data, { ...options, draft: newer.content }), version: newer.version, unsaved: true };
    } catch {
      copy.clear(); // not a copy that we wrote
    }
  }
  const token = enabled && !data.version ? lastGo.read() : null;
  const earlier = token ? await draftOf(token) : null;
  if (earlier?.version) {
    return { work: new Work(data, { ...options, draft: earlier.content }), version: 0, unsaved: true };
  }
  return { work: new Work(data, options), version: data.version, unsaved: false };
}

/**
 * The server's draft as it is now, for the assignment of `token`. What the page before this one sent as its last act
 * may have arrived after this one was rendered; without storage in the frame there is no other trace of it.
 * @param {string | null} token
 */
async function draftOf(token) {
  if (!token || !data.endpoints) return null;
  const outcome = await request("GET", data.endpoints.draft, token, null).catch(() => null);
  return outcome?.status === 200 ? { version: outcome.reply.version, content: outcome.reply } : null;
}
