/** The indexes of orders: one for each way in which they are looked for. */
import type { NamedIndex } from '../../platform/mongo/collection.ts';

const EXISTS = { $exists: true };

export const DUE_INDEX = 'due';
export const PENDING_SEATS_INDEX = 'pending_seats';

/** Searches begin with the organisation. Members that few orders have are indexed only where they are. */
export const ORDER_INDEXES: readonly NamedIndex[] = [
  { name: 'organisation_and_id', key: { organisationId: 1, _id: 1 } },
  { name: 'creation_time', key: { organisationId: 1, createdAt: -1, _id: 1 } },
  sparse('confirmation_time', 'lastConfirmedAt'),
  sparse('external_reference', 'externalReference'),
  sparse('contact', 'contact'),
  sparse('created_by', 'createdBy'),
  sparse('traveller_customer', 'travellers.customerNumber'),
  sparse('lines', 'orderLines.id'),
  sparse('line_reference', 'orderLines.externalReference'),
  sparse('reservations', 'reservations.id'),
  sparse('dated_journeys', 'orderLines.travelSpecification.legs.datedServiceJourneyId'),
  { name: DUE_INDEX, key: { expireAt: 1 }, partialFilterExpression: { status: 'DRAFT', expireAt: EXISTS } },
  {
    name: PENDING_SEATS_INDEX,
    key: { 'pendingSeats.since': 1 },
    partialFilterExpression: { 'pendingSeats.since': EXISTS },
  },
];

function sparse(name: string, member: string): NamedIndex {
  return { name, key: { organisationId: 1, [member]: 1 }, partialFilterExpression: { [member]: EXISTS } };
}
