/**
 * A train with 4 seats and one with none left to choose, and what is sold on them: a flexible and a fixed ticket, a meal, a
 * window seat, a compartment. Organisation 2 sells a ticket of its own.
 */
import { EMPTY_CATALOGUE } from '../../../activities/catalogue/catalogue-content.ts';
import type {
  CatalogueContent,
  DistributionChannel,
  PaymentMethod,
  PaymentTypeGroup,
} from '../../../activities/shared/catalogue.ts';
import type { DatedJourney, JourneyCall, TimetableReader } from '../../../activities/shared/timetable.ts';
import type { FareProduct, PreassignedProduct, SupplementProduct } from '../../../workflows/shared/fares.ts';
import type { OrganisationId } from '../../../workflows/shared/ids.ts';
import type { Seat } from '../../../workflows/shared/seats.ts';

export const CHANNEL = 'TST:DistributionChannel:App';
export const OTHER_CHANNEL = 'TST:DistributionChannel:Other';
const [ONE, TWO, THREE] = [1 as OrganisationId, 2 as OrganisationId, 3 as OrganisationId];
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const TAX = { code: 'VAT_LOW', basisPoints: 1_200 };

/** Tomorrow's trains leave at these hours, in UTC. */
export const TRAIN = 'TST:ServiceJourney:Seated';
export const LATER_TRAIN = 'TST:ServiceJourney:Later';
export const FREE_TRAIN = 'TST:ServiceJourney:Free';
const HOURS: Readonly<Record<string, number>> = { [TRAIN]: 8, [LATER_TRAIN]: 12, [FREE_TRAIN]: 15 };
const STOPS = ['A', 'B', 'C'].map((name) => `TST:StopPlace:${name}`);
export const [A = '', B = '', C = ''] = STOPS;

const named = (id: string) => ({
  id,
  version: 1,
  name: [{ lang: 'nob' as const, value: id }],
  currency: 'NOK',
  tax: TAX,
});

function ticket(id: string, changed: Partial<PreassignedProduct> = {}): PreassignedProduct {
  return {
    ...named(id),
    ...{ kind: 'PREASSIGNED', organisationId: ONE, carrierOrganisationId: ONE },
    area: { kind: 'LINES', modes: ['rail'] },
    latestStartDays: 30,
    transferable: true,
    refundRuleSetId: 'FREE',
    changeRuleSetId: 'CHEAP',
    requiredEntitlements: [],
    compulsorySupplements: [],
    optionalSupplements: ['MEAL', 'WINDOW'],
    ...changed,
  };
}

function supplement(id: string, changed: Partial<SupplementProduct> = {}): SupplementProduct {
  const facts = { kind: 'SUPPLEMENT', organisationId: ONE, carrierOrganisationId: ONE } as const;
  return { ...named(id), ...facts, modifiesSeating: false, ...changed };
}

const PRODUCTS: readonly FareProduct[] = [
  ticket('FLEX'),
  ticket('FIXED', { refundRuleSetId: 'NEVER', changeRuleSetId: 'FREE', carrierOrganisationId: TWO }),
  ticket('STUDENT', { requiredEntitlements: ['CARD'] }),
  ticket('CABIN', {
    compartment: { minTravellers: 2, maxTravellers: 2 },
    accommodation: 'SLEEPER',
    optionalSupplements: [],
  }),
  ticket('FOREIGN', { organisationId: TWO, carrierOrganisationId: TWO, optionalSupplements: [] }),
  supplement('MEAL', { carrierOrganisationId: THREE }),
  supplement('WINDOW', { modifiesSeating: true, seatFacility: 'WINDOW' }),
];
const PRICES: Readonly<Record<string, number>> = {
  ...{ FLEX: 300, FIXED: 200, STUDENT: 150, CABIN: 900, FOREIGN: 250, MEAL: 80, WINDOW: 40 },
};

function method(paymentMethodId: number, paymentTypeGroup: PaymentTypeGroup, paymentType: string): PaymentMethod {
  const provider = paymentTypeGroup === 'INVOICE' ? 'BOOK' : 'SIMULATOR';
  return { paymentMethodId, paymentTypeGroup, paymentType, name: paymentType, active: true, provider };
}

/** The last one is not offered any more. */
const METHODS: readonly PaymentMethod[] = [
  method(1, 'PAYMENTCARD', 'VISA'),
  method(2, 'MOBILE', 'VIPPS'),
  method(3, 'INVOICE', 'INVOICE'),
  { ...method(4, 'PAYMENTCARD', 'AMEX'), active: false },
];

function channel(id: string, ...organisationIds: OrganisationId[]): DistributionChannel {
  return {
    ...{ id, organisationIds, paymentMethods: METHODS, autoDistribute: false },
    refundPaymentTypeGroups: ['PAYMENTCARD', 'MOBILE', 'INVOICE'],
    ...{ defaultLanguage: 'nob', currency: 'NOK', returnOrigins: ['https://shop.example'] },
  };
}

