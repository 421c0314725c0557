/** Orders on journeys of small timetables, which a test publishes one after the other. */
import assert from 'node:assert/strict';
import {
  type ComparisonDependencies,
  compareJourneys,
} from '../../../../activities/orders/disruption/compare-journeys.ts';
import { DisruptedLines } from '../../../../activities/orders/disruption/disrupted-lines.ts';
import {
  COMPARED_JOURNEYS,
  JOURNEY_COMPARISONS,
  JourneyComparisons,
} from '../../../../activities/orders/disruption/journey-comparisons.ts';
import { SoldJourneys } from '../../../../activities/orders/disruption/sold-journeys.ts';
import { type DatedJourney, findRideCalls, type PublishedBuild } from '../../../../activities/shared/timetable.ts';
import { PLANNER_ROWS } from '../../../../activities/timetable/planner-journey-store.ts';
import { PublishedBuilds } from '../../../../activities/timetable/reader/published-builds.ts';
import type { SoldLeg } from '../../../../workflows/offers/rules/offer.ts';
import { addLines, type NewLine } from '../../../../workflows/orders/rules/lines.ts';
import type { DisruptionCause, Order } from '../../../../workflows/orders/rules/order.ts';
import { createNetwork } from '../../../planner/support/network.ts';
import { SIGNING_KEYS } from '../../../support/planner-keys.ts';
import { later, OURS, sampleLine, sampleTraveller } from '../../../support/sample-orders.ts';
import { PublishedRows } from '../../timetable/reader/support.ts';
import { OrderFixture, type Orders } from '../order-fixture.ts';

/** Tomorrow and the day after it, for orders of {@link OrderFixture}. */
export const DAY = '2026-05-05';
export const NEXT_DAY = '2026-05-06';

/** Journeys by line, from A to C: `A1 08:00 - B1 09:00 - C1 10:00`. Line `9` always runs, so that both days are published. */
export type Journeys = Readonly<Record<string, string>>;

export interface Ends {
  readonly from: string;
  readonly to: string;
}

export class DisruptionFixture {
  readonly orders: OrderFixture;
  #rows!: PublishedRows;

  constructor(name: string) {
    this.orders = new OrderFixture(name);
  }

  async open(): Promise<void> {
    await this.orders.open();
    const { connection } = this.orders.here;
    await Promise.all([JOURNEY_COMPARISONS, COMPARED_JOURNEYS].map((each) => each.ensureIndexes(connection)));
  }

  async clear(): Promise<void> {
    await this.orders.clear();
    await this.clearTimetable();
  }

  /** The next one is published at the present time. */
  async clearTimetable(): Promise<void> {
    const { connection } = this.orders.here;
    const names = [JOURNEY_COMPARISONS, COMPARED_JOURNEYS, ...PLANNER_ROWS].map(({ collection }) => collection);
    await Promise.all([...names, 'planner_pointer'].map((each) => connection.collection(each).deleteMany({})));
    this.#rows = new PublishedRows(connection, this.orders.now);
  }

  /** `days`: that line 9 runs. */
  async publish(journeys: Journeys, days: readonly string[] = [DAY, NEXT_DAY]): Promise<void> {
    const network = createNetwork({ from: DAY, to: DAY, timeZone: 'UTC' });
    for (const [at, name] of ['A', 'B', 'C'].entries()) network.stopPlace(name, [`${name}1 59.${9 + at * 10} 10.700`]);
    for (const [line, journey] of Object.entries(journeys)) {
      network.line(line, [journey], { line: { mode: 'rail' }, journey: { mode: 'rail' } });
    }
    network.line('9', ['A1 23:00 - B1 23:10'], { days });
    await this.#rows.publish(network.open());
  }

  /** A line of each ride, in one confirmed order. */
  async sell(...rides: readonly (readonly SoldLeg[])[]): Promise<Order> {
    const traveller = sampleTraveller();
    const { order } = await this.orders.create({ travellers: [traveller] });
    const lines = rides.map((legs) => this.line(legs, traveller));
    await this.orders.change(order.id, (before, now) => addLines(before, { lines }, now));
    await this.orders.pay(order.id);
    return (await this.orders.confirm(order.id)).order;
  }

