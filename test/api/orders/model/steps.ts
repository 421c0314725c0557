/** What a step of the model's test may be, and how steps are made at random. Plain values, so that a failure prints them. */
import fc from 'fast-check';
import { OFFER_NAMES } from './world.ts';

export const UNKNOWN_INDEX = 7;
const CHECKED = ['CURRENT', 'CURRENT', 'CURRENT', 'STALE', 'OTHER_VERSION'] as const;

/** Members of every write. */
const common = {
  /** Which order: 0 is the newest. */
  at: fc.constantFrom(0, 0, 0, 0, 0, 1, 2),
  /** Of `If-Match`. STALE: an earlier revision. OTHER_VERSION: a version that the order has never had. */
  match: fc.constantFrom(...Array.from({ length: 12 }, () => 'NONE' as const), ...CHECKED),
  isKeyed: fc.boolean(),
};
/** Of a list, from its beginning again where it is shorter; 7 names something unknown. Mostly the same, so that steps meet. */
const index = fc.constantFrom(0, 0, 0, 0, 0, 1, 2, UNKNOWN_INDEX);
const indexes = fc.uniqueArray(index, { minLength: 1, maxLength: 2 });
const time = fc.constantFrom('HOUR', 'SOON', 'PAST', 'FAR');
const kind = <Kind extends string>(name: Kind) => ({ ...common, kind: fc.constant(name) });

const arbitraries = [
  fc.record({
    ...kind('create'),
    travellers: fc.nat(2),
    expiry: fc.constantFrom('NONE', 'NONE', 'NONE', 'HOUR', 'SOON', 'PAST', 'FAR'),
    facts: fc.boolean(),
  }),
  fc.record({ ...kind('addTravellers'), how: fc.constantFrom('NEW', 'NEW', 'NEW', 'TWO', 'KNOWN', 'TWICE') }),
  fc.record({ ...kind('putTravellers'), how: fc.constantFrom('AGE', 'DROP', 'ADD', 'SAME', 'TWICE'), index }),
  fc.record({ ...kind('deleteTravellers'), index }),
  fc.record({
    ...kind('addLines'),
    how: fc.constantFrom('CATALOGUE', 'CATALOGUE', 'FREE', 'FREE', 'TWO', 'CHEAP', 'KNOWN', 'STRANGER'),
    index,
  }),
  fc.record({
    ...kind('putLines'),
    how: fc.constantFrom('PRICE', 'PRICE', 'SAME', 'TRAVELLER', 'CHEAP', 'STRANGER'),
    index,
    traveller: index,
    isAlone: fc.boolean(),
  }),
  fc.record({ ...kind('cancelLines'), indexes, isAlone: fc.boolean() }),
  fc.record({ ...kind('deleteLines'), indexes, isAlone: fc.boolean() }),
  fc.record({
    ...kind('addFee'),
    type: fc.constantFrom('MANUAL', 'MANUAL', 'BOOKING', 'REDUCTION', 'PENALTY', 'REFUNDING'),
    hasSign: fc.constantFrom(true, true, true, false),
    line: fc.constantFrom('NONE', 'KNOWN', 'UNKNOWN'),
  }),
  fc.record({ ...kind('deleteFee'), index }),
  fc.record({
    ...kind('confirm'),
    version: fc.constantFrom('PRESENT', 'PRESENT', 'PRESENT', 'PRESENT', 'PRESENT', 'PRESENT', 'EARLIER', 'NEXT'),
    isPaid: fc.constantFrom(true, false),
    creditBalance: fc.constantFrom(undefined, undefined, true, true, false),
  }),
  fc.record({ ...kind('reset'), isCredited: fc.boolean() }),
  fc.record({ ...kind('cancel'), hasReason: fc.boolean() }),
  fc.record({ ...kind('expireAt'), time }),
  fc.record({ ...kind('contact'), who: fc.constantFrom('CUSTOMER', 'CUSTOMER', 'NOBODY', 'UNKNOWN') }),
  fc.record({ ...kind('reference'), value: fc.constantFrom('A-1', 'A-2', undefined) }),
  fc.record({ ...kind('cause'), value: fc.constantFrom('SCHOOL', 'STAFF', undefined), isTold: fc.boolean() }),
  fc.record({
    ...kind('reserve'),
    offer: fc.constantFrom(...OFFER_NAMES, ...OFFER_NAMES, 'UNKNOWN'),
    isNew: fc.constantFrom(false, false, false, false, false, false, true),
  }),
  fc.record({
    ...kind('change'),
    offer: fc.constantFrom('FREE', 'FREE', 'SEATED', 'SEATED', 'UNKNOWN'),
    index,
    /** Absent: the supplements of the line are kept. */
    products: fc.constantFrom<(string[] | undefined)[]>(undefined, undefined, [], ['MEAL']),
    refundPriceDifference: fc.constantFrom(undefined, true, true, false),
  }),
  fc.record({
    ...kind('supplement'),
    index,
    products: fc.constantFrom<string[]>(['MEAL'], ['MEAL'], ['MEAL', 'MEAL'], ['WINDOW'], ['BICYCLE']),
  }),
  fc.record({ ...kind('moveSeat'), index, seat: fc.constantFrom('1', '2', '3', '3', '4', '4', '9') }),
  fc.record({ ...kind('import'), how: fc.constantFrom('CATALOGUE', 'CATALOGUE', 'FREE', 'UNBALANCED', 'STRANGER') }),
  /** Money that is captured, or credited, until the order is balanced or as it was. */
  fc.record({ ...kind('money'), target: fc.constantFrom('BALANCED', 'BALANCED', 'BALANCED', 'AS_CONFIRMED') }),
  fc.record({ ...kind('wait'), minutes: fc.constantFrom(1, 1, 5, 21) }),
  fc.record({ ...kind('sweep'), minutes: fc.constantFrom(0, 0, 0, 0, 0, 21) }),
  fc.record({ ...kind('relay') }),
  fc.record({ ...kind('readVersion'), version: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ ...kind('foreign'), who: fc.constantFrom('OTHER', 'UNKNOWN', 'MALFORMED') }),
  /** The last request with a key once more, or another one with its key. */
  fc.record({ ...kind('repeat'), isSame: fc.constantFrom(true, true, false) }),
] as const;