function seats(from: number, to: number, changed: Partial<Seat['properties']>, compartmentNumber?: string): Seat[] {
  const properties = { fareClass: 'STANDARD', accommodationFacility: 'SEATING', facilities: [], ...changed } as const;
  return Array.from({ length: to - from + 1 }, (_, at) => ({
    ...{ seatNumber: String(from + at), properties },
    ...(compartmentNumber !== undefined && { compartmentNumber }),
  }));
}

export const MARKET: CatalogueContent = {
  ...EMPTY_CATALOGUE,
  timeZone: 'Europe/Oslo',
  organisations: [ONE, TWO, THREE].map((id) => ({ id, name: `Organisation ${id}` })),
  distributionChannels: [channel(CHANNEL, ONE, TWO), { ...channel(OTHER_CHANNEL, TWO), returnOrigins: [] }],
  userTypes: [
    { id: 'ADULT', name: [{ lang: 'nob', value: 'Voksen' }], minAge: 18 },
    { id: 'CHILD', name: [{ lang: 'nob', value: 'Barn' }], maxAge: 17 },
  ],
  entitlements: [{ id: 'CARD', name: [{ lang: 'nob', value: 'Studentbevis' }] }],
  fareProducts: PRODUCTS,
  prices: Object.entries(PRICES).map(([productId, kroner]) => ({
    productId,
    basis: { kind: 'FLAT', amountMinor: kroner * 100 },
  })),
  refundRuleSets: [
    { id: 'FREE', currency: 'NOK', rules: [rule('FREE-1', { refundPercent: 100, unusedOnly: true })] },
    { id: 'NEVER', currency: 'NOK', rules: [] },
  ],
  changeRuleSets: [
    { id: 'FREE', currency: 'NOK', rules: [rule('CHANGE-0', {})] },
    { id: 'CHEAP', currency: 'NOK', rules: [{ ...rule('CHANGE-50', {}), feeAmountMinor: 5_000 }] },
  ],
  seatPlans: [
    {
      id: 'PLAN',
      carriages: [
        { carriageNumber: '1', seats: [...seats(1, 2, { facilities: ['WINDOW'] }), ...seats(3, 4, {})] },
        { carriageNumber: '2', seats: seats(11, 12, { accommodationFacility: 'SLEEPER' }, '1') },
      ],
    },
  ],
  trains: [
    { id: 'SEATED', seatPlanId: 'PLAN', seatReservation: 'COMPULSORY', serviceJourneyIds: [TRAIN, LATER_TRAIN] },
  ],
};

function rule<T extends object>(id: string, more: T) {
  return { id, untilBefore: 'PT0S', feeAmountMinor: 0, ...more };
}

/** Departure of a train of tomorrow. */
export function departureOf(serviceJourneyId: string, now = new Date()): Date {
  const tomorrow = new Date(now.getTime() + DAY_MS).toISOString().slice(0, 10);
  return new Date(Date.parse(`${tomorrow}T00:00:00Z`) + (HOURS[serviceJourneyId] ?? 0) * HOUR_MS);
}

function journeyOf(serviceJourneyId: string): DatedJourney {
  const departure = departureOf(serviceJourneyId);
  const serviceDay = departure.toISOString().slice(0, 10);
  return {
    datedServiceJourneyId: `${serviceJourneyId}@${serviceDay}`,
    ...{ serviceJourneyId, serviceDay, isCancelled: false },
    ...{ lineId: 'TST:Line:1', mode: 'rail', authorityId: 'TST:Authority:1' },
    calls: STOPS.map((stopPlaceId, position): JourneyCall => {
      const time = new Date(departure.getTime() + position * HOUR_MS);
      return {
        ...{ position, quayId: `${stopPlaceId}-1`, stopPlaceId, stopName: stopPlaceId },
        ...(position > 0 && { arrival: time }),
        ...(position < STOPS.length - 1 && { departure: time }),
        ...{ forBoarding: true, forAlighting: true, zoneIds: [], distanceMetres: position * 50_000 },
      };
    }),
  };
}

/** The timetable of these trains. */
export const TIMETABLE_READER: TimetableReader = {
  findJourney: async ({ serviceJourneyId, datedServiceJourneyId }) =>
    journeys().find(
      (journey) =>
        journey.datedServiceJourneyId === datedServiceJourneyId || journey.serviceJourneyId === serviceJourneyId,
    ),
  findDatedJourney: async (id) => journeys().find(({ datedServiceJourneyId }) => datedServiceJourneyId === id),
  listDatedJourneys: async () => ({ items: journeys(), totalItems: journeys().length }),
  findStopPlaces: async (ids) => places().filter(({ id }) => ids.includes(id)),
  findConnections: async () => [],
  listStopPlaces: async () => places(),
  listFareZones: async () => [],
  listAuthorities: async () => [{ id: 'TST:Authority:1', name: 'Rail' }],
  listLineIds: async () => ['TST:Line:1'],
  listServiceJourneyIds: async (of) => of.filter((id) => id in HOURS),
};

const journeys = () => Object.keys(HOURS).map(journeyOf);
const places = () => STOPS.map((id) => ({ id, name: id, latitude: 60, longitude: 10, zoneIds: [] }));
