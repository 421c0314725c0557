/** A webhook with many failing keys still delivers those of others, and is given up only when they are too many to keep. */
import assert from 'node:assert/strict';
import { MAX_STOPPED, TRIED_FOR_MS } from '../../../../activities/events/webhooks/failing-keys.ts';
import type { WebhookDocument } from '../../../../activities/events/webhooks/webhook-document.ts';
import { until } from '../../../support/until.ts';
import { TOPIC } from '../support.ts';
import { WebhookWorld } from './support.ts';

describe('a webhook with many failing keys', () => {
  let world: WebhookWorld;
  beforeEach(async () => {
    world = await WebhookWorld.open();
  });
  afterEach(async () => await world.close());

  it('delivers events of other keys, as long as its receiver takes any', async () => {
    const receiver = await world.receiver();
    receiver.answer = ({ key }) => (key.startsWith('K') ? 500 : 200);
    const id = await world.webhook(receiver.url);
    world.deliver();
    await world.append('B', 1);
    for (let n = 1; n <= 120; n += 1) await world.append(`K${n}`, 1);
    await world.append('B', 2);
    await until(() => receiver.ids().includes('order/B/2'));
    await until(async () => (await world.stored(id))?.failing.length === 120);
  });

  /** The last key of so many stops now: it has failed for as long as a key may, and others were delivered meanwhile. */
  async function stopOneBeside(stoppedKeys: number): Promise<WebhookDocument | undefined> {
    const receiver = await world.receiver();
    receiver.answer = () => 500;
    const id = await world.webhook(receiver.url);
    await world.append('A', 1);
    const [now, since] = [new Date(), new Date(Date.now() - TRIED_FOR_MS)];
    const key = { topic: TOPIC, offset: 1, since, attempts: 80, nextAttemptAt: now };
    const stopped = Array.from({ length: stoppedKeys }, (_, n) => ({ ...key, key: `S${n}`, stopped: true as const }));
    const progress = { failing: [...stopped, { ...key, key: 'A' }], positions: { [TOPIC]: 1 }, lastDeliveredAt: now };
    const webhooks = world.events.connection.collection<WebhookDocument>('webhooks');
    await webhooks.updateOne({ _id: id }, { $set: progress });
    world.deliver();
    await until(async () => (await world.stored(id))?.lastFailure !== undefined);
    return await world.stored(id);
  }

  it('stays active beside stopped ones that it can keep', async () => {
    const stored = await stopOneBeside(MAX_STOPPED - 1);
    assert.equal(stored?.disabledAt, undefined);
    assert.equal(stored?.failing.filter(({ stopped }) => stopped).length, MAX_STOPPED);
  });

  it('is disabled with one more', async () => {
    const stored = await stopOneBeside(MAX_STOPPED);
    assert.ok(stored?.disabledAt instanceof Date);
  });
});