type Made<Source> = Source extends fc.Arbitrary<infer Value> ? Value : never;
export type Step = Made<(typeof arbitraries)[number]>;
export type StepOf<Kind extends Step['kind']> = Extract<Step, { readonly kind: Kind }>;

/** How often a kind comes, where not once. Orders live longer when few steps end them. */
const WEIGHTS: Readonly<Partial<Record<Step['kind'], number>>> = {
  ...{
    reserve: 8,
    money: 8,
    confirm: 14,
    create: 2,
    addLines: 8,
    putLines: 8,
    cancelLines: 6,
    addTravellers: 4,
    addFee: 4,
  },
  ...{ change: 8, supplement: 8, moveSeat: 6, import: 2 },
  ...{ deleteLines: 3, deleteFee: 3, reset: 4, readVersion: 3, sweep: 5, repeat: 3 },
};
const KINDS: readonly Step['kind'][] = [
  ...(['create', 'addTravellers', 'putTravellers', 'deleteTravellers', 'addLines', 'putLines', 'cancelLines'] as const),
  ...([
    'deleteLines',
    'addFee',
    'deleteFee',
    'confirm',
    'reset',
    'cancel',
    'expireAt',
    'contact',
    'reference',
  ] as const),
  ...([
    'cause',
    'reserve',
    'change',
    'supplement',
    'moveSeat',
    'import',
    'money',
    'wait',
    'sweep',
    'relay',
    'readVersion',
    'foreign',
    'repeat',
  ] as const),
];

/** One arbitrary for each kind, as often as it is to come. */
export const STEPS: readonly fc.Arbitrary<Step>[] = arbitraries.flatMap((arbitrary, at) =>
  Array.from({ length: WEIGHTS[KINDS[at] as Step['kind']] ?? 1 }, () => arbitrary as fc.Arbitrary<Step>),
);
