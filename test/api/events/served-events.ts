/** Every event that a service has told is as its document says. Caller: a suite that has sold, delivered and paid back. */
import assert from 'node:assert/strict';
import { DocumentedEvents } from '../../support/documented-events.ts';
import type { PagedOrders } from '../../support/paged-orders.ts';

const TYPE = /\.(\w+)\.v1$/;
/** At least these have happened. */
const SOLD_AND_PAID_BACK = [
  ...['OrderCreated', 'OrderLineAdded', 'ReservationAdded', 'OrderConfirmed', 'OrderLineDisrupted'],
  ...['PaymentCreated', 'TransactionInitiated', 'TransactionCaptured', 'CreditExecuted'],
  ...['TicketDistributionGenerated', 'TicketDistributionDistributed', 'TicketDistributionDisabled'],
  ...['RefundRequested', 'RefundNeedsAttention', 'RefundCompleted'],
];

export function describeServedEvents(useOrders: () => PagedOrders): void {
  describe('the events that were told', () => {
    it('are as the document of events says', async () => {
      const orders = useOrders();
      const documented = new DocumentedEvents();
      const token = await orders.service.token(['events:read']);
      const types = new Set<string>();
      for (const topic of documented.topics) {
        for (let after = 0; ; ) {
          const { json } = await orders.call(`/v1/events/${topic}-dev?after=${after}&limit=500`, { token });
          if (json.events.length === 0) break;
          assert.deepEqual(documented.faultsOf(topic, json.events).slice(0, 3), []);
          for (const { type } of json.events) types.add(TYPE.exec(type)?.[1] ?? type);
          after = json.nextOffset;
        }
      }
      assert.deepEqual(
        SOLD_AND_PAID_BACK.filter((type) => !types.has(type)),
        [],
      );
    });
  });
}
