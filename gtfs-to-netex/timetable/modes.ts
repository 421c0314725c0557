/**
 * Maps route types of GTFS (0–12) and its extension (100–1702) to modes and submodes of the profile. Gives a submode
 * only when the type states one. Callers: lines, stop places.
 */
export interface LineMode {
  readonly mode: string;
  readonly submode: string | undefined;
}

/** By type, or by its hundred. */
const MODES: ReadonlyMap<number, readonly [mode: string, submode?: string]> = new Map<
  number,
  readonly [mode: string, submode?: string]
>([
  [0, ['tram']],
  [1, ['metro', 'metro']],
  [2, ['rail']],
  [3, ['bus']],
  [4, ['water']],
  [5, ['tram']],
  [6, ['cableway', 'telecabin']],
  [7, ['funicular', 'funicular']],
  [11, ['bus']],
  [12, ['metro', 'metro']],
  [100, ['rail']],
  [101, ['rail', 'longDistance']],
  [102, ['rail', 'longDistance']],
  [103, ['rail', 'interregionalRail']],
  [105, ['rail', 'nightRail']],
  [106, ['rail', 'regionalRail']],
  [107, ['rail', 'touristRailway']],
  [109, ['rail', 'local']],
  [200, ['coach']],
  [201, ['coach', 'internationalCoach']],
  [202, ['coach', 'nationalCoach']],
  [204, ['coach']],
  [207, ['coach', 'touristCoach']],
  [208, ['coach']],
  [300, ['rail', 'local']],
  [400, ['metro']],
  [401, ['metro', 'metro']],
  [402, ['metro', 'metro']],
  [403, ['metro', 'metro']],
  [404, ['metro', 'metro']],
  [405, ['metro', 'metro']],
  [500, ['metro', 'metro']],
  [600, ['metro', 'metro']],
  [700, ['bus']],
  [701, ['bus', 'regionalBus']],
  [702, ['bus', 'expressBus']],
  [704, ['bus', 'localBus']],
  [705, ['bus', 'nightBus']],
  [710, ['bus', 'sightseeingBus']],
  [711, ['bus', 'shuttleBus']],
  [712, ['bus', 'schoolBus']],
  [713, ['bus', 'schoolBus']],
  [714, ['bus', 'railReplacementBus']],
  [800, ['bus']],
  [900, ['tram']],
  [901, ['tram', 'cityTram']],
  [902, ['tram', 'localTram']],
  [1000, ['water']],
  [1001, ['water', 'internationalCarFerry']],
  [1002, ['water', 'nationalCarFerry']],
  [1004, ['water', 'localCarFerry']],
  [1005, ['water', 'internationalPassengerFerry']],
  [1008, ['water', 'localPassengerFerry']],
  [1012, ['water', 'sightseeingService']],
  [1015, ['water', 'highSpeedPassengerService']],
  [1100, ['air']],
  [1101, ['air', 'internationalFlight']],
  [1102, ['air', 'domesticFlight']],
  [1109, ['air', 'helicopterService']],
  [1200, ['water']],
  [1300, ['cableway', 'telecabin']],
  [1400, ['funicular', 'funicular']],
  [1500, ['taxi']],
  [1501, ['taxi', 'communalTaxi']],
  [1502, ['taxi', 'waterTaxi']],
  [1507, ['taxi', 'charterTaxi']],
]);

/** 'unknown' for types that are neither. */
export function lineModeOf(routeType: number): LineMode {
  const [mode, submode] = MODES.get(routeType) ?? MODES.get(Math.floor(routeType / 100) * 100) ?? ['unknown'];
  return routeType > 12 || MODES.has(routeType) ? { mode, submode } : { mode: 'unknown', submode: undefined };
}

const SUBMODE_ELEMENTS: Readonly<Record<string, string>> = { cableway: 'TelecabinSubmode' };

/** `BusSubmode`; the unknown mode has none. */
export function submodeElement(mode: string): string {
  return SUBMODE_ELEMENTS[mode] ?? `${mode.charAt(0).toUpperCase()}${mode.slice(1)}Submode`;
}

const PLACE_TYPES: Readonly<Record<string, string>> = {
  bus: 'onstreetBus',
  coach: 'onstreetBus',
  tram: 'onstreetTram',
  metro: 'metroStation',
  rail: 'railStation',
  water: 'ferryStop',
  air: 'airport',
  cableway: 'liftStation',
  funicular: 'liftStation',
};

export function stopPlaceType(mode: string | undefined): string {
  return PLACE_TYPES[mode ?? ''] ?? 'other';
}

/**
 * A mode whose stops journeys of all these modes may use; undefined when there is none. Buses, coaches and taxis
 * share stops.
 */
export function sharedMode(modes: ReadonlySet<string>): string | undefined {
  const known = [...modes].filter((mode) => mode !== 'unknown');
  if (known.length === 0 || known.length < modes.size) return undefined;
  const road = new Set(['bus', 'coach', 'taxi']);
  if (known.length > 1 && known.every((mode) => road.has(mode))) return known.includes('bus') ? 'bus' : 'coach';
  return known.length === 1 ? known[0] : undefined;
}
