import assert from 'node:assert/strict';
import { createTimetableBuilder, openTimetable, type Timetable } from '../../../../planner/index.ts';
import type { TripPlanner } from '../../../../planner/trip/trip-types.ts';
import { LruCache } from '../../../../platform/lru-cache.ts';
import { startPlanner } from './planner-process.ts';

function openWithQuays(count: number): Timetable {
  const builder = createTimetableBuilder();
  builder.addAuthority({ id: 'A:Authority:1', name: 'A', timeZone: 'Europe/Oslo' });
  for (let number = 0; number < count; number += 1) {
    builder.addQuay({ id: `NSR:Quay:${number}`, name: `Quay ${number}`, latitude: 60 + number / 1e5, longitude: 10 });
  }
  const { bytes } = builder.finish({ builtAt: 0, footpathMetres: 1 });
  const shared = new SharedArrayBuffer(bytes.byteLength);
  new Uint8Array(shared).set(bytes);
  return openTimetable(shared);
}

describe('GraphQL: limits of an answer', () => {
  it('truncates long lists and reports it in the extensions', async () => {
    const process = await startPlanner(openWithQuays(5_010));
    const box = 'minimumLatitude: 59, maximumLatitude: 61, minimumLongitude: 9, maximumLongitude: 11';
    const { body } = await process.sendQuery(
      'v3',
      `{ quays { id } quaysByBbox(${box}) { id } named: quays(name: "quay 1") { id } }`,
    );
    await process.close();
    assert.deepEqual([body.data.quays.length, body.data.quaysByBbox.length], [5_000, 5_000]);
    assert.deepEqual(body.extensions, {
      notes: ['quays: the first 5000 of 5010 are shown.', 'quaysByBbox: the first 5000 of 5010 are shown.'],
    });
  });

  it('stops after the time limit, and aborts the search', async () => {
    let aborted = false;
    const waiting: TripPlanner = {
      trip: (_, signal) =>
        new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => {
            aborted = true;
            reject(new Error('given up'));
          }),
        ),
    };
    const process = await startPlanner(openWithQuays(10), { GRAPHQL_TIMEOUT_MS: '100' }, waiting);
    const place = '{place: "NSR:Quay:1"}';
    const { status, body } = await process.sendQuery(
      'v3',
      `{ trip(from: ${place}, to: ${place}) { tripPatterns { duration } } }`,
    );
    await process.close();
    assert.equal(status, 400);
    assert.deepEqual([body.errors?.[0]?.extensions?.limit, body.errors?.[0]?.extensions?.maximum], ['time', 100]);
    assert.ok(aborted);
  });
});

describe('the cache of queries', () => {
  it('keeps the most recently used, by number and weight', () => {
    const cache = new LruCache<number>(3, 10);
    for (const [key, weight] of [
      ['a', 1],
      ['b', 1],
      ['c', 1],
    ] as const)
      cache.set(key, weight, weight);
    cache.get('a');
    cache.set('d', 1, 1);
    assert.deepEqual([cache.get('a'), cache.get('b'), cache.size], [1, undefined, 3]);
    cache.set('e', 1, 9);
    assert.deepEqual([cache.size, cache.get('a'), cache.get('e')], [2, 1, 1]);
    // Heavier than the whole cache: keeping it would remove all others, and then itself.
    cache.set('f', 1, 11);
    assert.deepEqual([cache.size, cache.get('a'), cache.get('f')], [2, 1, undefined]);
  });
});
