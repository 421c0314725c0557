/** Tickets for trains by day, in two classes, and for the night train: seats, and compartments to rest and to sleep in. */
import type { GivenBasis, GivenPreassigned } from '../../../activities/catalogue/given-catalogue.ts';
import { NIGHT_TRAIN } from '../coast-lines.ts';
import { fare, LONG_DISTANCE, lineId, type Parties, type Sold } from './product.ts';
import type { ChangeRuleSetName, RefundRuleSetName } from './rules.ts';
import { kroner, texts } from './texts.ts';
import { oneFor, reduced } from './travellers.ts';

/** The long-distance train by day: its seats may be reserved. */
export const DAY_EXPRESS = 207;
const BY_DAY = [201, 202, DAY_EXPRESS];
const BY_DAY_AREA = { kind: 'LINES', lineIds: BY_DAY.map(lineId), authorityIds: [LONG_DISTANCE] } as const;

interface Level {
  readonly id: string;
  readonly name: GivenPreassigned['name'];
  readonly factor: number;
  readonly transferable: boolean;
  readonly refundRuleSetId: RefundRuleSetName;
  readonly changeRuleSetId: ChangeRuleSetName;
}

/** From free to refund down to no refund; the cheapest stands beside another that is not refunded either. */
const LEVELS: readonly Level[] = [
  {
    id: 'flex',
    name: texts('Tog fleksibel', 'Train flexible'),
    factor: 1.3,
    transferable: true,
    refundRuleSetId: 'refund-free',
    changeRuleSetId: 'change-free',
  },
  {
    id: 'standard',
    name: texts('Tog', 'Train'),
    factor: 1,
    transferable: false,
    refundRuleSetId: 'refund-steps',
    changeRuleSetId: 'change-fee',
  },
  {
    id: 'saver',
    name: texts('Tog spar', 'Train saver'),
    factor: 0.7,
    transferable: false,
    refundRuleSetId: 'refund-none',
    changeRuleSetId: 'change-free',
  },
  {
    id: 'mini',
    name: texts('Tog mini', 'Train mini'),
    factor: 0.5,
    transferable: false,
    refundRuleSetId: 'refund-none',
    changeRuleSetId: 'change-free',
  },
];

export function railProducts(parties: Parties): readonly Sold[] {
  const byDay = {
    ...parties,
    area: BY_DAY_AREA,
    optionalSupplements: ['rail-seat', 'rail-window', 'rail-bicycle', 'rail-cafe'],
  } as const;
  const standard = LEVELS.map(({ id, factor, ...level }) =>
    fare({ ...byDay, ...level, id: `rail-${id}`, fareClass: 'STANDARD' }, (product) =>
      reduced(product, byDistance(factor)),
    ),
  );
  const first = fare(
    {
      ...byDay,
      id: 'rail-first',
      name: texts('Tog første klasse', 'Train first class'),
      fareClass: 'FIRST',
      transferable: true,
      refundRuleSetId: 'refund-free',
      changeRuleSetId: 'change-free',
      compulsorySupplements: ['rail-service'],
    },
    (product) => reduced(product, byDistance(1.9)),
  );
  return [...standard, first, ...nightProducts(parties)];
}

/** Passes for the trains by day. */
export function railPasses(parties: Parties): readonly Sold[] {
  const pass = { ...parties, area: BY_DAY_AREA, fareClass: 'STANDARD', transferable: false } as const;
  return [
    fare(
      {
        ...pass,
        id: 'rail-week-pass',
        name: texts('Togpass 7 dager', 'Rail pass, 7 days', 'Togpass 7 dagar'),
        validityDuration: 'P7D',
        refundRuleSetId: 'refund-fee',
        changeRuleSetId: 'change-fee',
      },
      (id) => reduced(id, { kind: 'FLAT', amount: kroner(1290) }),
    ),
    fare(
      {
        ...pass,
        id: 'rail-commuter-pass',
        name: texts('Togpass 30 dager', 'Rail pass, 30 days', 'Togpass 30 dagar'),
        validityDuration: 'P30D',
        refundRuleSetId: 'refund-period',
        changeRuleSetId: 'change-none',
      },
      (id) => reduced(id, { kind: 'FLAT', amount: kroner(3490) }),
    ),
  ];
}

function nightProducts(parties: Parties): readonly Sold[] {
  const night = {
    ...parties,
    area: { kind: 'LINES', lineIds: [lineId(NIGHT_TRAIN)] },
    fareClass: 'STANDARD',
    transferable: false,
    refundRuleSetId: 'refund-steps',
    changeRuleSetId: 'change-fee',
    optionalSupplements: ['rail-breakfast'],
  } as const;
  return [
    fare({ ...night, id: 'rail-night-seat', name: texts('Nattog sittevogn', 'Night train, seat') }, (id) =>
      reduced(id, byDistance(0.9)),
    ),
    fare(
      {
        ...night,
        id: 'rail-night-rest',
        name: texts('Nattog hvilekupé', 'Night train, rest compartment', 'Nattog kvilekupé'),
        accommodation: 'COUCHETTE',
        compartment: { minTravellers: 2, maxTravellers: 4 },
      },
      (id) => oneFor(id, { kind: 'FLAT', amount: kroner(1200) }),
    ),
    fare(
      {
        ...night,
        id: 'rail-night-sleeper',
        name: texts('Nattog sovekupé', 'Night train, sleeping compartment', 'Nattog sovekupé'),
        accommodation: 'SLEEPER',
        compartment: { minTravellers: 1, maxTravellers: 2 },
      },
      (id) => oneFor(id, { kind: 'FLAT', amount: kroner(1490) }),
    ),
  ];
}

function byDistance(factor: number): GivenBasis {
  return {
    kind: 'DISTANCE',
    baseAmount: kroner(40 * factor),
    amountPerKilometre: kroner(2 * factor),
    minimumAmount: kroner(60 * factor),
    roundUpTo: kroner(1),
  };
}
