/** What callers change on tickets that are sold: the start of their validity, and who holds them. Pure. */
import { departsWithin } from '../../orders/rules/departs-within.ts';
import { startingAt } from '../../orders/rules/moved-start.ts';
import type { PreassignedProduct } from '../../shared/fares.ts';
import type { CustomerNumber } from '../../shared/ids.ts';
import { daysBetween, localDateOf } from '../../shared/local-time.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { movedTo } from './moved-start.ts';
import { contentOf, type NewTicketId, newTicket } from './reconciliation.ts';
import { type Successor, succeed } from './succession.ts';
import { alreadyUsed, isUsed, ofTicket, type TicketChange, unchanged } from './ticket-change.ts';
import type { Distribution, TicketGroup, TicketTraveller } from './ticket-group.ts';
import { isLive } from './ticket-states.ts';

export interface MovedValidity {
  readonly startOfValidity: Date;
  /** Of the catalogue, by their ids. */
  readonly products: ReadonlyMap<string, Pick<PreassignedProduct, 'latestStartDays' | 'validityDuration'>>;
  readonly timeZone: string;
  readonly newId: NewTicketId;
}

/**
 * Moves the start and keeps the length: not before now, not after the last start that each product allows from the sale. The
 * same start changes nothing. Throws TICKET_ALREADY_USED, INVALID_STATE, VALIDITY_OUT_OF_RANGE.
 */
export function moveValidity(group: TicketGroup, moved: MovedValidity, now: Date): TicketChange {
  const live = liveTickets(group);
  const { startOfValidity, newId } = moved;
  if (live.every((ticket) => ticket.startOfValidity.getTime() === startOfValidity.getTime())) return unchanged(group);
  assertUntouched(group, live, now);
  for (const ticket of live) assertMovable(group, ticket, moved, now);
  const successors = live.map((of, at) => {
    const id = newId(group.ticketDistributions.length + at);
    return { of, ticket: newTicket({ ...contentOf(of), ...startingAt(of, startOfValidity) }, id, undefined, now) };
  });
  const movedStart = movedTo(group, live[0] as Distribution, startOfValidity);
  const change = succeed({ ...group, movedStart }, successors, live, now, (after, { ticket, of }) => ({
    type: 'TicketDistributionValidityUpdated',
    ...ofTicket(after, ticket),
    startOfValidity: ticket.startOfValidity.toISOString(),
    endOfValidity: ticket.endOfValidity.toISOString(),
    replaces: (of as Distribution).id,
  }));
  return reissued(change);
}

export interface Transfer {
  readonly toCustomerNumber: CustomerNumber;
  readonly newId: NewTicketId;
}

/** The holder's own place among the travellers passes on. Throws NOT_TRANSFERABLE, TICKET_ALREADY_USED, INVALID_STATE. */
export function transferHolder(group: TicketGroup, { toCustomerNumber, newId }: Transfer, now: Date): TicketChange {
  const live = liveTickets(group);
  if (holds(toCustomerNumber, group, live)) return unchanged(group);
  if (!group.transferable) throw new ServiceError('NOT_TRANSFERABLE', 'The product of the ticket is personal.');
  assertUntouched(group, live, now);
  const place = placeOfHolder(group, live);
  const held: TicketGroup = {
    ...group,
    distributionHolderCustomerId: toCustomerNumber,
    ...(place && { holderTravellerId: place.travellerId }),
  };
  const successors = live.map((of, at): Successor => {
    const travellers = of.travellers.map((each) =>
      each.travellerId === place?.travellerId ? { ...each, customerNumber: toCustomerNumber } : each,
    );
    const id = newId(group.ticketDistributions.length + at);
    return { of, ticket: newTicket({ ...contentOf(of), travellers }, id, undefined, now) };
  });
  const change = succeed(held, successors, live, now, (after, { ticket, of }) => ({
    type: 'TicketDistributionHolderTransferred',
    ...ofTicket(after, ticket),
    distributionHolderCustomerId: toCustomerNumber,
    replaces: (of as Distribution).id,
  }));
  return reissued(change);
}

/** Until a first transfer, who has the holder's place holds the tickets; of a traveller without a number, the owner. */
function holds(customerNumber: CustomerNumber, group: TicketGroup, live: readonly Distribution[]): boolean {
  const { distributionHolderCustomerId, orderOwnerCustomerId } = group;
  const holder = distributionHolderCustomerId ?? placeOfHolder(group, live)?.customerNumber ?? orderOwnerCustomerId;
  return holder === customerNumber;
}

/** The earlier holder's, else the owner's, else the first. */
function placeOfHolder(
  { holderTravellerId, orderOwnerCustomerId }: TicketGroup,
  [ticket]: readonly Distribution[],
): TicketTraveller | undefined {
  const travellers = ticket?.travellers ?? [];
  return (
    travellers.find(({ travellerId }) => travellerId === holderTravellerId) ??
    travellers.find(({ customerNumber }) => customerNumber !== undefined && customerNumber === orderOwnerCustomerId) ??
    travellers[0]
  );
}

/** One workflow signs and sends the successors. */
function reissued({ group, events }: TicketChange): TicketChange {
  return { group: { ...group, reissues: group.reissues + 1 }, events, pendingStart: true };
}

function liveTickets({ ticketDistributions }: TicketGroup): readonly Distribution[] {
  const live = ticketDistributions.filter(isLive);
  if (live.length === 0) throw new ServiceError('INVALID_STATE', 'The tickets are cancelled or refunded.');
  return live;
}

function assertUntouched(group: TicketGroup, live: readonly Distribution[], now: Date): void {
  if (isUsed(group)) throw alreadyUsed();
  if (live.some(({ startOfValidity }) => startOfValidity <= now)) {
    throw new ServiceError('INVALID_STATE', 'The validity of the ticket has begun.');
  }
}

function assertMovable(
  { soldAt }: TicketGroup,
  ticket: Distribution,
  { startOfValidity, products, timeZone }: MovedValidity,
  now: Date,
): void {
  const { productId, seatReservations, legs } = ticket;
  const product = products.get(productId);
  if (!product) throw outOfRange('The product of the ticket is not sold any more.');
  if (product.validityDuration === undefined || seatReservations.length > 0) {
    throw outOfRange('The ticket is valid for its journeys alone.');
  }
  if (startOfValidity < now) throw outOfRange('The start of validity lies in the past.');
  const days = daysBetween(localDateOf(soldAt, timeZone), localDateOf(startOfValidity, timeZone));
  if (days > product.latestStartDays) {
    throw outOfRange(`The ticket is valid from ${product.latestStartDays} days after its sale at the latest.`);
  }
  // The ticket shows these journeys: its holder must be able to travel by them.
  const { endOfValidity } = startingAt(ticket, startOfValidity);
  if (legs.some((leg) => !departsWithin(leg, startOfValidity, endOfValidity))) {
    throw outOfRange('A journey of the ticket would depart outside its validity.');
  }
}

function outOfRange(detail: string): ServiceError {
  return new ServiceError('VALIDITY_OUT_OF_RANGE', detail);
}
