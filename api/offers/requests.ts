/** Reads the bodies of searches. Pure. */
import type { GivenLeg, GivenTravel } from '../../activities/offers/wanted-search.ts';
import type { Schemas } from './contract.gen.ts';

export function tripPatternOf({ tripPattern }: Schemas['TripPatternSearch']): GivenTravel {
  return { kind: 'TRIP_PATTERN', legs: tripPattern.legs.map(legOf) };
}

export function stopPlacesOf({ from, to, travelDate }: Schemas['StopPlacesSearch']): GivenTravel {
  return { kind: 'STOP_PLACES', from, to, travelDate };
}

export function zonesOf({ zones, travelDate }: Schemas['ZonesSearch']): GivenTravel {
  return { kind: 'ZONES', zones, travelDate };
}

export function authorityOf({ authority, travelDate }: Schemas['AuthoritySearch']): GivenTravel {
  return { kind: 'AUTHORITY', authority, travelDate };
}

function legOf({ expectedStartTime, expectedEndTime, ...leg }: Schemas['GivenLeg']): GivenLeg {
  return { ...leg, expectedStartTime: new Date(expectedStartTime), expectedEndTime: new Date(expectedEndTime) };
}
