/** How failed logins are counted: by subject, within a window, and never more checked at once than may fail. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { FAILURE_WINDOW_MS, LoginFailureStore } from '../../../activities/customers/login-failures.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { useMongo } from '../../support/stack.ts';

describe('failed logins', () => {
  let connection: Connection;
  let now: Date;
  let store: LoginFailureStore;
  before(async () => {
    connection = await connectMongo((await useMongo()).uri(`logins-${randomUUID().slice(0, 8)}`));
    await new LoginFailureStore({ connection }).ensureIndexes();
  });
  beforeEach(() => {
    now = new Date();
    store = new LoginFailureStore({ connection, now: () => now });
  });
  after(async () => {
    await connection.dropDatabase();
    await connection.close();
  });
  const subjectOf = (most: number) => ({ subject: `profile/${randomUUID()}`, most });
  const isRefused = async (trying: Promise<unknown>) =>
    await trying.then(
      () => false,
      (error: unknown) => error instanceof ServiceError && error.code === 'RATE_LIMITED',
    );

  it('end tries when there are too many of one subject', async () => {
    const [one, other] = [subjectOf(2), subjectOf(2)];
    for (let time = 0; time < 2; time += 1) await (await store.begin([one])).fail();
    assert.ok(await isRefused(store.begin([one])));
    await (await store.begin([other])).release();
  });

  it('leave a subject free whose companion is refused', async () => {
    const [full, free] = [subjectOf(1), subjectOf(1)];
    await (await store.begin([full])).fail();
    assert.ok(await isRefused(store.begin([free, full])));
    await (await store.begin([free])).release();
  });

  it('say when the first place is free again', async () => {
    const limit = subjectOf(2);
    const start = now;
    await (await store.begin([limit])).fail();
    now = new Date(start.getTime() + 60_000);
    await (await store.begin([limit])).fail();
    await assert.rejects(store.begin([limit]), (error: ServiceError) => {
      assert.equal(error.headers['retry-after'], String((FAILURE_WINDOW_MS - 60_000) / 1_000));
      return true;
    });
    now = new Date(start.getTime() + FAILURE_WINDOW_MS);
    await (await store.begin([limit])).fail();
    assert.ok(await isRefused(store.begin([limit])));
  });

  it('of many tries at once let no more begin than may fail', async () => {
    const limit = subjectOf(5);
    let begun = 0;
    const attempts = Array.from({ length: 40 }, async () => {
      const attempt = await store.begin([limit]);
      begun += 1;
      await new Promise((resolve) => setImmediate(resolve));
      await attempt.fail();
    });
    const outcomes = await Promise.allSettled(attempts);
    assert.equal(begun, 5);
    assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 35);
  });

  it('let those wait whose place is only being used, and take what is given back', async () => {
    const limit = subjectOf(2);
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const attempt = await store.begin([limit]);
        await new Promise((resolve) => setImmediate(resolve));
        await attempt.release();
        return 'served';
      }),
    );
    assert.deepEqual(new Set(outcomes), new Set(['served']));
  });

  it('do not count tries whose process died', async () => {
    const limit = subjectOf(1);
    await store.begin([limit]);
    now = new Date(now.getTime() + 31_000);
    await (await store.begin([limit])).release();
  });
});
