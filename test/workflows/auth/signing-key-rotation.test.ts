/** Rotation of signing keys from start to end on a time-skipping server, with and without faults. */
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { until } from '../../support/until.ts';
import { type RotationActivityName, RotationWorld } from './rotation-world.ts';

const PUBLISHED_SECONDS = 360;
const LIFETIME_SECONDS = 3_600;
/** From the take-over to the removal of the key before. */
const RETIRED_SECONDS = LIFETIME_SECONDS + 120;
/** Time of the steps themselves: the server's clock advances while they run. */
const SLACK_SECONDS = 30;

describe('signingKeyRotation', () => {
  let world: RotationWorld;

  before(async () => {
    world = await RotationWorld.open();
  });
  beforeEach(() => world.reset());
  after(() => world?.close());

  const published = async () => Object.keys(await world.keys()).length;

  it('publishes the next key, signs with it once all processes know it, and removes the old key after its tokens end', async () => {
    const first = await world.adopt(LIFETIME_SECONDS);
    const rotation = await world.start();
    const kid = await world.untilPublished(rotation);
    const { until: dueAt } = await world.progress(rotation);
    assert.deepEqual(await world.keys(), { [first]: 'SIGNING', [kid]: 'NEXT' });
    assert.ok(
      Math.abs(Date.parse(dueAt ?? '') - (await world.startClock()) - PUBLISHED_SECONDS * 1_000) <
        SLACK_SECONDS * 1_000,
    );

    await world.skip(PUBLISHED_SECONDS - SLACK_SECONDS);
    assert.deepEqual(await world.keys(), { [first]: 'SIGNING', [kid]: 'NEXT' });
    await world.skip(2 * SLACK_SECONDS);
    await until(async () => (await world.progress(rotation)).until !== undefined);
    assert.deepEqual(await world.keys(), { [first]: 'RETIRING', [kid]: 'SIGNING' });
    assert.equal(await world.adopt(LIFETIME_SECONDS), kid);

    await world.skip(RETIRED_SECONDS - 2 * SLACK_SECONDS);
    assert.equal(await published(), 2);
    assert.equal((await world.progress(rotation)).step, 'SIGNING');
    await world.skip(2 * SLACK_SECONDS);
    await until(async () => (await published()) === 1);
    assert.deepEqual(await world.end(rotation), { step: 'DONE', kid });
    assert.deepEqual(await world.keys(), { [kid]: 'SIGNING' });
  });

  it('keeps the old key for a day when its tokens live that long', async () => {
    const first = await world.adopt(86_400);
    const rotation = await world.start();
    await world.skip(PUBLISHED_SECONDS + 86_400);
    assert.equal((await world.keys())[first], 'RETIRING');
    assert.equal((await world.end(rotation)).step, 'DONE');
    assert.equal(await published(), 1);
  });

  const NAMES: readonly RotationActivityName[] = ['publishNext', 'startSigning', 'removeRetired'];
  for (const when of ['before', 'after'] as const) {
    it(`has the same outcome when every step fails ${when} its effect, repeatedly`, async () => {
      await world.adopt(LIFETIME_SECONDS);
      for (const name of NAMES) world.breakOn(name, when, 3);
      const rotation = await world.start();
      const { step, kid = '' } = await world.end(rotation);
      assert.equal(step, 'DONE');
      assert.deepEqual(await world.keys(), { [kid]: 'SIGNING' });
    });
  }

  it('rotates once when two rotations run at once', async () => {
    await world.adopt(LIFETIME_SECONDS);
    const both = [await world.start(), await world.start()] as const;
    const ends = [await world.end(both[0]), await world.end(both[1])];
    assert.deepEqual(ends[0], ends[1]);
    assert.deepEqual(Object.values(await world.keys()), ['SIGNING']);
  });

  it('keeps waiting when the clock of the database is behind', async () => {
    world.behindMs = 5_000;
    await world.adopt(LIFETIME_SECONDS);
    const rotation = await world.start();
    await world.untilPublished(rotation);
    world.behindMs = 10_000;
    assert.equal((await world.end(rotation)).step, 'DONE');
  });

  it('makes the first key of an empty database, too', async () => {
    const rotation = await world.start();
    const { kid } = await world.end(rotation);
    assert.equal(await world.adopt(LIFETIME_SECONDS), kid);
  });

  describe('withdrawing', () => {
    it('replaces every existing key within half a minute', async () => {
      const first = await world.adopt(86_400);
      const rotation = await world.start({ withdraw: true });
      const { step, kid = '' } = await world.end(rotation);
      assert.equal(step, 'DONE');
      assert.notEqual(kid, first);
      assert.deepEqual(await world.keys(), { [kid]: 'SIGNING' });
      const seconds = (await world.tookMs(rotation)) / 1_000;
      assert.ok(seconds >= 15 && seconds < SLACK_SECONDS, `${seconds} s`);
    });

    it('uses the next key of a waiting rotation, which then ends', async () => {
      await world.adopt(LIFETIME_SECONDS);
      const ordinary = await world.start();
      const lost = await world.untilPublished(ordinary);
      const withdrawal = await world.start({ withdraw: true });
      const { kid = '' } = await world.end(withdrawal);
      assert.deepEqual(await world.end(ordinary), { step: 'OVERTAKEN', kid: lost });
      assert.deepEqual(await world.keys(), { [kid]: 'SIGNING' });
    });

    it('has the same outcome when every step fails before and after its effect', async () => {
      const first = await world.adopt(LIFETIME_SECONDS);
      const steps = ['listKeys', 'withdrawNext', 'publishNext', 'startSigning', 'withdrawRetired'] as const;
      for (const name of steps) {
        world.breakOn(name, 'before');
        world.breakOn(name, 'after');
      }
      const rotation = await world.start({ withdraw: true });
      const { kid = '' } = await world.end(rotation);
      assert.notEqual(kid, first);
      assert.deepEqual(await world.keys(), { [kid]: 'SIGNING' });
    });
  });
});
