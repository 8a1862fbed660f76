// The last step: whatever the network does, the work is handed over once, and nothing older overtakes it.
import assert from "node:assert/strict";
import { mock, test } from "node:test";

import fc from "fast-check";

import { Autosave } from "../../static/annotation/autosave.js";
import { Finish } from "../../static/annotation/finish.js";

/** A page whose drafts and submission meet `fates` in turn; then all arrive. `finished` is what the server stored. */
function openPage(fates = []) {
  const page = { text: "typed", told: [], drafts: [], finished: [], sent: [] };
  const meet = async (take) => {
    const fate = fates.shift() ?? "arrives";
    if (fate === "lost") throw new TypeError("no network");
    if (fate === "busy") return { status: 503, reply: {} };
    const outcome = take();
    if (fate === "unanswered") throw new TypeError("the answer was lost");
    return outcome;
  };
  page.autosave = new Autosave({
    send: (body) => meet(() => {
      page.drafts.push(body.version);
      return { status: 200, reply: { version: body.version } };
    }),
    content: () => ({ text: page.text }),
    version: 0,
    copy: { write: () => {}, clear: () => {} },
    onStatus: () => {},
  });
  page.answer = () => ({ status: 200, reply: {} });
  page.finish = new Finish({
    send: (body) => {
      page.sent.push(body.version);
      return meet(() => {
        const outcome = page.answer(body);
        if (outcome.status === 200 && !page.finished.length) page.finished.push(body);
        return outcome;
      });
    },
    autosave: page.autosave,
    content: () => ({ text: page.text }),
    on: Object.fromEntries(
      ["busy", "waiting", "problems", "conflict", "refused", "done"].map((name) => [
        name,
        (what) => page.told.push(name === "busy" ? `busy ${what}` : name),
      ]),
    ),
  });
  return page;
}

async function pass(milliseconds) {
  for (let passed = 0; passed < milliseconds; passed += 500) {
    mock.timers.tick(500);
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

timed("what is pressed twice is sent once", async () => {
  const page = openPage();
  page.finish.start();
  page.finish.start();
  await pass(500);
  assert.deepEqual([page.sent.length, page.told], [1, ["busy true", "done"]]);
});

timed("what is still open goes back to the worker, and drafts are saved again", async () => {
  const page = openPage();
  page.answer = () => ({ status: 422, reply: { errors: [] } });
  page.finish.start();
  await pass(2000);
  assert.deepEqual(page.told, ["busy true", "busy false", "problems"]);
  assert.equal(page.drafts.at(-1), page.sent[0] + 1);
  page.answer = () => ({ status: 200, reply: {} });
  page.finish.start();
  await pass(500);
  assert.equal(page.told.at(-1), "done");
});

for (const [status, code, told] of [[409, "stale", "conflict"], [409, "finished", "refused"], [403, "", "refused"]]) {
  timed(`an answer ${status} ${code} is told as ${told} and not repeated`, async () => {
    const page = openPage();
    page.answer = () => ({ status, reply: { code } });
    page.finish.start();
    await pass(30_000);
    assert.deepEqual([page.sent.length, page.told], [1, ["busy true", "busy false", told]]);
  });
}

timed("whoever does not want to wait has the next try at once", async () => {
  const page = openPage(["lost", "lost", "lost", "lost"]);
  page.finish.start();
  await pass(7500); // tries at 0, 1, 3 and 7 seconds
  assert.equal(page.sent.length, 4);
  page.finish.wake();
  await pass(500);
  assert.deepEqual([page.sent.length, page.told.at(-1)], [5, "done"]);
});

test("whatever the network does, the last work is stored once, and no draft comes after it", async () => {
  const fates = fc.array(fc.constantFrom("arrives", "lost", "busy", "unanswered"), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fates, fc.nat(20), fc.boolean(), async (theirFates, wait, wakes) => {
      mock.timers.enable({ apis: ["setTimeout"] });
      try {
        const page = openPage(theirFates);
        page.autosave.changed(true);
        await pass(wait * 500);
        page.text = "the last";
        page.autosave.changed();
        page.finish.start();
        if (wakes) page.finish.wake();
        await pass(120_000);
        assert.deepEqual(page.finished.map(({ text }) => text), ["the last"]);
        assert.deepEqual(page.told.filter((one) => one === "done"), ["done"]);
        assert.ok(page.drafts.every((version) => version < page.sent[0]));
        assert.equal(new Set(page.sent).size, 1); // a repeat is the same to the server
      } finally {
        mock.timers.reset();
      }
    }),
    { numRuns: 60 },
  );
});
