/** Translates modes and submodes of NeTEx to the planner's. Callers: the mapping of lines, journeys and stops. */
import { TRANSPORT_MODES, type TransportMode } from '../../../planner/model/transport-mode.ts';

const OTHER_SPELLINGS: ReadonlyMap<string, TransportMode> = new Map<string, TransportMode>([
  ['trolleyBus', 'trolleybus'],
  ['ferry', 'water'],
  ['telecabin', 'cableway'],
  ['urbanRail', 'rail'],
  ['intercityRail', 'rail'],
]);
const MODES: ReadonlyMap<string, TransportMode> = new Map(TRANSPORT_MODES.map((mode) => [mode, mode]));

/** A missing or unmapped mode is `unknown`. */
export function toTransportMode(netexMode: string | undefined): TransportMode {
  if (netexMode === undefined) return 'unknown';
  return MODES.get(netexMode) ?? OTHER_SPELLINGS.get(netexMode) ?? 'unknown';
}

/** Known modes: without `unknown` and `undefined`. */
const SUBMODES: ReadonlySet<string> = new Set(
  [
    'SchengenAreaFlight airportBoatLink airportLinkBus airportLinkRail airshipService allFunicularServices',
    'allHireVehicles allTaxiServices bikeTaxi blackCab cableCar cableFerry canalBarge carTransportRailService',
    'chairLift charterTaxi cityTram communalTaxi commuterCoach crossCountryRail dedicatedLaneBus',
    'demandAndResponseBus domesticCharterFlight domesticFlight domesticScheduledFlight dragLift expressBus',
    'funicular helicopterService highFrequencyBus highSpeedPassengerService highSpeedRail highSpeedVehicleService',
    'hireCar hireCycle hireMotorbike hireVan intercontinentalCharterFlight intercontinentalFlight international',
    'internationalCarFerry internationalCharterFlight internationalCoach internationalFlight',
    'internationalPassengerFerry interregionalRail lift local localBus localCarFerry localPassengerFerry localTram',
    'longDistance metro miniCab mobilityBus mobilityBusForRegisteredDisabled nationalCarFerry nationalCoach',
    'nationalPassengerFerry nightBus nightRail postBoat postBus rackAndPinionRailway railReplacementBus railShuttle',
    'railTaxi regionalBus regionalCarFerry regionalCoach regionalPassengerFerry regionalRail regionalTram',
    'replacementRailService riverBus roadFerryLink roundTripCharterFlight scheduledFerry schoolAndPublicServiceBus',
    'schoolBoat schoolBus schoolCoach shortHaulInternationalFlight shuttleBus shuttleCoach shuttleFerryService',
    'shuttleFlight shuttleTram sightseeingBus sightseeingCoach sightseeingFlight sightseeingService sightseeingTram',
    'sleeperRailService specialCoach specialNeedsBus specialTrain streetCableCar suburbanRailway telecabin',
    'telecabinLink touristCoach touristRailway trainFerry trainTram tube undefinedFunicular urbanRailway waterTaxi',
  ].flatMap((names) => names.split(' ')),
);

/** Spelt as in the interface's enumeration, which follows NeTEx; others are dropped. */
export function toSubmode(netexSubmode: string | undefined): string | undefined {
  return netexSubmode !== undefined && SUBMODES.has(netexSubmode) ? netexSubmode : undefined;
}
