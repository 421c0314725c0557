/** Seats of orders that are gone, so that generated requests reach existing arrangements. Used by fuzz-api.ts. */
import { randomUUID } from 'node:crypto';
import { ARRANGEMENTS, type ArrangementDocument } from '../../activities/seating/seating-model.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import type { OrderId, OrderLineId, OrganisationId, ReservationId, TravellerId } from '../../workflows/shared/ids.ts';

const COUNT = 10;

/** Answers the ids of the arrangements. */
export async function createArrangements(mongoUri: string): Promise<readonly string[]> {
  const connection = await connectMongo(mongoUri);
  try {
    const made = Array.from({ length: COUNT }, (_, at) => arrangement(at));
    await ARRANGEMENTS.open(connection).insertMany(made);
    return made.map(({ _id }) => _id);
  } finally {
    await connection.close();
  }
}

function arrangement(at: number): ArrangementDocument {
  const id = randomUUID() as ReservationId;
  const heldAt = new Date();
  return {
    _id: id,
    arrangementId: id,
    organisationId: 1 as OrganisationId,
    orderId: 'K7PM2XQA' as OrderId,
    orderLineId: randomUUID() as OrderLineId,
    travellerId: randomUUID() as TravellerId,
    ...{ datedServiceJourneyId: 'DEM:ServiceJourney:1@2026-11-24', runId: 'DEM:ServiceJourney:1@2026-11-24' },
    ...{ serviceJourneyId: 'DEM:ServiceJourney:1', lineId: 'DEM:Line:1', departure: heldAt },
    ...{ fromStopPlaceId: 'NSR:StopPlace:1', toStopPlaceId: 'NSR:StopPlace:2', fromPosition: 0, toPosition: 3 },
    ...{ carriageNumber: '1', seatNumber: String(at + 1), attempt: randomUUID(), heldAt },
    seatingProperties: { fareClass: 'STANDARD', accommodationFacility: 'SEATING', facilities: [] },
    status: at % 2 === 0 ? 'HELD' : 'RELEASED',
  };
}
