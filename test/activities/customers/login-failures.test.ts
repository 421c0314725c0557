/**
 * Tests how failed logins are counted by subject, within a window. Simultaneous checks may never exceed the limit of
 * failures.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Connection, createConnection } from 'mongoose';
import { LoginFailureStore } from '../../../activities/customers/login-failures.ts';
import { FAILURE_WINDOW_MS, type FailureLimit, SLOW_STEP_MS } from '../../../activities/customers/login-places.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { useMongo } from '../../support/stack.ts';

interface CommandStarted {
  readonly commandName: string;
}

/** Every one says when to try again. */
function isProblem(code: string): (error: ServiceError) => boolean {
  return (error) => {
    assert.deepEqual([error.code, Number(error.headers['retry-after']) >= 1], [code, true]);
    return true;
  };
}

describe('failed logins', () => {
  let uri: string;
  let connection: Connection;
  let now: Date;
  let store: LoginFailureStore;
  before(async () => {
    uri = (await useMongo()).uri(`logins-${randomUUID().slice(0, 8)}`);
    connection = await connectMongo(uri);
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
  const subjectOf = (most: number) => ({ subject: `profile/${randomUUID()}`, most, atOnce: 1 });
  const isRefused = async (trying: Promise<unknown>) =>
    await trying.then(
      () => false,
      (error: unknown) => error instanceof ServiceError && error.code === 'RATE_LIMITED',
    );

  it('refuse further attempts when one subject has too many', async () => {
    const [one, other] = [subjectOf(2), subjectOf(2)];
    for (let time = 0; time < 2; time += 1) await (await store.begin([one])).fail();
    assert.ok(await isRefused(store.begin([one])));
    await (await store.begin([other])).release();
  });

  it('do not count for a subject when the other subject is refused', async () => {
    const [full, free] = [subjectOf(1), subjectOf(1)];
    await (await store.begin([full])).fail();
    assert.ok(await isRefused(store.begin([free, full])));
    await (await store.begin([free])).release();
  });

  it('return when the next attempt is allowed', async () => {
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

  describe('of several sources', () => {
    const profile = (most: number) => {
      const subject = `profile/${randomUUID()}`;
      return (key: string, ofSource = 2) => ({ subject, most, atOnce: 50, source: { key, most: ofSource } });
    };
    const fail = async (limit: FailureLimit) => await (await store.begin([limit])).fail();

    it('refuse a source that has too many, and no other', async () => {
      const from = profile(10);
      for (let time = 0; time < 2; time += 1) await fail(from('$attacker'));
      assert.ok(await isRefused(store.begin([from('$attacker')])));
      await (await store.begin([from('owner')])).release();
    });

    it('check no more at once than may fail, of one and of all', async () => {
      const from = profile(10);
      const sources = Array.from({ length: 60 }, (_, at) => `source ${at % 20}`);
      const tries = await Promise.allSettled(
        sources.map(async (key) => ({ key, attempt: await store.begin([from(key)]) })),
      );
      const begun = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      assert.equal(begun.length, 10);
      const each = Map.groupBy(begun, ({ key }) => key);
      assert.ok([...each.values()].every(({ length }) => length <= 2));
      await Promise.all(begun.map(({ attempt }) => attempt.fail()));
    });

    it('are slowed when all together have too many, and stay so while they go on', async () => {
      const from = profile(3);
      for (let at = 0; at < 3; at += 1) await fail(from(`source ${at}`));
      await assert.rejects(store.begin([from('new')]), isProblem('RATE_LIMITED'));
      const start = now.getTime();
      for (let step = 1; step <= 80; step += 1) {
        now = new Date(start + step * SLOW_STEP_MS);
        await fail(from(`other ${step}`));
        assert.ok(await isRefused(store.begin([from(`late ${step}`)])));
      }
      now = new Date(start + 81 * SLOW_STEP_MS);
      assert.ok(await isRefused(store.begin([from('source 0', 1)])), 'its failure is still known');
      await (await store.begin([from('owner')])).release();
      const stored = await connection.collection('customer_login_failures').findOne({ _id: from('').subject as never });
      assert.ok(stored && stored.failures.length <= 3 + 90, `${stored?.failures.length} failures`);
      now = new Date(start + 81 * SLOW_STEP_MS + FAILURE_WINDOW_MS);
      for (let at = 0; at < 3; at += 1) await fail(from(`source ${at}`));
    });

    it('let right passwords in one after the other while others are slowed', async () => {
      const from = profile(1);
      await fail(from('attacker'));
      now = new Date(now.getTime() + SLOW_STEP_MS);
      for (let time = 0; time < 3; time += 1) await (await store.begin([from('owner')])).release();
    });
  });

  it('limit simultaneous checks to the number that may fail', async () => {
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

  it('make attempts wait for running checks, and reuse the places of successful ones', async () => {
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

  describe('of waiting attempts', () => {
    const stores: LoginFailureStore[] = [];
    const connections: Connection[] = [];
    const commands: string[] = [];
    /** Each store stands for a process. */
    before(async () => {
      for (let process = 0; process < 4; process += 1) {
        const counted = await createConnection(uri, { monitorCommands: true }).asPromise();
        counted.getClient().on('commandStarted', ({ commandName }: CommandStarted) => commands.push(commandName));
        connections.push(counted);
        stores.push(new LoginFailureStore({ connection: counted }));
      }
    });
    beforeEach(() => {
      commands.length = 0;
    });
    after(async () => {
      await Promise.all(connections.map((each) => each.close()));
    });
    const storeAt = (at: number) => stores[at % stores.length] ?? assert.fail('no store');

    it('cost the database nothing, and are refused at once when there are too many', async () => {
      const limit = subjectOf(1);
      const first = await storeAt(0).begin([limit]);
      let served = 0;
      const waiting = Array.from({ length: 10 }, async () => {
        await (await storeAt(0).begin([limit])).release();
        served += 1;
      });
      await assert.rejects(storeAt(0).begin([limit]), isProblem('RATE_LIMITED'));
      assert.deepEqual([served, commands], [0, ['findAndModify']]);
      await first.release();
      await Promise.all(waiting);
      assert.equal(commands.length, 2 * 11);
    });

    it('are refused at once when other processes hold the last places', async () => {
      const limit = subjectOf(1);
      const other = await storeAt(0).begin([limit]);
      await assert.rejects(storeAt(1).begin([limit]), isProblem('UNAVAILABLE'));
      assert.equal(commands.length, 2);
      await other.release();
      await (await storeAt(1).begin([limit])).release();
    });

    it('never check more wrong passwords than may fail, in all processes together', async () => {
      const limit = subjectOf(10);
      let checked = 0;
      const outcomes = await Promise.allSettled(
        Array.from({ length: 100 }, async (_, at) => {
          const attempt = await storeAt(at).begin([limit]);
          checked += 1;
          await attempt.fail();
        }),
      );
      assert.equal(checked, 10);
      assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 90);
      assert.ok(commands.length <= 100 + 10, `${commands.length} commands`);
      const stored = await connection.collection('customer_login_failures').findOne({ _id: limit.subject as never });
      assert.deepEqual([stored?.failures.length, stored?.tries], [10, []]);
    });

    it('of one subject do not hold up another', async () => {
      const [one, other] = [subjectOf(1), subjectOf(1)];
      const first = await storeAt(0).begin([one]);
      const second = storeAt(0).begin([one]);
      await (await storeAt(0).begin([other])).release();
      await first.fail();
      await assert.rejects(second, isProblem('RATE_LIMITED'));
    });
  });

  it('do not count attempts whose process died', async () => {
    const limit = subjectOf(1);
    await new LoginFailureStore({ connection, now: () => now }).begin([limit]);
    now = new Date(now.getTime() + 31_000);
    await (await store.begin([limit])).release();
  });
});
