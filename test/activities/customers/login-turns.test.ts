/** Tests that log-ins of one subject take turns in their order, and that a wait ends. */
import assert from 'node:assert/strict';
import { LoginTurns } from '../../../activities/customers/login-turns.ts';
import { outcomeOf } from './customer-fixture.ts';

describe('turns of log-ins', () => {
  it('come in the order of arrival, so many at once', async () => {
    const turns = new LoginTurns();
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const all = Array.from({ length: 5 }, async (_, at) => {
      ends.push(await turns.take('one', 2));
      begun.push(at);
    });
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    await settle();
    assert.deepEqual(begun, [0, 1]);
    for (const more of [[2], [3], [4], [], []]) {
      const before = begun.length;
      ends.shift()?.();
      await settle();
      assert.deepEqual(begun.slice(before), more);
    }
    await Promise.all(all);
    assert.equal(typeof (await turns.take('one', 1)), 'function');
  });

  it('end for one that waits too long, and pass it over', async () => {
    const turns = new LoginTurns(20);
    const end = await turns.take('one', 1);
    assert.equal(await outcomeOf(turns.take('one', 1)), 'UNAVAILABLE');
    end();
    (await turns.take('one', 1))();
  });

  it('are refused beyond ten that wait for each', async () => {
    const turns = new LoginTurns();
    const ends = await Promise.all([turns.take('one', 2), turns.take('one', 2)]);
    const waiting = Array.from({ length: 20 }, async () => (await turns.take('one', 2))());
    assert.equal(await outcomeOf(turns.take('one', 2)), 'RATE_LIMITED');
    for (const end of ends) end();
    await Promise.all(waiting);
  });
});
