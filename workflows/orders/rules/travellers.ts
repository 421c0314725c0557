/** The travellers of an order. Pure. */
import type { TravellerId } from '../../shared/ids.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { writeContent } from './content-write.ts';
import { invalidState } from './guards.ts';
import type { Order, OrderTraveller } from './order.ts';
import type { OrderCommand } from './order-change.ts';

export const addTravellers: OrderCommand<{ readonly travellers: readonly OrderTraveller[] }> = (order, command, now) =>
  writeContent(order, command, now, (draft) => {
    const { travellers } = command;
    if (travellers.length === 0) return undefined;
    const ids = new Set(draft.travellers.map(({ id }) => id));
    for (const { id } of travellers) {
      if (ids.has(id)) throw invalidState(`The order has a traveller ${id} already.`);
      ids.add(id);
    }
    return {
      content: { travellers: [...draft.travellers, ...travellers] },
      events: travellers.map((traveller) => travellerEvent('TravellerAdded', draft, traveller)),
    };
  });

/**
 * The whole list: a traveller that it lacks is removed. Throws INVALID_STATE where a line is for one that is removed, or that
 * becomes somebody else.
 */
export const replaceTravellers: OrderCommand<{ readonly travellers: readonly OrderTraveller[] }> = (
  order,
  command,
  now,
) =>
  writeContent(order, command, now, (draft) => {
    const { travellers } = command;
    const given = new Map(travellers.map((traveller) => [traveller.id, traveller]));
    if (given.size < travellers.length) throw invalidState('A traveller is given twice.');
    const present = new Map(draft.travellers.map((traveller) => [traveller.id, traveller]));
    const removed = draft.travellers.filter(({ id }) => !given.has(id));
    const added = travellers.filter(({ id }) => !present.has(id));
    const updated = travellers.filter((traveller) => {
      const earlier = present.get(traveller.id);
      return earlier !== undefined && !isSame(earlier, traveller);
    });
    if (removed.length + added.length + updated.length === 0) return undefined;
    assertUnused(
      draft,
      removed.map(({ id }) => id),
    );
    for (const traveller of updated) assertSamePerson(draft, traveller);
    return {
      content: { travellers: [...travellers] },
      events: [
        ...removed.map((traveller) => travellerEvent('TravellerRemoved', draft, traveller)),
        ...updated.map((traveller) => travellerEvent('TravellerUpdated', draft, traveller)),
        ...added.map((traveller) => travellerEvent('TravellerAdded', draft, traveller)),
      ],
    };
  });

/** Throws UNKNOWN_TRAVELLER, and INVALID_STATE where a line is for one of them. */
export const removeTravellers: OrderCommand<{ readonly travellerIds: readonly TravellerId[] }> = (
  order,
  command,
  now,
) =>
  writeContent(order, command, now, (draft) => {
    const ids = new Set(command.travellerIds);
    if (ids.size === 0) return undefined;
    const removed = draft.travellers.filter(({ id }) => ids.has(id));
    const present = new Set(removed.map(({ id }) => id));
    if (present.size < ids.size) throw unknownTraveller([...ids].filter((id) => !present.has(id)));
    assertUnused(draft, command.travellerIds);
    return {
      content: { travellers: draft.travellers.filter(({ id }) => !ids.has(id)) },
      events: removed.map((traveller) => travellerEvent('TravellerRemoved', draft, traveller)),
    };
  });

export function unknownTraveller(ids: readonly TravellerId[]): ServiceError {
  return new ServiceError('UNKNOWN_TRAVELLER', `The order has no such traveller: ${ids.join(', ')}.`);
}

function assertUnused({ orderLines }: Order, travellerIds: readonly TravellerId[]): void {
  const used = travellersOfLines(orderLines);
  if (travellerIds.some((id) => used.has(id))) throw invalidState('A line of the order is for this traveller.');
}

/**
 * Lines have the price of their travellers, and tickets name them. What is not known yet may be added. The customer of a line
 * that was never sold may also change; later, only a transfer of the ticket gives it to another.
 */
function assertSamePerson({ orderLines, travellers, confirmed }: Order, given: OrderTraveller): void {
  const isGiven = ({ id }: OrderTraveller) => id === given.id;
  const before = travellersOfLines(orderLines).has(given.id) ? travellers.find(isGiven) : undefined;
  if (before && (before.userTypeId !== given.userTypeId || !isKept(before.age, given.age))) {
    throw invalidState(`A line is for the traveller ${given.id}: the user type and the age stay.`);
  }
  const sold = travellersOfLines(confirmed?.orderLines ?? []).has(given.id) && confirmed?.travellers.find(isGiven);
  if (sold && !isKept(sold.customerNumber, given.customerNumber)) {
    throw invalidState(
      `A line was sold to the traveller ${given.id}: transfer its ticket to give it to another customer.`,
    );
  }
}

function isKept<Fact>(before: Fact | undefined, after: Fact | undefined): boolean {
  return before === undefined || before === after;
}

function travellersOfLines(lines: Order['orderLines']): ReadonlySet<TravellerId> {
  return new Set(lines.flatMap(({ travellers }) => travellers.map(({ travellerId }) => travellerId)));
}

function isSame(one: OrderTraveller, other: OrderTraveller): boolean {
  return one.customerNumber === other.customerNumber && one.userTypeId === other.userTypeId && one.age === other.age;
}

function travellerEvent(
  type: 'TravellerAdded' | 'TravellerUpdated' | 'TravellerRemoved',
  { version }: Order,
  { id }: OrderTraveller,
) {
  return { type, orderVersion: version, travellerId: id } as const;
}
