/**
 * Tests the keys of idempotent requests on a real database: one claim at a time, leases that outlive a crash, answers
 * kept for 72 hours.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { IdempotencyStore, LEASE_MS } from '../../platform/idempotency/idempotency-store.ts';
import { REPEATS_RECOGNISED_MS } from '../../platform/idempotency/lifetime.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { useMongo } from '../support/stack.ts';

const START = Date.parse('2026-11-21T12:00:00Z');
const MARKS = { mac: 'made by the HTTP base' };
const answer = { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"a":1}') };

describe('idempotency store', () => {
  let connection: Connection;
  let nowMs = START;
  let store: IdempotencyStore;
  let scope = '';

  before(async () => {
    connection = await connectMongo((await useMongo()).uri('idempotency-store'));
    store = new IdempotencyStore(connection, () => nowMs);
    await store.ensureIndexes();
  });
  beforeEach(() => {
    nowMs = START;
    scope = randomUUID();
  });
  after(async () => {
    await connection.close();
  });

  async function claimed(fingerprint?: string) {
    const outcome = await store.claim(scope, fingerprint === undefined ? undefined : [fingerprint]);
    assert.ok(outcome.kind === 'claimed', outcome.kind);
    return outcome;
  }

  it('lets exactly one of 20 claims win', async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, async () => await store.claim(scope, ['f'])));
    assert.equal(outcomes.filter((outcome) => outcome.kind === 'claimed').length, 1);
    assert.equal(outcomes.filter((outcome) => outcome.kind === 'in progress').length, 19);
  });

  it('returns the stored answer until 72 hours have passed', async () => {
    const { lease } = await claimed('f');
    assert.equal(await store.finish(lease, answer, MARKS), true);
    nowMs += REPEATS_RECOGNISED_MS - 1;
    const again = await store.claim(scope, ['f']);
    assert.ok(again.kind === 'answered');
    assert.deepEqual({ ...again.answer, body: Buffer.from(again.answer.body) }, answer);
    assert.deepEqual(again.marks, MARKS);
    nowMs += 1;
    assert.equal((await store.claim(scope, ['other'])).kind, 'claimed');
  });

  it('starts new work 72 hours after the first attempt, even after takeovers', async () => {
    const { workId } = await claimed('f');
    for (const hours of [30, 60, 71]) {
      nowMs = START + hours * 3_600_000;
      assert.equal((await claimed('f')).workId, workId);
    }
    nowMs = START + REPEATS_RECOGNISED_MS;
    assert.notEqual((await claimed('f')).workId, workId);
  });

  it('gives the work of a crashed holder and its id to one successor after the lease', async () => {
    const first = await claimed('f');
    nowMs += LEASE_MS - 1;
    assert.equal((await store.claim(scope, ['f'])).kind, 'in progress');
    nowMs += 1;
    assert.equal((await store.claim(scope, ['another request'])).kind, 'in progress');
    const outcomes = await Promise.all(Array.from({ length: 20 }, async () => await store.claim(scope, ['f'])));
    const taken = outcomes.filter((outcome) => outcome.kind === 'claimed');
    assert.deepEqual(
      taken.map((outcome) => outcome.workId),
      [first.workId],
    );
    // The first holder was only slow, so it must not overwrite the work of its successor.
    assert.equal(await store.renew(first.lease), false);
    assert.equal(await store.finish(first.lease, answer, MARKS), false);
    await store.release(first.lease, false);
    assert.equal((await store.claim(scope, ['f'])).kind, 'in progress');
  });

  it('keeps a claim as long as it is renewed', async () => {
    const { lease } = await claimed('f');
    for (let count = 0; count < 5; count += 1) {
      nowMs += LEASE_MS - 1;
      assert.equal(await store.renew(lease), true);
      assert.equal((await store.claim(scope, ['f'])).kind, 'in progress');
    }
  });

  it('forgets a released key, unless work may have begun', async () => {
    const first = await claimed('f');
    await store.release(first.lease, false);
    const second = await claimed('g');
    assert.notEqual(second.workId, first.workId);
    await store.release(second.lease, true);
    const third = await claimed('g');
    assert.equal(third.workId, second.workId);
    // The second attempt may have left work, so releasing the third does not free the id.
    await store.release(third.lease, false);
    assert.equal((await claimed('g')).workId, second.workId);
  });

  it('starts the work of a streamed request again while its content is unknown', async () => {
    const first = await claimed();
    nowMs += LEASE_MS;
    const second = await claimed();
    // The first holder may still store its body, which must not collide with that of the second.
    assert.notEqual(second.workId, first.workId);
    assert.equal(await store.identify(first.lease, ['f']), false);
    assert.equal(await store.identify(second.lease, ['g']), true);
    nowMs += LEASE_MS;
    assert.equal((await claimed()).workId, second.workId);
  });

  it('accepts the content of a streamed request later', async () => {
    const first = await claimed();
    assert.equal(first.fingerprint, undefined);
    assert.equal(await store.identify(first.lease, ['f']), true);
    assert.equal(await store.identify(first.lease, ['f']), true);
    assert.equal(await store.identify(first.lease, ['g']), false);
    nowMs += LEASE_MS;
    const second = await claimed();
    assert.deepEqual([second.workId, second.fingerprint], [first.workId, 'f']);
    assert.equal(await store.identify(first.lease, ['f']), false);
  });
});
