/** Between orders as rules see them and documents as they are stored. Pure. */

import type { Members } from '../../platform/aggregate/aggregate-document.ts';
import { balanceMinor, totalAmountMinor } from '../../workflows/orders/rules/amounts.ts';
import { enteredKeys } from '../../workflows/orders/rules/entered-money.ts';
import type { ConfirmedVersion, Order } from '../../workflows/orders/rules/order.ts';
import { everNamedMember } from './ever-named.ts';
import type { OrderDocument, StoredPendingSeats } from './order-document.ts';

type Stored = Exclude<keyof Order, 'id' | 'confirmed' | 'pendingSeats'>;

/** Every member that is stored as it is. The type fails when one is missing. */
const STORED: { readonly [Member in Stored]-?: true } = {
  organisationId: true,
  distributionChannelId: true,
  pos: true,
  currency: true,
  version: true,
  highestVersion: true,
  status: true,
  createdAt: true,
  expireAt: true,
  expireAtSet: true,
  lastConfirmedAt: true,
  createdBy: true,
  contact: true,
  externalReference: true,
  causeCode: true,
  causeDescription: true,
  cancelReason: true,
  importedAt: true,
  importedTransactions: true,
  money: true,
  paidMinor: true,
  paymentRefs: true,
  paymentPageId: true,
  lock: true,
  creditBalance: true,
  withdrawal: true,
  travellers: true,
  orderLines: true,
  fees: true,
  reservations: true,
};
const STORED_MEMBERS = Object.keys(STORED) as readonly Stored[];

export function toOrder(document: OrderDocument): Order {
  const present = STORED_MEMBERS.filter((member) => document[member] !== undefined);
  const members = Object.fromEntries(present.map((member) => [member, document[member]]));
  const order = { ...members, id: document._id } as unknown as Order;
  const confirmed = confirmedOf(document);
  const { pendingSeats } = document;
  return {
    ...order,
    ...(confirmed && { confirmed }),
    ...(pendingSeats && { pendingSeats: { confirm: pendingSeats.confirm, release: pendingSeats.release } }),
  };
}

/** The last confirmed version is stored beside a draft alone: otherwise it is the content. */
function confirmedOf({ status, confirmed, lastConfirmedAt, ...rest }: OrderDocument): ConfirmedVersion | undefined {
  if (status === 'DRAFT') return confirmed;
  if (!lastConfirmedAt) return undefined;
  const { version, travellers, orderLines, fees, reservations } = rest;
  return { version, confirmedAt: lastConfirmedAt, travellers, orderLines, fees, reservations };
}

/** What a write sets. Members that the rules have passed on unchanged are left out. */
export function changedMembers(before: Order, after: Order, stamp: Omit<StoredPendingSeats, 'confirm' | 'release'>) {
  const changed = STORED_MEMBERS.filter((member) => before[member] !== after[member]);
  const isPriceChanged = ['orderLines', 'fees', 'money', 'status'].some((member) => changed.includes(member as Stored));
  return {
    ...Object.fromEntries(changed.map((member) => [member, after[member]])),
    ...(storedConfirmed(before) !== storedConfirmed(after) && { confirmed: storedConfirmed(after) }),
    ...changedKeys(before, after),
    ...(before.pendingSeats !== after.pendingSeats && { pendingSeats: stamped(after, stamp) }),
    ...(isPriceChanged && amountsOf(after)),
    ...(changed.includes('orderLines') && endsOf(after)),
  } as Members<OrderDocument>;
}

/** The whole document of a new order. */
export function newMembers(order: Order, stamp: Omit<StoredPendingSeats, 'confirm' | 'release'>) {
  const present = STORED_MEMBERS.filter((member) => order[member] !== undefined);
  const pendingSeats = stamped(order, stamp);
  const keys = enteredKeys(order);
  return {
    ...Object.fromEntries(present.map((member) => [member, order[member]])),
    ...(keys.length > 0 && { importKeys: keys }),
    ...everNamedMember({}, order),
    ...(pendingSeats && { pendingSeats }),
    ...amountsOf(order),
    ...endsOf(order),
  };
}

function changedKeys(before: Order, after: Order) {
  const [earlier, keys] = [enteredKeys(before), enteredKeys(after)];
  if (keys.join() === earlier.join()) return {};
  return { importKeys: keys.length > 0 ? keys : undefined };
}

function storedConfirmed({ status, confirmed }: Order): ConfirmedVersion | undefined {
  return status === 'DRAFT' ? confirmed : undefined;
}

function stamped({ pendingSeats }: Order, stamp: Omit<StoredPendingSeats, 'confirm' | 'release'>) {
  return pendingSeats && { ...pendingSeats, ...stamp };
}

function amountsOf(order: Order) {
  return { totalAmountMinor: totalAmountMinor(order), balanceMinor: balanceMinor(order) };
}

function endsOf({ orderLines }: Order) {
  const ends = orderLines.flatMap(({ travelSpecification }) => [travelSpecification, ...travelSpecification.legs]);
  return {
    fromStopPlaceIds: distinct(ends.map(({ fromStopPlaceId }) => fromStopPlaceId)),
    toStopPlaceIds: distinct(ends.map(({ toStopPlaceId }) => toStopPlaceId)),
  };
}

function distinct(ids: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(ids.filter((id) => id !== undefined))];
}
