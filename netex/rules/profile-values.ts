/**
 * The values that the profile allows where NeTEx has more. Data only. Callers: transport-modes.ts, booking.ts,
 * flexible.ts.
 */

/** Submodes by transport mode; the profile has none for a mode without a list. */
export const SUBMODES: Readonly<Record<string, readonly string[]>> = {
  air: ['domesticFlight', 'helicopterService', 'internationalFlight'],
  bus: [
    'airportLinkBus',
    'expressBus',
    'localBus',
    'nightBus',
    'railReplacementBus',
    'regionalBus',
    'schoolBus',
    'shuttleBus',
    'sightseeingBus',
  ],
  cableway: ['telecabin'],
  coach: ['internationalCoach', 'nationalCoach', 'touristCoach'],
  funicular: ['funicular'],
  metro: ['metro'],
  rail: [
    'airportLinkRail',
    'international',
    'interregionalRail',
    'local',
    'longDistance',
    'nightRail',
    'regionalRail',
    'touristRailway',
  ],
  snowAndIce: ['snowCoach'],
  taxi: ['charterTaxi', 'communalTaxi', 'waterTaxi'],
  tram: ['cityTram', 'localTram'],
  unknown: [],
  water: [
    'highSpeedPassengerService',
    'highSpeedVehicleService',
    'internationalCarFerry',
    'internationalPassengerFerry',
    'localCarFerry',
    'localPassengerFerry',
    'nationalCarFerry',
    'sightseeingService',
  ],
};

export const TRANSPORT_MODES: ReadonlySet<string> = new Set(Object.keys(SUBMODES));

const ANY_SUBMODE: ReadonlySet<string> = new Set(['unknown', ...Object.values(SUBMODES).flat()]);

/** Mode of an element of submodes whose name differs from its mode. */
const MODE_OF_ELEMENT: Readonly<Record<string, string>> = { TelecabinSubmode: 'cableway' };

/** `BusSubmode` → `bus`. */
function modeOfElement(element: string): string {
  return MODE_OF_ELEMENT[element] ?? element.charAt(0).toLowerCase() + element.slice(1, -'Submode'.length);
}

/** Values to expect in that element, for messages; empty when the profile has none. */
export function submodesIn(element: string): readonly string[] {
  return SUBMODES[modeOfElement(element)] ?? [];
}

/** The schema checks which element may hold which submode. */
export function isSubmode(submode: string): boolean {
  return ANY_SUBMODE.has(submode);
}

export const FLEXIBLE_LINE_TYPES = [
  'corridorService',
  'fixed',
  'fixedStopAreaWide',
  'flexibleAreasOnly',
  'hailAndRideSections',
  'mainRouteWithFlexibleEnds',
  'mixedFlexible',
  'mixedFlexibleAndFixed',
] as const;

export const FLEXIBLE_SERVICE_TYPES = [
  'dynamicPassingTimes',
  'fixedHeadwayFrequency',
  'fixedPassingTimes',
  'notFlexible',
] as const;

export const BOOKING_ACCESS = ['authorisedPublic', 'public', 'staff'] as const;
export const BOOKING_METHODS = ['callDriver', 'callOffice', 'online', 'other', 'phoneAtStop', 'text'] as const;
export const BOOK_WHEN = ['advanceAndDayOfTravel', 'dayOfTravelOnly', 'untilPreviousDay'] as const;
export const BUY_WHEN = ['afterBoarding', 'beforeBoarding', 'onCheckOut', 'onReservation'] as const;
