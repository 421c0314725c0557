/** Lines that are written by hand claim no more than an offer of their product would. */
import assert from 'node:assert/strict';
import {
  travelWithinTerms,
  type WrittenRide,
  type WrittenTerms,
} from '../../workflows/orders/rules/catalogue-terms.ts';
import type { TravelSpecification } from '../../workflows/orders/rules/order.ts';
import type { FarePrice, PreassignedProduct } from '../../workflows/shared/fares.ts';
import { later, NOW, sampleLine, sampleTraveller, seatedLine } from '../support/sample-orders.ts';

const HOUR = { ...{ id: 'HOUR', kind: 'PREASSIGNED', area: { kind: 'ZONES', zoneIds: ['Z1', 'Z2', 'Z3'] } } } as const;
const PRODUCT = {
  ...HOUR,
  ...{ validityDuration: 'PT1H', latestStartDays: 7, requiredEntitlements: [] },
} as unknown as PreassignedProduct;
const BY_ZONES: FarePrice = {
  productId: 'HOUR',
  basis: { kind: 'ZONES', steps: [1, 2, 3].map((zones) => ({ zones, amountMinor: zones * 1_000 })) },
};
const TRAIN = {
  ...PRODUCT,
  id: 'TRAIN',
  area: { kind: 'LINES', modes: ['rail'] },
  validityDuration: undefined,
} as never;

/** An hour long, through two zones. */
function ride(more: Partial<WrittenRide> = {}): WrittenRide {
  const departure = more.plannedStart ?? later(60);
  const { line } = seatedLine({ departure });
  const [leg] = line.travelSpecification.legs;
  assert.ok(leg);
  const { fromStopPlaceId: stopPlaceId, toStopPlaceId } = leg;
  return {
    ...leg,
    calls: [
      { stopPlaceId, name: '1', departure },
      { stopPlaceId: toStopPlaceId, name: '2', arrival: later(60, departure) },
    ],
    callZones: [['Z1'], ['Z2']],
    plannedStart: departure,
    fromPlaceIds: [stopPlaceId],
    toPlaceIds: [toStopPlaceId],
    ...{ isCancelled: false, isKnown: true },
    ...more,
  };
}

interface Wish extends Partial<Pick<WrittenTerms, 'rides' | 'endZones' | 'connections'>> {
  readonly product?: PreassignedProduct;
  readonly travel?: Partial<TravelSpecification>;
  /** Places that the line does not name. */
  readonly without?: readonly ('fromStopPlaceId' | 'toStopPlaceId')[];
  readonly travellers?: WrittenTerms['line']['travellers'];
}

function ask({ product = PRODUCT, travel = {}, travellers = [], rides = [], connections = [], ...more }: Wish) {
  const { endZones, without = [] } = more;
  const plain = sampleLine({ traveller: sampleTraveller() });
  const travelSpecification = { ...plain.travelSpecification, endOfValidity: later(60), ...travel };
  for (const place of without) Reflect.deleteProperty(travelSpecification, place);
  return travelWithinTerms(product, {
    ...{ line: { travellers, travelSpecification }, pointer: '/orderLines/3' },
    ...{ rides, connections, endZones: endZones ?? [['Z1'], ['Z2']], now: NOW },
    fares: { prices: new Map([['HOUR', [BY_ZONES]]]), timeZone: 'Europe/Oslo' },
  });
}

function refuses(wish: Wish): void {
  assert.throws(() => ask(wish), { code: 'PRICE_MISMATCH' });
}

const zones = ['Z1', 'Z2'];

