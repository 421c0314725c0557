/** Tests that organisations take turns, and that each may have only so many hashes waiting. */
import assert from 'node:assert/strict';
import { HashingQueue } from '../../../activities/customers/hashing-queue.ts';
import type { OrganisationId } from '../../../workflows/shared/ids.ts';
import { outcomeOf } from './customer-fixture.ts';

const [ONE, TWO, THREE] = [1, 2, 3] as OrganisationId[] as [OrganisationId, OrganisationId, OrganisationId];
const LIMITS = { atOnce: 2, waitingPerOrganisation: 3, waitLimitMs: 60_000 };

describe('the queue of password hashes', () => {
  /** Hashes that end when the test says so. */
  function startHashes(queue: HashingQueue) {
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const start = (organisation: OrganisationId, name: string) =>
      outcomeOf(
        queue.run(organisation, async () => {
          started.push(name);
          await new Promise<void>((resolve) => ends.push(resolve));
          return name;
        }),
      );
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    const endNext = async () => {
      ends.shift()?.();
      await settle();
    };
    return { started, start, settle, endNext };
  }

  it('serves organisations in turn, each in its own order', async () => {
    const { started, start, settle, endNext } = startHashes(new HashingQueue({ ...LIMITS, atOnce: 1 }));
    const all = [start(ONE, '1a'), start(ONE, '1b'), start(ONE, '1c'), start(ONE, '1d'), start(TWO, '2a')];
    all.push(start(THREE, '3a'), start(THREE, '3b'));
    await settle();
    for (let ended = 0; ended < all.length; ended += 1) await endNext();
    assert.deepEqual(started, ['1a', '1b', '2a', '3a', '1c', '3b', '1d']);
    await Promise.all(all);
  });

  it('runs no more at once than it may', async () => {
    const { started, start, settle, endNext } = startHashes(new HashingQueue(LIMITS));
    const all = [start(ONE, '1a'), start(TWO, '2a'), start(THREE, '3a')];
    await settle();
    assert.deepEqual(started, ['1a', '2a']);
    await endNext();
    assert.deepEqual(started, ['1a', '2a', '3a']);
    await endNext();
    await endNext();
    assert.deepEqual(await Promise.all(all), ['1a', '2a', '3a']);
  });

  it('refuses an organisation with too many waiting, and no other', async () => {
    const { started, start, settle, endNext } = startHashes(new HashingQueue({ ...LIMITS, atOnce: 1 }));
    const own = ['1a', '1b', '1c', '1d', '1e'].map((name) => start(ONE, name));
    const other = start(TWO, '2a');
    await settle();
    for (let ended = 0; ended < 5; ended += 1) await endNext();
    assert.deepEqual(await Promise.all(own), ['1a', '1b', '1c', '1d', 'RATE_LIMITED']);
    assert.equal(await other, '2a');
    assert.deepEqual(started, ['1a', '1b', '2a', '1c', '1d']);
  });

  it('gives up what waits too long, and goes on with the others', async () => {
    const { started, start, settle, endNext } = startHashes(
      new HashingQueue({ ...LIMITS, atOnce: 1, waitLimitMs: 20 }),
    );
    const first = start(ONE, '1a');
    assert.equal(await start(ONE, '1b'), 'UNAVAILABLE');
    await endNext();
    assert.equal(await first, '1a');
    const third = start(ONE, '1c');
    await settle();
    await endNext();
    assert.equal(await third, '1c');
    assert.deepEqual(started, ['1a', '1c']);
  });

  it('goes on after a hash that fails', async () => {
    const queue = new HashingQueue({ ...LIMITS, atOnce: 1 });
    const failing = queue.run(ONE, async () => {
      throw new Error('broken');
    });
    await assert.rejects(failing, /broken/);
    assert.equal(await queue.run(ONE, async () => 'right'), 'right');
  });
});
