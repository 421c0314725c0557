/** Kills each part while drafts of orders expire: every draft ends once, and its events tell it. Caller: kill-writes.test.ts. */
import assert from 'node:assert/strict';
import { KEPT_EVENTS } from '../../activities/events/kept-event-store.ts';
import { ORDERS_COLLECTION } from '../../activities/orders/order-document.ts';
import { toOrder } from '../../activities/orders/order-members.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import type { OrderId } from '../../workflows/shared/ids.ts';
import { checkReplay, checkSequence, toOrderEvent } from '../support/order-checks.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const DRAFTS = 60;
const LIVE_MS = 8_000;
const VICTIMS = ['salesOrdersWorker', 'mongod', 'eventsWorker', 'salesOrdersWorker'] as const;

export function describeKilledExpiries(useService: () => Service): void {
  describe('drafts that expire while a part is killed', () => {
    let service: Service;

    before(() => {
      service = useService();
    });

    async function createDraft(token: string, expireAt: Date): Promise<OrderId> {
      const answer = await fetch(`${service.apiUrl}/v1/orders`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ expireAt: expireAt.toISOString(), travellers: [{ userType: 'ADULT' }] }),
      });
      const { id } = (await answer.json()) as { readonly id: OrderId };
      assert.equal(answer.status, 201, JSON.stringify(id));
      return id;
    }

    it('end once, and their events tell it', async () => {
      const token = await service.token(['orders:read', 'orders:write']);
      const began = Date.now();
      // They fall due one after the other while parts are killed.
      const dueAt = (at: number) => new Date(began + LIVE_MS + at * 200);
      const ids = await Promise.all(Array.from({ length: DRAFTS }, (_, at) => createDraft(token, dueAt(at))));
      await until(() => Date.now() > began + LIVE_MS);
      for (const victim of VICTIMS) {
        await service.kill(victim);
        await service.restart(victim);
      }
      const connection = await connectMongo(service.mongoUri);
      try {
        const orders = ORDERS_COLLECTION.open(connection);
        const ended = { _id: { $in: ids }, status: 'EXPIRED' as const, outbox: [] };
        await until(async () => (await orders.countDocuments(ended as object)) === DRAFTS, {
          timeoutMs: 60_000,
          what: 'the end of all drafts',
          everyMs: 200,
        });
        for await (const document of orders.find({ _id: { $in: ids } })) {
          const kept = await KEPT_EVENTS.open(connection)
            .find({ aggregate: `order/${document._id}` })
            .sort({ sequence: 1 })
            .toArray();
          const events = kept.map(({ event }) => event);
          checkSequence(events);
          assert.equal(events.length, document.sequence);
          checkReplay(toOrder(document), events.map(toOrderEvent));
        }
      } finally {
        await connection.close();
      }
    });
  });
}
