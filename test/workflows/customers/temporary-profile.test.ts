/** The years of a temporary profile on a time-skipping server: its date, moved dates, conversions and deletions. */
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import {
  convertTemporaryProfile,
  signalEraseNow,
  signalExpirationChanged,
  startTemporaryProfile,
} from '../../../activities/customers/temporary-profile-start.ts';
import { convertUpdate } from '../../../workflows/customers/messages.ts';
import { until } from '../../support/until.ts';
import { CustomerWorkers } from './customer-workers.ts';
import { CustomerWorld } from './customer-world.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;

describe('temporaryProfile', () => {
  // The first test waits for servers and the bundle, too.
  let workers: CustomerWorkers;

  // Each test has its own server: after a child has outlived its parent there, the server no longer skips time.
  beforeEach(async () => {
    workers = await CustomerWorkers.openSkipping();
  });
  afterEach(() => workers?.close());

  /** Starts the workflow with this lifetime, and waits until it sleeps. */
  async function start(lifeMs: number, prepare: (world: CustomerWorld) => void = () => {}): Promise<CustomerWorld> {
    const world = workers.add(new CustomerWorld((await workers.now()) + lifeMs));
    prepare(world);
    await startTemporaryProfile(workers.temporal, world.input);
    await until(() => world.callsOf('readStanding') > 0);
    return world;
  }

  async function move(world: CustomerWorld, toMs: number): Promise<void> {
    world.expiresAtMs = toMs;
    const looks = world.callsOf('readStanding');
    await signalExpirationChanged(workers.temporal, world.input);
    await until(() => world.callsOf('readStanding') > looks);
  }

  async function convert(world: CustomerWorld, conversionId: string = randomUUID()) {
    const updateId = `idem:${conversionId}`;
    return await convertTemporaryProfile(workers.temporal, { ...world.input, conversionId, updateId });
  }

  /**
   * Asserts expiry at the date, and not before. Dates are moved by days, and time spent by the machine counts on this
   * clock, too. So the limit is the timeout of a test.
   */
  function assertExpiredOnTime(world: CustomerWorld): void {
    const lateMs = (world.expiredAtMs ?? 0) - world.expiresAtMs;
    assert.ok(lateMs >= 0 && lateMs < 2 * MINUTE_MS, `${lateMs} ms late`);
  }

  it('expires after three years, through many runs, and is erased', async () => {
    const world = await start(3 * YEAR_MS);
    assert.deepEqual(await workers.end(world), { ended: 'EXPIRED' });
    assertExpiredOnTime(world);
    assert.deepEqual(await workers.erased(world), { step: 'ERASED', round: 1, left: [] });
    assert.deepEqual([world.state, world.isGone, world.events], ['ERASED', true, ['CustomerErased']]);
    assert.equal(world.dueAtMs, world.expiresAtMs);
    // A run lasts thirty days.
    assert.ok(world.callsOf('readStanding') >= 36, `${world.callsOf('readStanding')} looks`);
    const { events } = await workers.handle(world.input).fetchHistory();
    assert.ok((events?.length ?? 0) < 30);
  });

  it('expires at a date that was moved earlier, then later', async () => {
    const begun = await workers.now();
    const world = await start(100 * DAY_MS);
    await workers.skip(2 * DAY_MS);
    await move(world, begun + 5 * DAY_MS);
    await workers.skip(1 * DAY_MS);
    await move(world, begun + 50 * DAY_MS);
    await workers.skip(10 * DAY_MS);
    assert.equal(world.state, 'TEMPORARY');
    assert.deepEqual(await workers.end(world), { ended: 'EXPIRED' });
    assert.equal(world.expiresAtMs, begun + 50 * DAY_MS);
    assertExpiredOnTime(world);
  });

  it('sleeps again when the date is later at its wake-up, even without a signal', async () => {
    const world = await start(1 * DAY_MS);
    world.expiresAtMs += 9 * DAY_MS;
    assert.deepEqual(await workers.end(world), { ended: 'EXPIRED' });
    assertExpiredOnTime(world);
  });

  it('expires at once when its date has passed before it starts', async () => {
    const world = await start(-1 * DAY_MS);
    assert.deepEqual(await workers.end(world), { ended: 'EXPIRED' });
  });

  it('tries again when the clock of the database is behind', async () => {
    const world = await start(1 * DAY_MS, (made) => {
      const { clock } = made;
      made.clock = async () => (await clock()) - 3 * SECOND_MS;
    });
    assert.deepEqual(await workers.end(world), { ended: 'EXPIRED' });
    assert.ok(world.callsOf('expireProfile') > 1);
  });

  it('is converted a minute before its date, and never erased', async () => {
    const world = await start(20 * DAY_MS);
    await workers.skip(world.expiresAtMs - (await workers.now()) - MINUTE_MS);
    assert.equal(await convert(world), 'CONVERTED');
    assert.deepEqual(await workers.end(world), { ended: 'CONVERTED' });
    await workers.skip(10 * DAY_MS);
    assert.deepEqual([world.state, world.key, world.content], ['PERMANENT', true, true]);
    assert.equal(world.callsOf('expireProfile'), 0);
    await assert.rejects(workers.erasureHandle(world.input).describe(), { name: 'WorkflowNotFoundError' });
  });

  it('gives a repeated conversion the same answer, and refuses another as too late', async () => {
    const world = await start(20 * DAY_MS);
    const conversionId = randomUUID();
    const answers = await Promise.all([convert(world, conversionId), convert(world, conversionId)]);
    assert.deepEqual(answers, ['CONVERTED', 'CONVERTED']);
    await workers.end(world);
    assert.deepEqual([await convert(world, conversionId), await convert(world)], ['CONVERTED', 'PERMANENT']);
  });

  it('continues after a conversion whose address is taken', async () => {
    const world = await start(5 * DAY_MS);
    world.refuseConversion = 'DUPLICATE_EMAIL';
    assert.equal(await convert(world), 'DUPLICATE_EMAIL');
    assert.deepEqual(await workers.end(world), { ended: 'EXPIRED' });
    assertExpiredOnTime(world);
  });

  it('is not converted once it has expired', async () => {
    const world = await start(1 * DAY_MS);
    await workers.end(world);
    assert.equal(await convert(world), 'EXPIRED');
    assert.equal(world.convertedBy, undefined);
  });

  it('refuses a malformed conversion without recording it', async () => {
    const world = await start(1 * DAY_MS);
    for (const wrong of [undefined, {}, { conversionId: '' }, { conversionId: 'x', email: 'a@b.example' }]) {
      const refused = workers.temporal.client.workflow
        .getHandle(`temporary-profile/${world.input.customerNumber}`)
        .executeUpdate(convertUpdate.name, { args: [wrong] });
      await assert.rejects(refused, (error) => {
        assert.ok(error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure);
        return error.cause.type === 'VALIDATION_FAILED';
      });
    }
    const { events } = await workers.handle(world.input).fetchHistory();
    assert.ok(!(events ?? []).some((event) => event.workflowExecutionUpdateAcceptedEventAttributes));
    world.delete();
    await signalEraseNow(workers.temporal, world.input);
    await workers.end(world);
  });

  it('is erased at once when it is deleted', async () => {
    const world = await start(3 * YEAR_MS);
    world.delete();
    await signalEraseNow(workers.temporal, world.input);
    assert.deepEqual(await workers.end(world), { ended: 'EXPIRED' });
    await workers.erased(world);
    assert.ok(world.isGone);
    assert.ok((await workers.now()) < world.expiresAtMs);
  });

  it('is not erased by a signal alone', async () => {
    const world = await start(1 * DAY_MS);
    const looks = world.callsOf('readStanding');
    await signalEraseNow(workers.temporal, world.input);
    await until(() => world.callsOf('readStanding') > looks);
    await workers.skip(DAY_MS / 2);
    assert.deepEqual([world.state, world.isGone], ['TEMPORARY', false]);
    await workers.end(world);
    assertExpiredOnTime(world);
  });

  it('is restarted by any message when its workflow is lost', async () => {
    const world = await start(10 * DAY_MS);
    await workers.handle(world.input).terminate();
    await signalExpirationChanged(workers.temporal, world.input);
    await until(() => world.callsOf('readStanding') > 1);
    await workers.handle(world.input).terminate();
    assert.equal(await convert(world), 'CONVERTED');
    assert.deepEqual(await workers.end(world), { ended: 'CONVERTED' });
  });

  it('begins a new run after many messages, and keeps its state', async () => {
    const world = await start(1 * DAY_MS);
    const first = await workers.handle(world.input).describe();
    for (let sent = 0; sent < 500; sent += 50) {
      await Promise.all(Array.from({ length: 50 }, () => signalExpirationChanged(workers.temporal, world.input)));
    }
    await until(async () => (await workers.handle(world.input).describe()).runId !== first.runId);
    assert.deepEqual(await workers.end(world), { ended: 'EXPIRED' });
    assertExpiredOnTime(world);
  });
});
