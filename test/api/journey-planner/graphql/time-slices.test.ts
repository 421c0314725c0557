/** Long answers share the event loop: turns of all requests, items of lists, and writing JSON. */
import assert from 'node:assert/strict';
import { jsonInSlices } from '../../../../api/journey-planner/executor/json-in-slices.ts';
import { TimeSlices } from '../../../../api/journey-planner/executor/time-slices.ts';

/** Calls back with each round of the event loop until the returned function is called. */
function eachRound(take: () => void): () => void {
  let isOver = false;
  const again = () => {
    if (isOver) return;
    take();
    setImmediate(again);
  };
  setImmediate(again);
  return () => {
    isOver = true;
  };
}

/** As an executor consumes a list: every item is asked for at once. */
async function makeAll(slices: TimeSlices, items: readonly number[], make: (item: number) => void): Promise<void> {
  const made: unknown[] = [];
  for (const item of slices.inParts(items)) made.push(item instanceof Promise ? item.then(make) : make(item));
  await Promise.all(made);
}

describe('Time slices', () => {
  it('give one of all requests a turn each round, in rotation', async () => {
    let inRound = 0;
    let most = 0;
    const order: string[] = [];
    const stop = eachRound(() => {
      most = Math.max(most, inRound);
      inRound = 0;
    });
    const work = async (name: string) => {
      const slices = new TimeSlices(0);
      for (let turn = 0; turn < 5; turn += 1) {
        await slices.turn();
        inRound += 1;
        order.push(name);
      }
    };
    await Promise.all(['a', 'b', 'c'].map(work));
    stop();
    assert.equal(most, 1);
    assert.deepEqual(order.slice(0, 6), ['a', 'b', 'c', 'a', 'b', 'c']);
  });

  /** Takes so many turns, and ends earlier once `stopped` holds. */
  async function takeTurns(turns: number, stopped = () => false): Promise<void> {
    const slices = new TimeSlices(0);
    for (let turn = 0; turn < turns && !stopped(); turn += 1) await slices.turn();
  }

  it('let an answer of a few turns end while many long ones are made', async () => {
    let taken = 0;
    let ended = false;
    const long = Array.from({ length: 200 }, () =>
      takeTurns(Number.POSITIVE_INFINITY, () => {
        taken += 1;
        return ended;
      }),
    );
    while (taken < 2_000) await new Promise(setImmediate);
    const before = taken;
    await takeTurns(5);
    ended = true;
    assert.ok(taken - before <= 10, `${taken - before} turns of others`);
    await Promise.all(long);
  });

  it('let a long answer end while short ones come without end', async () => {
    let ended = false;
    let short = 0;
    const shorts = async () => {
      while (!ended) {
        await takeTurns(1);
        short += 1;
      }
    };
    const others = [shorts(), shorts(), shorts()];
    await takeTurns(50);
    ended = true;
    await Promise.all(others);
    assert.ok(short <= 50 * 8, `${short} short answers`);
  });

  it('end between two steps of a request, of which the first was long', async () => {
    let rounds = 0;
    const stop = eachRound(() => {
      rounds += 1;
    });
    assert.equal(
      new TimeSlices(1_000).inTime(() => 'at once'),
      'at once',
    );
    assert.equal(await new TimeSlices(0).inTime(() => rounds), 1);
    stop();
  });

  it('end a turn after the item that was long, and keep the order of items', async () => {
    let inRound = 0;
    let most = 0;
    const stop = eachRound(() => {
      most = Math.max(most, inRound);
      inRound = 0;
    });
    const made: number[] = [];
    const items = Array.from({ length: 40 }, (_, at) => at);
    await makeAll(new TimeSlices(0), items, (item) => {
      inRound += 1;
      made.push(item);
    });
    stop();
    assert.equal(most, 1, 'items in one round');
    assert.deepEqual(made, items);
  });

  it('write the JSON that JSON.stringify writes, in turns', async () => {
    const long = Array.from({ length: 100 }, (_, at) => ({
      at,
      text: 'æ"\n',
      none: null,
      list: [at, [at]],
      left: undefined,
    }));
    const values: unknown[] = [
      { data: { lines: long, empty: [], a: { b: { c: long } }, 'k"y': { list: [] } }, errors: undefined },
      { data: null },
      [],
      long.map(({ list }) => list),
      { data: { few: [{ many: long }] } },
    ];
    for (const value of values) {
      const slices = new TimeSlices(0);
      const text = (await jsonInSlices(value, slices)).join('');
      assert.equal(text, JSON.stringify(value));
      if (text.length > 1_000) assert.ok(slices.turns > 100, `${slices.turns} turns`);
    }
  });
});
