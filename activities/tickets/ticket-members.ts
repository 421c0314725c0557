/** Between tickets as rules see them and documents as they are stored. Pure. */
import type { Members } from '../../platform/aggregate/aggregate-document.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import type { TicketGroup } from '../../workflows/tickets/rules/ticket-group.ts';
import type { TicketGroupDocument } from './ticket-group-document.ts';
import type { StoredGroup } from './ticket-types.ts';

type Stored = Exclude<keyof TicketGroup, 'id'>;

/** Every member that is stored as it is. The type fails when one is missing. */
const STORED: { readonly [Member in Stored]-?: true } = {
  organisationId: true,
  distributionChannelId: true,
  orderId: true,
  orderVersion: true,
  orderLineId: true,
  updatedForOrderLineVersion: true,
  orderOwnerCustomerId: true,
  distributionHolderCustomerId: true,
  holderTravellerId: true,
  transferable: true,
  currency: true,
  soldAt: true,
  movedStart: true,
  givenBackSince: true,
  reissues: true,
  createdAt: true,
  updatedAt: true,
  ticketDistributions: true,
};
const STORED_MEMBERS = Object.keys(STORED) as readonly Stored[];

export function toGroup(document: TicketGroupDocument): TicketGroup {
  const present = STORED_MEMBERS.filter((member) => document[member] !== undefined);
  const members = Object.fromEntries(present.map((member) => [member, document[member]]));
  return { ...members, id: document.groupId } as unknown as TicketGroup;
}

export function toStored(document: TicketGroupDocument): StoredGroup {
  const { revision, pendingStart } = document;
  return { group: toGroup(document), revision, isPending: pendingStart === true };
}

/** What a write sets. Members that the rules have passed on unchanged are left out. */
export function changedMembers(before: TicketGroup, after: TicketGroup): Members<TicketGroupDocument> {
  const changed = STORED_MEMBERS.filter((member) => before[member] !== after[member]);
  const members = Object.fromEntries(changed.map((member) => [member, after[member]]));
  return { ...members, customers: customersOf(after) } as Members<TicketGroupDocument>;
}

/** The whole document of a new group. */
export function newMembers(group: TicketGroup) {
  const present = STORED_MEMBERS.filter((member) => group[member] !== undefined);
  return {
    _id: String(group.id),
    groupId: group.id,
    ...Object.fromEntries(present.map((member) => [member, group[member]])),
    customers: customersOf(group),
  };
}

function customersOf(group: TicketGroup): readonly CustomerNumber[] {
  const travellers = group.ticketDistributions.flatMap((ticket) =>
    ticket.travellers.map((each) => each.customerNumber),
  );
  const all = [group.orderOwnerCustomerId, group.distributionHolderCustomerId, ...travellers];
  return [...new Set(all.filter((each) => each !== undefined))];
}
