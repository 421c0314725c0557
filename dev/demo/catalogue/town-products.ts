/** Tickets for buses, trams and boats around the town: by zones, for a time, for a group; boats by pairs of stops. */
import type { GivenBasis, GivenStopPair } from '../../../activities/catalogue/given-catalogue.ts';
import { createRegion } from '../region.ts';
import { registerId } from '../xml-writer.ts';
import { COAST, fare, lineId, type Parties, type Sold } from './product.ts';
import { kroner, texts } from './texts.ts';
import { oneFor, reduced, STUDENT_CARD } from './travellers.ts';

const SUPPLEMENTS = ['town-dog', 'town-bicycle'];
/** The express boat. */
const BOAT = 303;
/** Places and ids are the same on every day. */
const ANY_DAY = '2026-01-01';
/** Of the boat, for each stop on the way. */
const BOAT_STEP_KRONER = 85;

const AROUND_TOWN = { kind: 'ZONES', authorityIds: [COAST] } as const;
const TOWN_ALONE = { kind: 'ZONES', authorityIds: [COAST], zoneIds: [registerId('FareZone', 1)] } as const;

export function townProducts(parties: Parties): readonly Sold[] {
  return [...singles(parties), ...forTimes(parties), ...boats(parties)];
}

function singles(parties: Parties): readonly Sold[] {
  return [
    fare(
      {
        ...parties,
        id: 'town-single',
        name: texts('Enkeltbillett', 'Single ticket'),
        area: AROUND_TOWN,
        zoneType: 'RING',
        validityDuration: 'PT90M',
        transferable: false,
        refundRuleSetId: 'refund-fee',
        changeRuleSetId: 'change-free',
        optionalSupplements: SUPPLEMENTS,
      },
      (id) => reduced(id, zones([44, 66, 88, 110, 132, 154, 176])),
    ),
    fare(
      {
        ...parties,
        id: 'town-point-to-point',
        name: texts('Sone til sone', 'Zone to zone', 'Sone til sone'),
        area: AROUND_TOWN,
        zoneType: 'POINT_TO_POINT',
        validityDuration: 'PT3H',
        transferable: true,
        refundRuleSetId: 'refund-free',
        changeRuleSetId: 'change-free',
        optionalSupplements: SUPPLEMENTS,
      },
      (id) => reduced(id, zones([52, 76, 100, 124, 148, 172, 196, 220])),
    ),
  ];
}

function forTimes(parties: Parties): readonly Sold[] {
  const period = {
    ...parties,
    area: AROUND_TOWN,
    zoneType: 'RING',
    validityDuration: 'P30D',
    transferable: false,
    refundRuleSetId: 'refund-period',
    changeRuleSetId: 'change-none',
  } as const;
  return [
    fare(
      {
        ...parties,
        id: 'town-day',
        name: texts('Døgnbillett', 'Day ticket', 'Døgnbillett'),
        area: TOWN_ALONE,
        validityDuration: 'P1D',
        transferable: true,
        refundRuleSetId: 'refund-none',
        changeRuleSetId: 'change-free',
      },
      (id) => reduced(id, { kind: 'FLAT', amount: kroner(129) }),
    ),
    fare(
      { ...period, id: 'town-30-days', name: texts('30-dagersbillett', '30-day ticket', '30-dagarsbillett') },
      (id) => reduced(id, zones([842, 1290, 1690, 2040, 2340, 2590, 2790])),
    ),
    fare(
      {
        ...period,
        id: 'town-30-days-student',
        name: texts('30-dagersbillett student', '30-day ticket for students', '30-dagarsbillett student'),
        requiredEntitlements: [STUDENT_CARD],
      },
      (id) => oneFor(id, zones([505, 774, 1014, 1224, 1404, 1554, 1674])),
    ),
    fare(
      {
        ...parties,
        id: 'town-group',
        name: texts('Gruppebillett', 'Group ticket'),
        area: AROUND_TOWN,
        validityDuration: 'P1D',
        transferable: true,
        refundRuleSetId: 'refund-steps',
        changeRuleSetId: 'change-fee',
        group: { minTravellers: 2, maxTravellers: 9 },
      },
      (id) => oneFor(id, { kind: 'FLAT', amount: kroner(320) }),
    ),
  ];
}

function boats(parties: Parties): readonly Sold[] {
  return [
    fare(
      {
        ...parties,
        id: 'boat-single',
        name: texts('Hurtigbåt', 'Express boat'),
        area: { kind: 'LINES', lineIds: [lineId(BOAT)] },
        transferable: true,
        refundRuleSetId: 'refund-fee',
        changeRuleSetId: 'change-fee',
        optionalSupplements: SUPPLEMENTS,
      },
      (id) => reduced(id, { kind: 'STOP_PAIRS', pairs: boatPairs() }),
    ),
  ];
}

function zones(amounts: readonly number[]): GivenBasis {
  return { kind: 'ZONES', steps: amounts.map((amount, index) => ({ zones: index + 1, amount: kroner(amount) })) };
}

function boatPairs(): readonly GivenStopPair[] {
  const [boat] = createRegion(ANY_DAY, [BOAT]).lines;
  if (!boat) throw new Error(`The demo region has no line ${BOAT}`);
  const stops = boat.spec.halts.map(({ there }) => registerId('StopPlace', there.place.number));
  return stops.flatMap((fromStopPlaceId, from) =>
    stops.slice(from + 1).map((toStopPlaceId, index) => ({
      fromStopPlaceId,
      toStopPlaceId,
      amount: kroner(BOAT_STEP_KRONER * (index + 1)),
    })),
  );
}
