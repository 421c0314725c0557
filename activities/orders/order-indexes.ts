/** The indexes of orders: one for each way in which they are looked for. */
import type { NamedIndex } from '../../platform/mongo/collection.ts';

const EXISTS = { $exists: true };

export const ID_INDEX = 'organisation_and_id';
export const IMPORTS_INDEX = 'imports';
export const DUE_INDEX = 'due';
export const LOCKS_INDEX = 'locks_of_owners';
export const PENDING_SEATS_INDEX = 'pending_seats';
export const PENALTIES_INDEX = 'penalty_drafts';
/** By the ids of the works that make them; see payments/invoice-claims.ts. The character after `/` is `0`. */
export const PENALTY_DRAFTS = { status: 'DRAFT', creationId: { $gte: 'penalty-fare/', $lt: 'penalty-fare0' } } as const;

/** Journeys by their day, of lines as they are and as they were sold before an open draft changed them. */
export const JOURNEY_INDEX = 'journeys';
export const CONFIRMED_JOURNEY_INDEX = 'confirmed_journeys';

/** The members that name a customer, with their indexes. Orders from before `everNamed` name only those of now. */
export const NAMING_INDEXES = {
  contact: 'of_contact',
  createdBy: 'of_creator',
  'travellers.customerNumber': 'traveller_customer',
  everNamed: 'of_everyone_named',
} as const;

/**
 * Searches begin with the organisation and answer by creation where nothing else is asked for. Members of the order that
 * few have are indexed only where they are; those of lines wholly, since a condition on one line uses no partial index.
 */
export const ORDER_INDEXES: readonly NamedIndex[] = [
  { name: ID_INDEX, key: { organisationId: 1, _id: 1 } },
  {
    // No money that another system has taken is entered twice.
    name: IMPORTS_INDEX,
    key: { organisationId: 1, importKeys: 1 },
    unique: true,
    partialFilterExpression: { importKeys: EXISTS },
  },
  // Claims of invoices that were perhaps never issued.
  { name: PENALTIES_INDEX, key: { createdAt: 1 }, partialFilterExpression: PENALTY_DRAFTS },
  sorted('by_creation', 'createdAt'),
  sorted('by_confirmation', 'lastConfirmedAt'),
  sorted('by_status', 'status'),
  sorted('by_version', 'version'),
  sorted('by_total_amount', 'totalAmountMinor'),
  sorted('by_balance', 'balanceMinor'),
  sparse('of_external_reference', 'externalReference'),
  sparse('of_pos', 'pos'),
  ...Object.entries(NAMING_INDEXES).map(([member, name]) => sparse(name, member)),
  sparse('of_reservation', 'reservations.id'),
  whole('of_first_stop', 'fromStopPlaceIds'),
  whole('of_last_stop', 'toStopPlaceIds'),
  whole('of_line', 'orderLines.id'),
  whole('of_line_reference', 'orderLines.externalReference'),
  whole('of_product', 'orderLines.fareProducts.id'),
  whole('of_journey', 'orderLines.travelSpecification.legs.serviceJourneyId'),
  whole('of_dated_journey', 'orderLines.travelSpecification.legs.datedServiceJourneyId'),
  whole('of_line_start', 'orderLines.travelSpecification.startOfValidity'),
  whole('of_line_end', 'orderLines.travelSpecification.endOfValidity'),
  // Of all organisations: a new timetable finds what is sold on a journey.
  journeys(JOURNEY_INDEX, 'orderLines'),
  {
    ...journeys(CONFIRMED_JOURNEY_INDEX, 'confirmed.orderLines'),
    partialFilterExpression: { status: 'DRAFT', confirmed: EXISTS },
  },
  { name: DUE_INDEX, key: { expireAt: 1 }, partialFilterExpression: { status: 'DRAFT', expireAt: EXISTS } },
  { name: LOCKS_INDEX, key: { 'lock.owner': 1, 'lock.since': 1 }, partialFilterExpression: { 'lock.since': EXISTS } },
  {
    name: PENDING_SEATS_INDEX,
    key: { 'pendingSeats.since': 1 },
    partialFilterExpression: { 'pendingSeats.since': EXISTS },
  },
];

/** The order that is asked for; the id decides among equals. */
function sorted(name: string, member: string): NamedIndex {
  return { name, key: { organisationId: 1, [member]: 1, _id: 1 } };
}

function whole(name: string, member: string): NamedIndex {
  return { name, key: { organisationId: 1, [member]: 1, createdAt: 1, _id: 1 } };
}

function journeys(name: string, lines: string): NamedIndex {
  const legs = `${lines}.travelSpecification.legs`;
  return { name, key: { [`${legs}.serviceDay`]: 1, [`${legs}.datedServiceJourneyId`]: 1 } };
}

function sparse(name: string, member: string): NamedIndex {
  return { ...whole(name, member), partialFilterExpression: { [member]: EXISTS } };
}
