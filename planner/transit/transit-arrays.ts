/** The arrays of Transit in a snapshot, by kind of number. `openTransit` reads and `buildTransit` writes them. */
import type { SectionWriter } from '../snapshot/section-writer.ts';
import type { Sections } from '../snapshot/sections.ts';

const INT32 = [
  'routeStopsStart',
  'routeStops',
  'routePattern',
  'routeLine',
  'routeEarliest',
  'routeLatest',
  'routeHopSeconds',
  'routeDwellSeconds',
  'routeTripsStart',
  'routeTimesStart',
  'arrivals',
  'departures',
  'tripRoute',
  'tripJourney',
  'tripDays',
  'tripTimeDemandType',
  'journeyTripsStart',
  'journeyTrips',
  'stopRoutesStart',
  'stopRoutes',
  'stopRoutePositions',
  'transfersStart',
  'transferTo',
  'transferMetres',
  'transferMinimumSeconds',
  'stopMinimumSeconds',
  'tripInterchangesStart',
  'interchangeFromTrip',
  'interchangeFromPosition',
  'interchangeToTrip',
  'interchangeToPosition',
  'interchangeIndex',
  'tripInterchangesByToStart',
  'interchangesByTo',
] as const;
const BACK = ['backTransfersStart', 'backTransferFrom', 'backTransferMetres', 'backTransferMinimumSeconds'] as const;
const FORWARD = ['transfersStart', 'transferTo', 'transferMetres', 'transferMinimumSeconds'] as const;
const UINT8 = ['routeStopFlags', 'routeMode', 'routeZone', 'routeFlags', 'tripFlags', 'interchangeFlags'] as const;
const FLOAT64 = ['stopLatitude', 'stopLongitude', 'dayStarts'] as const;

type Int32Name = (typeof INT32)[number] | (typeof BACK)[number];

/** All arrays by name; `dayStarts` has `dayCount` entries per zone. */
export type TransitArrays = Readonly<Record<Int32Name, Int32Array>> &
  Readonly<Record<(typeof UINT8)[number], Uint8Array>> &
  Readonly<Record<(typeof FLOAT64)[number], Float64Array>> & {
    readonly routeSubmode: Uint16Array;
    readonly daySetBits: Uint32Array;
  };

const section = (name: string): string => `transit.${name}`;

/** Writes footpaths back only where they differ from those forward. */
export function writeTransitArrays(arrays: TransitArrays, sections: SectionWriter): void {
  for (const name of [...INT32, ...UINT8, ...FLOAT64, 'routeSubmode', 'daySetBits'] as const) {
    sections.add(section(name), arrays[name]);
  }
  if (arrays.backTransferFrom === arrays.transferTo) return;
  for (const name of BACK) sections.add(section(name), arrays[name]);
}

export function readTransitArrays(sections: Sections): TransitArrays {
  const arrays: Record<string, unknown> = {};
  for (const name of INT32) arrays[name] = sections.int32(section(name));
  for (const name of UINT8) arrays[name] = sections.uint8(section(name));
  for (const name of FLOAT64) arrays[name] = sections.float64(section(name));
  arrays.routeSubmode = sections.uint16(section('routeSubmode'));
  arrays.daySetBits = sections.uint32(section('daySetBits'));
  const ownBack = sections.has(section('backTransferFrom'));
  for (const [index, name] of BACK.entries()) {
    arrays[name] = ownBack ? sections.int32(section(name)) : arrays[FORWARD[index] as string];
  }
  return arrays as unknown as TransitArrays;
}
