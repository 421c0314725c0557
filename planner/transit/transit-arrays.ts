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
/** Times of wheelchair users, and those that stand for them where a snapshot has none of their own. */
const WHEELCHAIR = {
  transferWheelchairSeconds: 'transferMinimumSeconds',
  backTransferWheelchairSeconds: 'backTransferMinimumSeconds',
  stopWheelchairSeconds: 'stopMinimumSeconds',
} as const;
const UINT8 = ['routeStopFlags', 'routeMode', 'routeZone', 'routeFlags', 'tripFlags', 'interchangeFlags'] as const;
const FLOAT64 = ['stopLatitude', 'stopLongitude', 'dayStarts'] as const;

const BACK_WHEELCHAIR = 'backTransferWheelchairSeconds';
type WheelchairName = keyof typeof WHEELCHAIR;
type Int32Name = (typeof INT32)[number] | (typeof BACK)[number] | WheelchairName;
const WHEELCHAIR_NAMES = Object.keys(WHEELCHAIR) as readonly WheelchairName[];

/** All arrays by name; `dayStarts` has `dayCount` entries per zone. */
export type TransitArrays = Readonly<Record<Int32Name, Int32Array>> &
  Readonly<Record<(typeof UINT8)[number], Uint8Array>> &
  Readonly<Record<(typeof FLOAT64)[number], Float64Array>> & {
    readonly routeSubmode: Uint16Array;
    readonly daySetBits: Uint32Array;
  };

const section = (name: string): string => `transit.${name}`;

/** Writes footpaths back only where they differ from those forward, and times of wheelchair users where any has its own. */
export function writeTransitArrays(arrays: TransitArrays, sections: SectionWriter): void {
  for (const name of [...INT32, ...UINT8, ...FLOAT64, 'routeSubmode', 'daySetBits'] as const) {
    sections.add(section(name), arrays[name]);
  }
  const isBackOwn = arrays.backTransferFrom !== arrays.transferTo;
  for (const name of WHEELCHAIR_NAMES) {
    if (arrays[name] === arrays[WHEELCHAIR[name]] || (name === BACK_WHEELCHAIR && !isBackOwn)) continue;
    sections.add(section(name), arrays[name]);
  }
  if (!isBackOwn) return;
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
  for (const name of WHEELCHAIR_NAMES)
    arrays[name] = sections.has(section(name)) ? sections.int32(section(name)) : arrays[WHEELCHAIR[name]];
  if (!ownBack) arrays[BACK_WHEELCHAIR] = arrays.transferWheelchairSeconds;
  return arrays as unknown as TransitArrays;
}
