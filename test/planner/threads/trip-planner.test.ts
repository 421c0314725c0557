/** The planner with threads: answers, limits, a change of snapshot under load, and threads that die or hang. */
import assert from 'node:assert/strict';
import { createTripPlanner, type TripPlannerProcess, TripSearchFailure } from '../../../planner/index.ts';
import type { TripPlannerOptions } from '../../../planner/threads/create-trip-planner.ts';
import { SearchThread } from '../../../planner/threads/search-thread-handle.ts';
import { ThreadGroup } from '../../../planner/threads/thread-group.ts';
import type { TripAnswer, TripRequest } from '../../../planner/trip/trip-types.ts';
import { until } from '../../support/until.ts';
import { createNetwork, type Network } from '../support/network.ts';
import { codes, requestOf } from '../trip/plan.ts';

function shuttle(minutes: number): Network {
  const network = createNetwork().stops('A 59.9 10.7', 'Z 60.3 10.7');
  return network.line('1', [`A 08:00 - Z 08:${minutes}`]);
}

const requestIn = (network: Network): TripRequest => requestOf('A', 'Z', network.at('2026-11-23 07:55'), { count: 1 });

/**
 * A request whose search takes at least a tenth of a second. Every stop leads to every other, and all journeys of a day
 * are requested.
 */