describe('the terms of a line that is written by hand', () => {
  it('count its zones', () => {
    assert.equal(ask({ travel: { zones } }).zoneCount, 2);
    assert.equal(ask({ travel: { zones: ['Z1', 'Z2', 'Z3'] } }).zoneCount, 3);
    for (const other of [undefined, [], ['Z1'], ['Z1', 'Z2', 'Z9']]) refuses({ travel: other ? { zones: other } : {} });
    const rides = [ride({ plannedStart: NOW })];
    assert.equal(ask({ travel: { zones }, rides }).zoneCount, 2);
    refuses({ travel: { zones: ['Z1', 'Z3'] }, rides });
  });

  it('end with the duration of the product, or with the last ride', () => {
    refuses({ travel: { zones, endOfValidity: later(61) } });
    const rides = [ride({ plannedStart: later(30), expectedEndTime: later(90) })];
    assert.ok(ask({ travel: { zones, endOfValidity: later(90) }, rides }));
    refuses({ travel: { zones, endOfValidity: later(91) }, rides });
    refuses({ travel: { zones, endOfValidity: later(120) }, rides: [ride({ plannedStart: later(60) })] });
  });

  it('end 12 hours after a planned arrival, whatever the caller expects', () => {
    const rides = [ride({ plannedStart: NOW, expectedEndTime: later(10_000) })];
    assert.ok(ask({ product: TRAIN, travel: { endOfValidity: later(13 * 60) }, rides }));
    refuses({ product: TRAIN, travel: { endOfValidity: later(13 * 60 + 1) }, rides });
  });

  it('start when the product is sold already, and no later than the first ride', () => {
    const day = 24 * 60;
    const start = (minutes: number) => ({ startOfValidity: later(minutes), endOfValidity: later(minutes + 60) });
    assert.ok(ask({ travel: { zones, ...start(7 * day) } }));
    refuses({ travel: { zones, ...start(8 * day) } });
    refuses({ travel: { zones, ...start(61) }, rides: [ride()] });
    refuses({ product: TRAIN, rides: [ride({ plannedStart: later(8 * day) })] });
  });

  it('need a journey where the product has no duration', () => refuses({ product: TRAIN }));

  it('hold the rides within the area of the product, between the ends of the line', () => {
    const travel = { endOfValidity: later(120) };
    assert.deepEqual(ask({ product: TRAIN, travel, rides: [ride()] }).distanceMetres, 50_000);
    refuses({ product: TRAIN, travel, rides: [ride({ mode: 'bus' })] });
    refuses({ product: TRAIN, travel, rides: [ride({ isCancelled: true })] });
    refuses({ product: TRAIN, travel: { ...travel, toStopPlaceId: 'NSR:StopPlace:9' }, rides: [ride()] });
    assert.equal(ask({ product: TRAIN, travel, rides: [ride({ isKnown: false })] }).distanceMetres, undefined);
  });

  it('hold the places of a line without rides within the area of the product', () => {
    const product = { ...PRODUCT, area: { kind: 'LINES', lineIds: ['L1'] } } as PreassignedProduct;
    const connection = { lineId: 'L1', mode: 'bus', authorityId: 'A', distanceMetres: 1, zoneIds: [] };
    const flat = { ...product, id: 'FLAT' };
    assert.ok(ask({ product: flat, connections: [connection] }));
    for (const without of [['fromStopPlaceId'], ['toStopPlaceId'], ['fromStopPlaceId', 'toStopPlaceId']] as const) {
      refuses({ product: flat, connections: [connection], without });
    }
    assert.ok(ask({ product: { ...PRODUCT, id: 'FLAT' }, without: ['fromStopPlaceId', 'toStopPlaceId'] }));
    refuses({ product: flat, connections: [{ ...connection, lineId: 'L2' }] });
    refuses({ product: { ...PRODUCT, id: 'FLAT' }, endZones: [['Z1'], ['Z9']] });
  });

  it('count the travellers of a party, and ask for entitlements', () => {
    const travellers = (count: number, more: object = {}) =>
      Array.from({ length: count }, () => ({ travellerId: sampleTraveller().id, ...more }));
    const group = { ...PRODUCT, group: { minTravellers: 2, maxTravellers: 5 } };
    for (const count of [2, 5]) assert.ok(ask({ product: group, travel: { zones }, travellers: travellers(count) }));
    for (const count of [1, 6, 100]) refuses({ product: group, travel: { zones }, travellers: travellers(count) });
    const student = { ...PRODUCT, requiredEntitlements: ['CARD'] };
    const holders = travellers(1, { entitlementIds: ['CARD'] });
    assert.ok(ask({ product: student, travel: { zones }, travellers: holders }));
    refuses({ product: student, travel: { zones }, travellers: [...holders, ...travellers(1)] });
    refuses({ travel: { zones }, travellers: holders });
    refuses({ product: student, travel: { zones }, travellers: travellers(1, { entitlementIds: ['CARD', 'BADGE'] }) });
  });
});
