/**
 * The erasure against worlds in memory, on the real server: failures of every step before and after its effect, and
 * leftover data.
 */
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { startProfileErasure } from '../../../activities/customers/profile-erasure-start.ts';
import { type ErasureProgress, erasureProgressQuery } from '../../../workflows/customers/messages.ts';
import { until } from '../../support/until.ts';
import { CustomerWorkers } from './customer-workers.ts';
import { type CustomerActivityName, CustomerWorld, type Fault } from './customer-world.ts';

const STEPS: readonly CustomerActivityName[] = [
  'blockProfile',
  'destroyKey',
  'removeContent',
  'listErasureAreas',
  'eraseArea',
  'isAreaErased',
  'findLeftovers',
  'markErased',
];
const IN_ORDER: readonly CustomerActivityName[] = ['blockProfile', 'destroyKey', 'removeContent', 'eraseArea'];
const DONE: ErasureProgress = { step: 'ERASED', round: 1, left: [] };

describe('profileErasure', () => {
  // The first test waits for servers and the bundle, too.
  let workers: CustomerWorkers;

  before(async () => {
    workers = await CustomerWorkers.open();
  });
  after(() => workers?.close());

  /** Erases a permanent profile, as the handler of its deletion does. */
  async function start(prepare: (world: CustomerWorld) => void = () => {}): Promise<CustomerWorld> {
    const world = workers.add(new CustomerWorld());
    world.state = 'PERMANENT';
    world.delete();
    prepare(world);
    await startProfileErasure(workers.temporal, world.input);
    return world;
  }

  it('runs its steps in order and leaves no data', async () => {
    const world = await start();
    assert.deepEqual(await workers.erased(world), DONE);
    assert.deepEqual([world.state, world.isGone, world.events], ['ERASED', true, ['CustomerErased']]);
    const firsts = [...new Set(world.calls.filter((name) => IN_ORDER.includes(name)))];
    assert.deepEqual(firsts, IN_ORDER);
    assert.equal(world.calls.at(-1), 'markErased');
    assert.equal(world.callsOf('eraseArea'), 2);
    assert.ok((world.dueAtMs ?? 0) > 0);
  });

  it('does not erase a profile that was not deleted', async () => {
    const world = workers.add(new CustomerWorld());
    world.state = 'PERMANENT';
    await startProfileErasure(workers.temporal, world.input);
    assert.equal((await workers.erased(world)).step, 'BLOCK');
    assert.deepEqual([world.state, world.key, world.content, world.calls], ['PERMANENT', true, true, ['blockProfile']]);
  });

  it('has the effect of one run when it runs twice, in sequence or at once', async () => {
    const world = await start();
    await startProfileErasure(workers.temporal, world.input);
    await workers.erased(world);
    await startProfileErasure(workers.temporal, world.input);
    assert.deepEqual(await workers.erased(world), DONE);
    assert.deepEqual([world.state, world.events], ['ERASED', ['CustomerErased']]);
    assert.equal(world.dueAtMs, undefined, 'a second erasure has no effect');
  });

  it('repeats its steps when data is left, in another area or its own, and reports it', async () => {
    const world = await start((made) => {
      let looks = 0;
      made.onCall = async (name) => {
        // A write in progress restores the content.
        if (name === 'findLeftovers' && ++looks === 1) made.content = true;
        if (name === 'isAreaErased' && looks === 0) made.areas.set('orders', true);
      };
    });
    const { step, round } = await workers.erased(world);
    assert.deepEqual({ step, round, gone: world.isGone }, { step: 'ERASED', round: 2, gone: true });
    assert.equal(world.callsOf('destroyKey'), 2);
    assert.equal(world.callsOf('blockProfile'), 1);
  });

  it('erases areas independently, and reports its progress', async () => {
    const world = await start((made) => {
      made.breakOn('eraseArea', 'before', new Error('away 1'), new Error('away 2'));
    });
    await until(() => world.callsOf('eraseArea') >= 2);
    const progress: ErasureProgress = await workers.erasureHandle(world.input).query(erasureProgressQuery);
    assert.deepEqual(progress, { step: 'AREAS', round: 1, left: [] });
    await workers.erased(world);
    assert.ok(world.isGone);
  });

  it('retries without end, at least every minute, and detects a dead worker within five seconds', async () => {
    const world = await start();
    await workers.erased(world);
    const { events } = await workers.erasureHandle(world.input).fetchHistory();
    const scheduled = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: found }) => found ?? []);
    assert.equal(scheduled.length, 4);
    for (const { retryPolicy, heartbeatTimeout, scheduleToCloseTimeout } of scheduled) {
      assert.deepEqual([retryPolicy?.maximumAttempts ?? 0, Number(retryPolicy?.maximumInterval?.seconds)], [0, 60]);
      assert.equal(Number(heartbeatTimeout?.seconds), 5);
      assert.equal(Number(scheduleToCloseTimeout?.seconds ?? 0), 0);
    }
  });

  describe('when a step fails', () => {
    const running = new Map<string, Promise<CustomerWorld>>();
    const each = (run: (name: CustomerActivityName, when: Fault, point: string) => void): void => {
      for (const name of STEPS) for (const when of ['before', 'after'] as const) run(name, when, `${name} ${when}`);
    };

    // Started together, since each waits for its retries.
    before(() => {
      each((name, when, point) => {
        const broken = start((world) => world.breakOn(name, when, new Error('lost 1'), new Error('lost 2')));
        running.set(point, broken);
      });
    });

    each((name, when, point) => {
      it(`has the same outcome after ${name} failed twice ${when} its effect`, async () => {
        const world = await running.get(point);
        assert.ok(world);
        assert.deepEqual(await workers.erased(world), DONE);
        assert.deepEqual([world.state, world.isGone, world.events], ['ERASED', true, ['CustomerErased']]);
        assert.ok(world.callsOf(name) >= 3);
      });
    });
  });
});
