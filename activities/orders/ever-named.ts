/**
 * The customers that an order names or has ever named, also where they were replaced or removed since: its texts may tell of
 * each of them, so the erasure of each finds the order. Numbers are only added. Callers: the stores of this folder. Pure.
 */
import type { Order } from '../../workflows/orders/rules/order.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';

/** Far more than one sale has: the list stays small beside the order. */
export const MAX_EVER_NAMED = 1_000;

interface EverNamed {
  readonly everNamed?: readonly CustomerNumber[];
}

/** What a write sets. Throws INVALID_STATE where the order has named too many. */
export function everNamedMember({ everNamed }: EverNamed, ...orders: readonly Order[]): EverNamed {
  const known = new Set(everNamed);
  const before = known.size;
  for (const number of orders.flatMap(namesOf)) known.add(number);
  if (known.size === before) return {};
  if (known.size > MAX_EVER_NAMED) {
    const detail = `An order names at most ${MAX_EVER_NAMED} customers in its life. Sell to further ones in another order.`;
    throw new ServiceError('INVALID_STATE', detail);
  }
  return { everNamed: [...known] };
}

function namesOf({ createdBy, contact, travellers, confirmed }: Order): readonly CustomerNumber[] {
  const all = [...travellers, ...(confirmed?.travellers ?? [])].map(({ customerNumber }) => customerNumber);
  return [createdBy, contact, ...all].filter((number) => number !== undefined);
}
