// Saving: whatever the network does, the server ends with what the worker last had, and no older work replaces newer.
import assert from "node:assert/strict";
import { mock, test } from "node:test";

import fc from "fast-check";

import { Autosave, CONFLICT, OFFLINE, REFUSED, SAVED } from "../../static/annotation/autosave.js";

/** The server's rule: the newest version wins; an older one, or another text under the same one, was overtaken. */
class Server {
  version = 0;
  text = "";

  take({ version, text }) {
    const isStale = version < this.version || (version === this.version && text !== this.text);
    if (isStale) return { status: 409, reply: { code: "stale", version: this.version } };
    this.version = version;
    this.text = text;
    return { status: 200, reply: { version } };
  }
}

/** A worker's page that saves to `server`; `fates` says what becomes of each request in turn, then all arrive. */
function openPage(server, fates = []) {
  const page = { text: "", statuses: [], waits: [], kept: null, bodies: [] };
  page.autosave = new Autosave({
    send: async (body) => {
      page.bodies.push(body);
      const fate = fates.shift() ?? "arrives";
      if (fate === "lost") throw new TypeError("no network");
      if (fate === "busy") return { status: 503, reply: {} };
      const outcome = server.take(body);
      if (fate === "unanswered") throw new TypeError("the answer was lost");
      return outcome;
    },
    content: () => ({ text: page.text }),
    version: server.version,
    copy: { write: (value) => (page.kept = value), clear: () => (page.kept = null) },
    onStatus: (status, reply) => {
      page.statuses.push(status);
      if (status === OFFLINE) page.waits.push(reply.waitMs);
    },
  });
  page.type = (text, atOnce = false) => {
    page.text = text;
    page.autosave.changed(atOnce);
  };
  return page;
}

/** Let the milliseconds pass, with all that is due in them. */
async function pass(milliseconds) {
  for (let passed = 0; passed < milliseconds; passed += 100) {
    mock.timers.tick(100);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  }
}

function timed(name, run) {
  test(name, async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      await run();
    } finally {
      mock.timers.reset();
    }
  });
}

timed("typing is saved once it pauses, a mark at once", async () => {
  const server = new Server();
  const page = openPage(server);
  page.type("W");
  await pass(300);
  page.type("Wh");
  assert.equal(server.text, "");
  await pass(800);
  assert.deepEqual([server.text, page.bodies.length], ["Wh", 1]);
  page.type("Wh + mark", true);
  await pass(100);
  assert.equal(server.text, "Wh + mark");
  assert.equal(page.kept, null);
});

timed("what failed is tried again, later each time, until it arrives", async () => {
  const server = new Server();
  const page = openPage(server, ["lost", "busy", "lost"]);
  page.type("kept", true);
  await pass(100);
  assert.deepEqual([page.statuses.at(-1), page.kept.content.text], [OFFLINE, "kept"]);
  await pass(7000);
  assert.deepEqual([server.text, page.statuses.at(-1), page.kept], ["kept", SAVED, null]);
  assert.deepEqual(page.bodies.map(({ version }) => version), [1, 2, 3, 4]);
});

timed("typing on does not bring the next try nearer, asking for it does", async () => {
  const server = new Server();
  const page = openPage(server, ["lost", "lost", "lost", "lost"]);
  page.type("a", true);
  await pass(3500); // tries at 0, 1 and 3 seconds
  assert.equal(page.bodies.length, 3);
  page.type("ab", true);
  page.type("abc");
  await pass(2000);
  assert.deepEqual([page.bodies.length, page.waits], [3, [1000, 2000, 4000]]);
  page.autosave.wake();
  await pass(100);
  assert.deepEqual([page.bodies.length, page.statuses.at(-1)], [4, OFFLINE]);
  await pass(2100);
  assert.deepEqual([server.text, page.statuses.at(-1)], ["abc", SAVED]);
});

timed("newer work from another window stops saving until the worker has chosen", async () => {
  const server = new Server();
  const [first, second] = [openPage(server), openPage(server)];
  first.type("first", true);
  await pass(100);
  first.type("first, longer", true);
  await pass(100);
  second.type("second", true);
  await pass(1000);
  assert.deepEqual([server.text, second.statuses.at(-1)], ["first, longer", CONFLICT]);
  second.type("second, longer", true);
  await pass(1000);
  assert.equal(server.text, "first, longer");
  second.autosave.resume(server.version);
  await pass(100);
  assert.deepEqual([server.text, second.statuses.at(-1)], ["second, longer", SAVED]);
});

timed("a refusal is told and not repeated", async () => {
  const page = openPage({ version: 0, take: () => ({ status: 403, reply: {} }) });
  page.type("too late", true);
  await pass(60_000);
  assert.deepEqual([page.statuses.at(-1), page.bodies.length], [REFUSED, 1]);
});

timed("leaving sends what is unsaved, once", async () => {
  const server = new Server();
  const page = openPage(server);
  page.type("typed and gone");
  page.autosave.leave();
  page.autosave.leave();
  assert.deepEqual([server.text, page.bodies.length], ["typed and gone", 1]);
});

test("whatever the network does, the last work arrives and versions only grow", async () => {
  const fates = fc.array(fc.constantFrom("arrives", "lost", "busy", "unanswered"), { maxLength: 8 });
  const acts = fc.array(fc.tuple(fc.constantFrom("type", "mark", "leave", "online"), fc.integer({ min: 0, max: 20 })), {
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(fates, acts, async (theirFates, theirActs) => {
      mock.timers.enable({ apis: ["setTimeout"] });
      try {
        const server = new Server();
        const page = openPage(server, theirFates);
        for (const [index, [act, wait]] of theirActs.entries()) {
          if (act === "leave") page.autosave.leave();
          else if (act === "online") page.autosave.wake();
          else page.type(`${act} ${index}`, act === "mark");
          await pass(wait * 100);
        }
        await pass(130_000);
        const versions = page.bodies.map(({ version }) => version);
        assert.deepEqual(versions, [...new Set(versions)].sort((a, b) => a - b));
        assert.equal(server.text, page.text);
        assert.ok(page.text === "" || page.statuses.at(-1) === SAVED);
      } finally {
        mock.timers.reset();
      }
    }),
    { numRuns: 60 },
  );
});
