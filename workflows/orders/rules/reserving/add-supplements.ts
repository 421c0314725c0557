/** Adding supplements to lines, as one write. Pure. */
import type { OrderLineId } from '../../../shared/ids.ts';
import { totalPrice } from '../../../shared/price.ts';
import { invalidState } from '../guards.ts';
import { linesNamed, type NewLine } from '../lines.ts';
import type { LineProduct, Order, OrderLine } from '../order.ts';
import type { OrderCommand } from '../order-change.ts';
import type { FeeTerms } from './change-groups.ts';
import { endOfUse } from './change-terms.ts';
import { rewriteLines } from './rewrite-lines.ts';

export interface AddedSupplements {
  /** Prices of the products are those of the line's travellers. */
  readonly supplements: readonly { readonly orderLineId: OrderLineId; readonly products: readonly LineProduct[] }[];
  readonly terms: FeeTerms;
}

/** Throws UNKNOWN_ORDER_LINE, TICKET_ALREADY_USED, and INVALID_STATE for a line that is cancelled or no longer valid. */
export const addSupplements: OrderCommand<AddedSupplements> = (order, command, now) => {
  const { supplements, terms, ...commanded } = command;
  const wanted = new Map<OrderLineId, LineProduct[]>();
  for (const { orderLineId, products } of supplements) {
    wanted.set(orderLineId, [...(wanted.get(orderLineId) ?? []), ...products]);
  }
  const lines = linesNamed(order, [...wanted.keys()]).map((line) => {
    if (endOfUse(line).getTime() <= now.getTime()) throw invalidState(`The line ${line.id} is no longer valid.`);
    return withProducts(line, wanted.get(line.id) ?? []);
  });
  return rewriteLines(order, { ...commanded, lines, reservations: seatsOf(order, lines), terms }, now);
};

function withProducts(line: OrderLine, products: readonly LineProduct[]): NewLine {
  const {
    version: _version,
    status: _status,
    refundedShareMinor: _share,
    refundedAmountMinor: _amount,
    usedAt: _used,
    createdAt: _created,
    confirmedAt: _confirmed,
    ...facts
  } = line;
  return {
    ...facts,
    fareProducts: [...line.fareProducts, ...products],
    price: totalPrice([line.price, ...products.map(({ price }) => price)]),
  };
}

function seatsOf({ reservations }: Order, lines: readonly NewLine[]) {
  const ids = new Set<string>(lines.map(({ id }) => id));
  return reservations.filter(({ orderLineId }) => ids.has(orderLineId));
}
