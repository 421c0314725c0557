/**
 * Brings the tickets of a line in step with the version of its order that is sold: a new line gets tickets, those of a changed
 * line and those of a withdrawn key are replaced by successors, those of a cancelled line are disabled. Pure. Repeated, it
 * changes nothing.
 */
import type { OrderLine } from '../../orders/rules/order.ts';
import type { CustomerNumber, OrderLineId, TicketDistributionId, TicketGroupId } from '../../shared/ids.ts';
import { disableTickets, withoutReturn } from './disabling.ts';
import { type Sold, type TicketContent, ticketsOfLine } from './line-tickets.ts';
import { afterMove } from './moved-start.ts';
import { isOfWithdrawnKey, type KeyValidity } from './signing.ts';
import { succeed } from './succession.ts';
import { firstUse, generatedEvent, type TicketChange, unchanged } from './ticket-change.ts';
import type { Distribution, TicketGroup } from './ticket-group.ts';
import { isLive } from './ticket-states.ts';

/** `position` counts the tickets that the group has ever had, from 0. */
export type NewTicketId = (position: number) => TicketDistributionId;

export interface Reconciling {
  readonly sold: Sold;
  /** The mailing that writes the mails of new tickets down right after: they are DISTRIBUTING. Absent: nobody does, and they are GENERATED. */
  readonly sentBy?: string | undefined;
  readonly newId: NewTicketId;
  /** That sign tickets, or have signed them. */
  readonly keys: readonly KeyValidity[];
}

/** The line that is travelled on. Undefined: it is cancelled, or no line of the version. */
export function soldLine({ version }: Pick<Sold, 'version'>, orderLineId: OrderLineId): OrderLine | undefined {
  return version.orderLines.find(({ id, status }) => id === orderLineId && status === 'CONFIRMED');
}

export function newGroup(
  id: TicketGroupId,
  line: OrderLine,
  { sold, sentBy, newId }: Omit<Reconciling, 'keys'>,
  now: Date,
): TicketChange {
  const { order, version } = sold;
  const owner = ownerOf(sold);
  const group: TicketGroup = {
    id,
    organisationId: order.organisationId,
    distributionChannelId: order.distributionChannelId,
    orderId: order.id,
    orderVersion: version.version,
    orderLineId: line.id,
    updatedForOrderLineVersion: line.version,
    ...(owner !== undefined && { orderOwnerCustomerId: owner }),
    transferable: line.transferable ?? false,
    currency: order.currency,
    soldAt: line.confirmedAt ?? version.confirmedAt,
    reissues: 0,
    createdAt: now,
    updatedAt: now,
    ticketDistributions: ticketsOfLine(sold, line).map((content, at) => newTicket(content, newId(at), sentBy, now)),
  };
  return { group, events: group.ticketDistributions.map((ticket) => generatedEvent(group, ticket)) };
}

/** A version that is older than the tickets changes nothing. */
export function reconcile(before: TicketGroup, reconciling: Reconciling, now: Date): TicketChange {
  const { sold } = reconciling;
  if (before.orderVersion > sold.version.version) return unchanged(before);
  const group = withOwner(before, ownerOf(sold), now);
  const line = soldLine(sold, group.orderLineId);
  if (!line) return disableTickets(group, { reason: 'CANCELLED' }, now);
  const contents = ticketsOfLine(sold, line, group);
  if (line.version > group.updatedForOrderLineVersion) return replaced(group, line, contents, reconciling, now);
  return changedTickets(group, contents, reconciling, now);
}

/** The contact belongs to no version: it may change at any time. */
function ownerOf({ order }: Sold): CustomerNumber | undefined {
  return order.contact ?? order.createdBy;
}

function withOwner(group: TicketGroup, owner: CustomerNumber | undefined, now: Date): TicketGroup {
  if (owner === undefined || owner === group.orderOwnerCustomerId) return group;
  return { ...group, orderOwnerCustomerId: owner, updatedAt: now };
}