  line(legs: readonly SoldLeg[], traveller = sampleTraveller()): NewLine {
    const [first, last] = [legs[0] ?? assert.fail(), legs.at(-1) ?? assert.fail()];
    const travelSpecification = {
      ...{ legs, startOfValidity: first.expectedStartTime, endOfValidity: last.expectedEndTime },
      ...{ fromStopPlaceId: first.fromStopPlaceId, toStopPlaceId: last.toStopPlaceId },
    };
    return sampleLine({ traveller, travelSpecification });
  }

  /** A ride on the journey of a line, as the newest timetable has it. */
  async ride(line: string, { from, to }: Ends = { from: 'A', to: 'C' }): Promise<SoldLeg> {
    const build = await this.newest();
    const journey = (await build.findDatedJourney(journeyId(line))) ?? assert.fail('no journey');
    return soldLeg(journey, { from, to });
  }

  async newest(): Promise<PublishedBuild> {
    return (await this.#timetables(this.orders.here).open()) ?? assert.fail('nothing is published');
  }

  /** A turn of a worker. */
  async compare(changed: Partial<ComparisonDependencies> = {}, at: Orders = this.orders.here): Promise<void> {
    await compareJourneys({ ...this.dependencies(at), ...changed });
  }

  dependencies(at: Orders = this.orders.here): ComparisonDependencies {
    const { connection, store: orders, options } = at;
    const journeys = new SoldJourneys(connection);
    const now = () => this.orders.now;
    return {
      timetables: this.#timetables(at),
      comparisons: new JourneyComparisons(connection),
      ...{ journeys, disruptions: new DisruptedLines({ orders, journeys, now }) },
      ...{ laterMs: 60 * 60_000, log: options.log, onMarked: () => undefined, now },
    };
  }

  /** The marks of the lines, as they are and as they were sold. */
  async marks({ id }: Pick<Order, 'id'>): Promise<readonly (DisruptionCause | undefined)[]> {
    const { order } = await this.orders.here.store.get(OURS, id);
    await this.orders.checkEvents(id);
    return (order.confirmed ?? order).orderLines.map(({ disruption }) => disruption?.cause);
  }

  /** Causes that the order's events have told. */
  async told({ id }: Pick<Order, 'id'>): Promise<readonly unknown[]> {
    const events = await this.orders.events(id);
    return events.filter(({ type }) => type.includes('OrderLineDisrupted')).map(({ data }) => data.cause);
  }

  /** Its clock may be behind that of orders by seconds. */
  #timetables({ connection }: Orders): PublishedBuilds {
    return new PublishedBuilds(connection, {
      publicKeys: () => SIGNING_KEYS.publicKeys,
      now: () => later(1, this.orders.now),
    });
  }
}

export const journeyId = (line: string, day = DAY) => `TST:ServiceJourney:${line}-1@${day}`;

function soldLeg(journey: DatedJourney, { from, to }: Ends): SoldLeg {
  const [fromStopPlaceId, toStopPlaceId] = [`TST:StopPlace:${from}`, `TST:StopPlace:${to}`];
  const departure = journey.calls[0]?.departure ?? assert.fail();
  const ends = findRideCalls(journey, { fromStopPlaceId, toStopPlaceId, departure }) ?? assert.fail('no ride');
  const { mode, lineId, authorityId, serviceJourneyId, datedServiceJourneyId, serviceDay } = journey;
  return {
    ...{ legId: `leg-${from}`, mode, fromStopPlaceId, toStopPlaceId, lineId, authorityId },
    ...{ serviceJourneyId, datedServiceJourneyId, serviceDay, distanceMetres: 1_000 },
    expectedStartTime: ends.from.departure ?? assert.fail(),
    expectedEndTime: ends.to.arrival ?? assert.fail(),
    ...{ fromPosition: ends.from.position, toPosition: ends.to.position },
    calls: journey.calls
      .slice(ends.from.position, ends.to.position + 1)
      .map(({ stopPlaceId, stopName, arrival, departure: departs }) => ({
        ...{ stopPlaceId, name: stopName, ...(arrival && { arrival }), ...(departs && { departure: departs }) },
      })),
  };
}
