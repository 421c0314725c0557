/** The indexes of tickets: what must be unique, and one for each way in which tickets are looked for. */
import type { NamedIndex } from '../../platform/mongo/collection.ts';

const EXISTS = { $exists: true };

export const ID_INDEX = 'organisation_and_id';
export const TICKET_INDEX = 'ticket';
export const LINE_INDEX = 'of_line';
export const REVOKED_INDEX = 'revoked';
export const REVOKED_BY_END_INDEX = 'revoked_by_end';
export const REISSUED_INDEX = 'reissued_by_end';
export const CUSTOMERS_INDEX = 'of_customers';

/** Searches begin with the organisation and answer by creation where nothing else is asked for. */
export const TICKET_GROUP_INDEXES: readonly NamedIndex[] = [
  { name: ID_INDEX, key: { organisationId: 1, _id: 1 } },
  // An inspector knows the ticket alone.
  { name: TICKET_INDEX, key: { 'ticketDistributions.id': 1 }, unique: true },
  // A line has one group, also when two processes issue at once.
  { name: LINE_INDEX, key: { orderId: 1, orderLineId: 1 }, unique: true },
  {
    name: REVOKED_INDEX,
    key: { 'ticketDistributions.revokedAt': 1 },
    partialFilterExpression: { 'ticketDistributions.revokedAt': EXISTS },
  },
  // Inspectors get revoked tickets until their validity ends.
  {
    name: REVOKED_BY_END_INDEX,
    key: { 'ticketDistributions.endOfValidity': 1 },
    partialFilterExpression: { 'ticketDistributions.revokedAt': EXISTS },
  },
  // Once in the life of a process; see unreported-moves.ts.
  {
    name: REISSUED_INDEX,
    key: { 'ticketDistributions.endOfValidity': 1 },
    partialFilterExpression: { reissues: { $gt: 0 } },
  },
  sorted('by_creation', 'createdAt'),
  sorted('by_update', 'updatedAt'),
  sorted('by_number', 'groupId'),
  whole('of_order', 'orderId'),
  whole('of_order_version', 'orderVersion'),
  whole('of_order_line', 'orderLineId'),
  whole('of_owner', 'orderOwnerCustomerId'),
  whole('of_holder', 'distributionHolderCustomerId'),
  whole(CUSTOMERS_INDEX, 'customers'),
  whole('ticket_of_organisation', 'ticketDistributions.id'),
  whole('of_status', 'ticketDistributions.status'),
  whole('of_start', 'ticketDistributions.startOfValidity'),
  whole('of_end', 'ticketDistributions.endOfValidity'),
];

/** The order that is asked for; the id decides among equals. */
function sorted(name: string, member: string): NamedIndex {
  return { name, key: { organisationId: 1, [member]: 1, _id: 1 } };
}

function whole(name: string, member: string): NamedIndex {
  return { name, key: { organisationId: 1, [member]: 1, createdAt: 1, _id: 1 } };
}
