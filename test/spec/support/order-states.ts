/** One order in each state that the table of states names. */

import { totalAmountMinor } from '../../../workflows/orders/rules/amounts.ts';
import { confirmOrder } from '../../../workflows/orders/rules/confirmation.ts';
import { cancelOrder, expireOrder } from '../../../workflows/orders/rules/endings.ts';
import { setSpecialOrderCause } from '../../../workflows/orders/rules/facts.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import { cancelLines } from '../../../workflows/orders/rules/line-removal.ts';
import { addLines } from '../../../workflows/orders/rules/lines.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { CUSTOMER, OWNER, settle } from '../../rules/order-commands.ts';
import {
  draftOrder,
  later,
  NOW,
  sampleFee,
  sampleLine,
  sampleTraveller,
  seatedLine,
} from '../../support/sample-orders.ts';

export interface OrderInState {
  readonly order: Order;
  /** When the command comes. */
  readonly now: Date;
}

/** A plain line, a line with a seat, a fee, a cause, and a traveller without a line. */
function fresh(): Order {
  const [rider, other] = [sampleTraveller(), sampleTraveller()];
  const { line, reservation } = seatedLine({ traveller: rider });
  const begun = draftOrder({ travellers: [rider, other], contact: CUSTOMER });
  const lines = { lines: [line, sampleLine()], reservations: [reservation] };
  const withLines = addLines(begun, lines, NOW).order;
  const withFee = addFee(withLines, { fee: sampleFee('MANUAL', 5_000) }, NOW).order;
  return setSpecialOrderCause(withFee, { causeCode: 'SCHOOL', description: Buffer.from('sealed') }, NOW).order;
}

function paid(order: Order): Order {
  return settle(order, NOW, totalAmountMinor(order));
}

function confirmed(order = fresh()): Order {
  return confirmOrder(paid(order), { orderVersion: order.version }, NOW).order;
}

function changed(): Order {
  return addFee(confirmed(), { fee: sampleFee('MANUAL', 1_000) }, NOW).order;
}

function cancelled(): Order {
  const order = confirmed();
  const orderLineIds = order.orderLines.map(({ id }) => id);
  const without = confirmed(cancelLines(order, { orderLineIds }, NOW).order);
  return cancelOrder(without, {}, NOW).order;
}

function locked(order: Order): Order {
  return { ...order, lock: { owner: OWNER, since: NOW } };
}

const AT = later(1);
const DUE = later(21);

export const STATES: Readonly<Record<string, () => OrderInState>> = {
  NEW: () => ({ order: fresh(), now: AT }),
  PAID: () => ({ order: paid(fresh()), now: AT }),
  LOCKED: () => ({ order: locked(fresh()), now: AT }),
  DUE: () => ({ order: fresh(), now: DUE }),
  DUE_PAID: () => ({ order: paid(fresh()), now: DUE }),
  CONFIRMED: () => ({ order: confirmed(), now: AT }),
  CONFIRMED_LOCKED: () => ({ order: locked(confirmed()), now: AT }),
  CHANGED: () => ({ order: changed(), now: AT }),
  CHANGED_DUE: () => ({ order: changed(), now: DUE }),
  CANCELLED: () => ({ order: cancelled(), now: AT }),
  EXPIRED: () => ({ order: expireOrder(fresh(), {}, DUE).order, now: later(22) }),
};