/** The line is another one now. What a refund has disabled of the one before does not come back when that fails. */
function replaced(
  group: TicketGroup,
  line: OrderLine,
  contents: readonly TicketContent[],
  { sold, sentBy, newId }: Reconciling,
  now: Date,
): TicketChange {
  const { contents: shown, moved } = afterMove(group, line, contents);
  const facts = {
    orderVersion: sold.version.version,
    updatedForOrderLineVersion: line.version,
    transferable: line.transferable ?? false,
    ...moved,
  };
  const live = group.ticketDistributions.filter(isLive);
  const successors = shown.map((content, at) => {
    const of = live[at];
    const ticket = newTicket(content, newId(group.ticketDistributions.length + at), sentBy, now);
    return { ticket: { ...ticket, ...useFor(ticket, of ?? lastOf(group, content)) }, of };
  });
  return succeed({ ...withoutReturn(group, now), ...facts }, successors, live, now);
}

/**
 * The line is the same: its tickets keep what has happened to them, as another validity. Travellers and seats may have changed, or
 * a key was withdrawn.
 */
function changedTickets(
  group: TicketGroup,
  contents: readonly TicketContent[],
  { sold, sentBy, newId, keys }: Reconciling,
  now: Date,
): TicketChange {
  const live = group.ticketDistributions.filter(isLive);
  const changed = live.flatMap((ticket) => {
    const content = contents.find(({ productId }) => productId === ticket.productId) ?? contents[0];
    if (!content) return [];
    const { travellers, seatReservations } = content;
    const stays = isShownSame(content, ticket) && !isOfWithdrawnKey(ticket, keys, now);
    return stays ? [] : [{ ticket, travellers, seatReservations }];
  });
  if (changed.length === 0) return unchanged(group);
  const successors = changed.map(({ ticket: of, travellers, seatReservations }, at) => {
    const id = newId(group.ticketDistributions.length + at);
    const ticket = newTicket({ ...contentOf(of), travellers, seatReservations }, id, sentBy, now);
    return { ticket: { ...ticket, ...useFor(ticket, of) }, of };
  });
  const replacedTickets = changed.map(({ ticket }) => ticket);
  return succeed({ ...group, orderVersion: sold.version.version }, successors, replacedTickets, now);
}

/** Of the product, whatever became of it: a refund disables the tickets before the line changes. */
function lastOf({ ticketDistributions }: TicketGroup, { productId }: TicketContent): Distribution | undefined {
  return ticketDistributions.findLast((ticket) => ticket.productId === productId);
}

/** A successor keeps the use of the ticket before it, on the legs that it still has. */
function useFor({ legs }: Pick<Distribution, 'legs'>, before: Distribution | undefined) {
  const usedAt = before && firstUse(before);
  if (!before || !usedAt) return {};
  return { usedAt, usedLegIds: before.usedLegIds.filter((used) => legs.some(({ legId }) => legId === used)) };
}

function isShownSame(one: TicketContent, other: TicketContent): boolean {
  return textOf(one) === textOf(other);
}

function textOf({ travellers, seatReservations }: TicketContent): string {
  const persons = travellers.map(({ travellerId, customerNumber = '', userTypeId, entitlementIds = [] }) => [
    travellerId,
    customerNumber,
    userTypeId,
    ...entitlementIds,
  ]);
  const seats = seatReservations.map(({ legId, travellerId, carriageNumber, seatNumber }) => [
    legId,
    travellerId,
    carriageNumber,
    seatNumber,
  ]);
  return JSON.stringify([persons, seats.map((seat) => JSON.stringify(seat)).toSorted()]);
}

export function newTicket(
  content: TicketContent,
  id: TicketDistributionId,
  sentBy: string | undefined,
  now: Date,
): Distribution {
  const isSent = sentBy !== undefined;
  return {
    id,
    status: isSent ? 'DISTRIBUTING' : 'GENERATED',
    ...content,
    distributionDetails: {
      ...{ distributedAsPdf: false, channel: isSent ? 'EMAIL' : 'NONE', attempts: 0 },
      ...(isSent && { sentBy }),
    },
    usedLegIds: [],
    issuedAt: now,
  };
}

/** What the ticket says, for a successor. */
export function contentOf(ticket: Distribution): TicketContent {
  const { startOfValidity, endOfValidity, travellers, productId, productName, fareClass, price } = ticket;
  const { topology, legs, seatReservations, fullAreaValidity, zoneNames, supplementNames } = ticket;
  return {
    startOfValidity,
    endOfValidity,
    travellers,
    productId,
    productName,
    ...(fareClass && { fareClass }),
    price,
    topology,
    legs,
    seatReservations,
    fullAreaValidity,
    ...(zoneNames && { zoneNames }),
    ...(supplementNames && { supplementNames }),
  };
}
