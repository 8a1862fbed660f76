// What the work comes to so far, and when somebody who is away is called back.
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { callsBack, hourlyRate } from "../../static/annotation/pace.js";

const work = { rewardUsd: 3, done: 2, count: 5, activeSeconds: 480 };

test("the rate is the reward for what is done, by the hour", () => {
  assert.equal(hourlyRate(work), 9);
  assert.equal(hourlyRate({ ...work, activeSeconds: 481 }), 8.98);
});

test("no rate is said before anything is done, nor in the first minute", () => {
  assert.equal(hourlyRate({ ...work, done: 0 }), null);
  assert.equal(hourlyRate({ ...work, activeSeconds: 59 }), null);
  assert.notEqual(hourlyRate({ ...work, activeSeconds: 60 }), null);
});

for (const [name, now, expected] of [
  ["somebody at work is left alone", { isActive: true, leftSeconds: 10, allowedSeconds: 720 }, false],
  ["in the last five minutes", { isActive: false, leftSeconds: 300, allowedSeconds: 720 }, true],
  ["not before", { isActive: false, leftSeconds: 301, allowedSeconds: 720 }, false],
  ["in the last fifth of a long time", { isActive: false, leftSeconds: 1440, allowedSeconds: 7200 }, true],
  ["not once it is over", { isActive: false, leftSeconds: 0, allowedSeconds: 720 }, false],
]) {
  test(`a call to who is away: ${name}`, () => assert.equal(callsBack(now), expected));
}

test("more done in the same time is never less an hour, and all of it is the reward over the time", () => {
  const amounts = fc.record({
    rewardUsd: fc.integer({ min: 1, max: 5000 }).map((cents) => cents / 100),
    count: fc.integer({ min: 1, max: 40 }),
    activeSeconds: fc.integer({ min: 60, max: 36_000 }),
  });
  fc.assert(
    fc.property(amounts, (given) => {
      const rates = Array.from({ length: given.count }, (_one, done) => hourlyRate({ ...given, done: done + 1 }));
      assert.deepEqual(rates, [...rates].sort((one, other) => one - other));
      assert.ok(Math.abs(rates.at(-1) - (given.rewardUsd * 3600) / given.activeSeconds) <= 0.005 + 1e-9);
    }),
  );
});

test("who is called back once stays called until they come or the time is over", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 100_000 }), (allowed, left) => {
      const now = { isActive: false, allowedSeconds: allowed, leftSeconds: Math.min(left, allowed) };
      assert.equal(callsBack({ ...now, isActive: true }), false);
      if (callsBack(now)) assert.ok(now.leftSeconds === 1 || callsBack({ ...now, leftSeconds: now.leftSeconds - 1 }));
    }),
  );
});
