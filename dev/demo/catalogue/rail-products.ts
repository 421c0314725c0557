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

interface Level {
  readonly id: string;
  readonly name: GivenPreassigned['name'];
  readonly factor: number;
  readonly transferable: boolean;
  readonly refundRuleSetId: RefundRuleSetName;
  readonly changeRuleSetId: ChangeRuleSetName;
}

/** From free to change and refund down to neither; the cheapest stands beside another that is not refunded either. */
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
    changeRuleSetId: 'change-none',
  },
];

/** `prefix` tells the products of two sellers apart. */
export function railProducts(parties: Parties, prefix: string): readonly Sold[] {
  const optional = ['seat', 'window', 'bicycle', 'cafe'].map((id) => `${prefix}${id}`);
  const byDay = {
    ...parties,
    area: { kind: 'LINES', lineIds: BY_DAY.map(lineId), authorityIds: [LONG_DISTANCE] },
    optionalSupplements: optional,
  } as const;
  const standard = LEVELS.map(({ id, factor, ...level }) =>
    fare({ ...byDay, ...level, id: `${prefix}${id}`, fareClass: 'STANDARD' }, (product) =>
      reduced(product, byDistance(factor)),
    ),
  );
  const first = fare(
    {
      ...byDay,
      id: `${prefix}first`,
      name: texts('Tog første klasse', 'Train first class'),
      fareClass: 'FIRST',
      transferable: true,
      refundRuleSetId: 'refund-free',
      changeRuleSetId: 'change-free',
      compulsorySupplements: [`${prefix}service`],
    },
    (product) => reduced(product, byDistance(1.9)),
  );
  return [...standard, first, ...nightProducts(parties, prefix)];
}

function nightProducts(parties: Parties, prefix: string): readonly Sold[] {
  const night = {
    ...parties,
    area: { kind: 'LINES', lineIds: [lineId(NIGHT_TRAIN)] },
    fareClass: 'STANDARD',
    transferable: false,
    refundRuleSetId: 'refund-steps',
    changeRuleSetId: 'change-fee',
    optionalSupplements: [`${prefix}breakfast`],
  } as const;
  return [
    fare({ ...night, id: `${prefix}night-seat`, name: texts('Nattog sittevogn', 'Night train, seat') }, (id) =>
      reduced(id, byDistance(0.9)),
    ),
    fare(
      {
        ...night,
        id: `${prefix}night-rest`,
        name: texts('Nattog hvilekupé', 'Night train, rest compartment', 'Nattog kvilekupé'),
        accommodation: 'COUCHETTE',
        compartment: { minTravellers: 2, maxTravellers: 4 },
      },
      (id) => oneFor(id, { kind: 'FLAT', amount: kroner(1200) }),
    ),
    fare(
      {
        ...night,
        id: `${prefix}night-sleeper`,
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
