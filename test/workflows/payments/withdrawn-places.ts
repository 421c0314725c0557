/** What tests of withdrawn tickets do and ask: a sold order whose draft owes money back, its confirmation, reset and expiry. */
import { confirmFor } from '../../../activities/orders/confirming.ts';
import { createOrderExpiryActivities } from '../../../activities/orders/order-expiry-activities.ts';
import { resetFor } from '../../../activities/orders/resetting.ts';
import { balanceMinor } from '../../../workflows/orders/rules/amounts.ts';
import { cancelLines } from '../../../workflows/orders/rules/line-removal.ts';
import { OURS } from '../../support/sample-orders.ts';
import { GOOD_CARD, type MoneyWorld, type PaidPlace, workOf } from './money-world.ts';
import type { WorldTickets } from './world-tickets.ts';

interface Here {
  readonly world: MoneyWorld;
  readonly tickets: WorldTickets;
}

export function withdrawnPlaces(here: () => Here) {
  const parts = () => {
    const { world, tickets } = here();
    return { orders: world.fixture.here.store, payments: () => world.orderPayments, tickets: () => tickets };
  };
  return {
    parts,
    /** Sold for 10000 with a ticket; the draft of version 2 cancels its line. */
    cancelled: async (card = GOOD_CARD): Promise<PaidPlace> => {
      const { world, tickets } = here();
      const place = await world.authorised(card);
      await world.capture(place);
      await tickets.issue(await world.order(place));
      const orderLineIds = place.order.orderLines.map(({ id }) => id);
      await world.fixture.change(place.orderId, (before, now) => cancelLines(before, { orderLineIds }, now));
      return place;
    },
    confirm: async ({ orderId }: PaidPlace) =>
      await confirmFor(parts(), OURS, orderId, workOf(), { orderVersion: 2, creditBalance: true }),
    reset: async ({ orderId }: PaidPlace) => await resetFor(parts(), OURS, orderId, workOf(), {}),
    standing: async (place: PaidPlace) => {
      const { world, tickets } = here();
      const order = await world.order(place);
      const statuses = await tickets.statuses(place.orderId);
      return [order.status, order.version, balanceMinor(order), order.lock?.owner, order.withdrawal, ...statuses];
    },
    refunded: async (place: PaidPlace) => (await here().world.ledger(place)).refunded,
    expiry: () => createOrderExpiryActivities(parts()),
  };
}
