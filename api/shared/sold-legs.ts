/** JSON of the rides that an order line or a ticket is for. Pure. */
import type { SoldCall, SoldLeg } from '../../workflows/offers/rules/offer.ts';

export function presentLeg(leg: SoldLeg) {
  const { legId, mode, fromStopPlaceId, toStopPlaceId, serviceJourneyPrivateCode, calls } = leg;
  return {
    legId,
    mode,
    fromStopPlaceId,
    toStopPlaceId,
    expectedStartTime: leg.expectedStartTime.toISOString(),
    expectedEndTime: leg.expectedEndTime.toISOString(),
    lineId: known(leg.lineId),
    serviceJourneyId: known(leg.serviceJourneyId),
    serviceJourneyPrivateCode,
    datedServiceJourneyId: known(leg.datedServiceJourneyId),
    calls: calls.map(presentCall),
  };
}

function presentCall({ stopPlaceId, name, arrival, departure }: SoldCall) {
  return { stopPlaceId, name, arrival: arrival?.toISOString(), departure: departure?.toISOString() };
}

/** Empty on imported rides that the timetable lacks. */
function known(id: string): string | undefined {
  return id === '' ? undefined : id;
}
