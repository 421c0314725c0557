/**
 * Lets a page follow its order. Callers: the workflow's activities, and the follower of order events.
 *
 * Between the read of the order and the write of the page the order may change, and another process may have followed
 * that change already. So the order is read again after each write, until it is as it was.
 */
import type { Order } from '../../workflows/orders/rules/order.ts';
import { followOrder } from '../../workflows/payment-page/rules/follow-order.ts';
import type { OrderFacts, PaymentPage } from '../../workflows/payment-page/rules/page.ts';
import { isLive } from '../../workflows/payment-page/rules/page-end.ts';
import { advance } from '../../workflows/payment-page/rules/transitions.ts';
import type { OrderAccess } from '../shared/orders.ts';
import { factsOf } from './order-facts.ts';
import type { PageChange, PageStore, StoredPage } from './page-store.ts';

export interface FollowingDependencies {
  readonly pages: PageStore;
  readonly orders: () => Pick<OrderAccess, 'get'>;
}

type PagePlace = Pick<PaymentPage, 'id' | 'organisationId' | 'orderId'>;

export interface Followed extends StoredPage {
  readonly order: Order;
}

/** The first try and those after changes of the order in the same moment. */
const TRIES = 20;

export async function follow(
  { pages, orders }: FollowingDependencies,
  { id, organisationId, orderId }: PagePlace,
  change: PageChange = {},
): Promise<Followed> {
  let order = await orders().get(organisationId, orderId);
  for (let tries = 1; ; tries += 1) {
    const facts = factsOf(order);
    let before: PaymentPage | undefined;
    let after: PaymentPage | undefined;
    const decide = (page: PaymentPage, now: Date) => {
      before = page;
      after = followOrder(advance(page, now), facts, now);
      return after;
    };
    const stored = await pages.change(organisationId, id, decide, change);
    if (after === before || tries >= TRIES) return { ...stored, order };
    order = await orders().get(organisationId, orderId);
    if (isSame(facts, factsOf(order))) return { ...stored, order };
  }
}

/** Its workflow must end it, or the attempt that runs. An amount is followed without it. */
export function needsWorkflow(page: PaymentPage): boolean {
  return page.attempt?.ending !== undefined || (!isLive(page) && page.status !== 'PAID');
}

function isSame(one: OrderFacts, other: OrderFacts): boolean {
  return (
    one.status === other.status &&
    one.version === other.version &&
    one.balanceMinor === other.balanceMinor &&
    one.contentMark === other.contentMark
  );
}