function hardQuestion(): { network: Network; request: TripRequest } {
  const network = createNetwork();
  const [lines, stops] = [120, 80];
  network.stops(...Array.from({ length: stops }, (_, stop) => `S${stop} ${59.9 + stop * 0.05} 10.7`));
  const clock = (minutes: number): string =>
    `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  for (let line = 0; line < lines; line += 1) {
    const path = Array.from({ length: 12 }, (_, place) => (line * 7 + place * (1 + (line % 5))) % stops);
    const calls = (start: number): string =>
      path.map((stop, place) => `S${stop} ${clock(start + place * (3 + (line % 4)))}`).join(' - ');
    network.line(
      `${line}`,
      Array.from({ length: 250 }, (_, trip) => calls((line % 5) + trip * 5)),
    );
  }
  const request = requestOf('S0', 'S33', network.at('2026-11-23 00:00'), {
    windowSeconds: 86_400,
    count: 2_000,
    transferSlackSeconds: 0,
  });
  return { network, request };
}

const failsWith =
  (code: string) =>
  (error: unknown): boolean =>
    error instanceof TripSearchFailure && error.code === code;

describe('trip planner in threads', () => {
  const open: TripPlannerProcess[] = [];
  const create = (options: TripPlannerOptions = {}): TripPlannerProcess => {
    const created = createTripPlanner({ threads: 2, warmUpMs: 0, ...options });
    open.push(created);
    return created;
  };
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.close()));
  });

  it('answers many requests at once, each as in one thread', async () => {
    const network = shuttle(30);
    const { planner, use, stats } = bound(create());
    await use(network.bytes());
    const answers = await Promise.all(Array.from({ length: 50 }, () => planner.trip(requestIn(network))));
    assert.equal(answers.length, 50);
    for (const { patterns } of answers) assert.equal(patterns[0]?.arrival, network.at('2026-11-23 08:30'));
    assert.deepEqual([stats().answered, stats().waiting, stats().busy, stats().threads], [50, 0, 0, 2]);
  });

  it('answers a faulty request with its errors, and a wrong cursor with a failure', async () => {
    const network = shuttle(30);
    const { planner, use, stats } = bound(create({ threads: 1 }));
    await use(network.bytes());
    assert.deepEqual(codes(await planner.trip(requestOf('gone', 'Z', 0))), ['locationNotFound from']);
    await assert.rejects(planner.trip({ ...requestIn(network), cursor: 'x' }), failsWith('invalidCursor'));
    assert.deepEqual(stats().failed, { invalidCursor: 1 });
  });

  it('is unavailable before the first snapshot and after closing', async () => {
    const network = shuttle(30);
    const process = create({ threads: 1 });
    await assert.rejects(process.planner.trip(requestIn(network)), failsWith('unavailable'));
    await process.use(network.bytes());
    await process.close();
    await assert.rejects(process.planner.trip(requestIn(network)), failsWith('unavailable'));
    await assert.rejects(process.use(network.bytes()), failsWith('unavailable'));
  });

  it('changes its snapshot under load: no request fails, and each is answered from one snapshot', async () => {
    const [old, fresh] = [shuttle(30), shuttle(45)];
    const { planner, use, stats } = bound(create());
    await use(old.bytes());
    let isOver = false;
    const answers: TripAnswer[] = [];
    const traveller = async (): Promise<void> => {
      while (!isOver) answers.push(await planner.trip(requestIn(old)));
    };
    const travellers = Array.from({ length: 6 }, traveller);
    for (const network of [fresh, old, fresh]) await use(network.bytes());
    const after = await planner.trip(requestIn(old));
    isOver = true;
    await Promise.all(travellers);
    assert.equal(after.snapshotId, fresh.build().snapshotId);
    assert.ok(answers.length > 20);
    const arrivals = new Map([
      [old.build().snapshotId, old.at('2026-11-23 08:30')],
      [fresh.build().snapshotId, old.at('2026-11-23 08:45')],
    ]);
    for (const { patterns, snapshotId } of answers) assert.equal(patterns[0]?.arrival, arrivals.get(snapshotId));
    assert.equal(new Set(answers.map(({ snapshotId }) => snapshotId)).size, 2);
    assert.deepEqual([stats().failed, stats().threadDeaths, stats().threads], [{}, 0, 2]);
  });

  it('keeps its snapshot when the next one cannot be opened', async () => {
    const network = shuttle(30);
    const { planner, use } = bound(create({ threads: 1 }));
    await use(network.bytes());
    await assert.rejects(use(new SharedArrayBuffer(1_000)));
    assert.equal((await planner.trip(requestIn(network))).snapshotId, network.build().snapshotId);
  });

  describe('with a long search', () => {
    const { network, request } = hardQuestion();

    it('ends it at the timeout, and keeps the thread', async () => {
      const { planner, use, stats } = bound(create({ threads: 1, timeoutMs: 20 }));
      await use(network.bytes());
      await assert.rejects(planner.trip(request), failsWith('timeout'));
      const small = requestOf('S0', 'S1', network.at('2026-11-23 08:00'), { windowSeconds: 600, maximumTransfers: 0 });
      await untilAnswered(() => planner.trip(small));
      assert.equal(stats().threadDeaths, 0);
    });

    it('ends it when the caller cancels, waiting or running', async () => {
      const { planner, use } = bound(create({ threads: 1 }));
      await use(network.bytes());
      const [running, waiting] = [new AbortController(), new AbortController()];
      const first = planner.trip(request, running.signal);
      const second = planner.trip(request, waiting.signal);
      waiting.abort();
      await assert.rejects(second, failsWith('cancelled'));
      running.abort();
      await assert.rejects(first, failsWith('cancelled'));
      await assert.rejects(planner.trip(request, AbortSignal.abort()), failsWith('cancelled'));
    });

    it('rejects requests beyond the length of the queue', async () => {
      const { planner, use, stats } = bound(create({ threads: 1, queueLimit: 2 }));
      await use(network.bytes());
      const given = new AbortController();
      const taken = Array.from({ length: 3 }, () => planner.trip(request, given.signal));
      await assert.rejects(planner.trip(request), failsWith('overloaded'));
      assert.equal(stats().waiting, 2);
      given.abort();
      for (const one of taken) await assert.rejects(one, failsWith('cancelled'));
    });

    it('takes callers in rotation, and drops a search of the one with the most from a full queue', async () => {
      const { planner, use, stats } = bound(create({ threads: 1, queueLimit: 4 }));
      await use(network.bytes());
      const given = new AbortController();
      const flood = Array.from({ length: 5 }, () => planner.trip(request, given.signal, 'many'));
      const settled: string[] = [];
      flood.forEach((one, at) => {
        one.catch(({ code }: TripSearchFailure) => settled.push(`${at} ${code}`));
      });
      const small = requestOf('S0', 'S1', network.at('2026-11-23 08:00'), { windowSeconds: 600, maximumTransfers: 0 });
      const newcomer = planner.trip(small, undefined, 'one');
      assert.equal(stats().waiting, 4);
      await assert.rejects(planner.trip(request, undefined, 'many'), failsWith('overloaded'));
      await assert.rejects(flood[4] as Promise<TripAnswer>, failsWith('overloaded'));
      await newcomer;
      assert.deepEqual(settled, ['4 overloaded']);
      given.abort();
      await Promise.allSettled(flood);
    });

    it('rejects the request of a dead thread', async () => {
      const thread = new SearchThread({ number: 1, bytes: network.bytes() }, 0);
      await thread.ready;
      const running = thread.run(request);
      await Promise.all([assert.rejects(running, failsWith('unavailable')), thread.end()]);
    });

    it('replaces a dead thread', async () => {
      let deaths = 0;
      let becameIdle = (): void => undefined;
      const group = await ThreadGroup.start({
        bytes: network.bytes(),
        size: 1,
        warmUpMs: 0,
        onIdle: () => becameIdle(),
        onDeath: () => {
          deaths += 1;
        },
      });
      const idleAgain = new Promise<void>((resolve) => {
        becameIdle = resolve;
      });
      const thread = group.take();
      assert.ok(thread !== undefined && group.take() === undefined);
      await thread.end();
      group.giveBack(thread);
      await idleAgain;
      const next = group.take();
      assert.ok(next !== undefined && next !== thread);
      const short = requestOf('S0', 'S1', network.at('2026-11-23 08:00'), { windowSeconds: 600, maximumTransfers: 0 });
      assert.ok((await next.run(short)).snapshotId.length > 0);
      assert.deepEqual([deaths, group.readyCount], [1, 1]);
      await group.end();
    });

    it('closes during the search', async () => {
      const process = create({ threads: 1 });
      await process.use(network.bytes());
      const running = [process.planner.trip(request), process.planner.trip(request)];
      const rejections = running.map((one) => assert.rejects(one, failsWith('unavailable')));
      await process.close();
      await Promise.all(rejections);
    });
  });
});

/** The functions of the planner, usable without the object. */
function bound(process: TripPlannerProcess): Pick<TripPlannerProcess, 'planner' | 'use' | 'stats'> {
  return { planner: process.planner, use: (bytes) => process.use(bytes), stats: () => process.stats() };
}

/** Retries, since a thread stops a moment after its signal. */
async function untilAnswered(search: () => Promise<TripAnswer>): Promise<void> {
  const isAnswered = async (): Promise<boolean> => {
    try {
      await search();
      return true;
    } catch (error) {
      if (!failsWith('timeout')(error)) throw error;
      return false;
    }
  };
  await until(isAnswered, { what: 'an answer of the thread' });
}
