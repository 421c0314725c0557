/** The walk through sold journeys: in their order, each once, and without reading past ones. */
import assert from 'node:assert/strict';
import { isBefore, SoldJourneys } from '../../../../activities/orders/disruption/sold-journeys.ts';
import { JOURNEY_INDEX } from '../../../../activities/orders/order-indexes.ts';
import type { SoldJourney } from '../../../../activities/shared/orders.ts';
import { replaceLines } from '../../../../workflows/orders/rules/line-replacement.ts';
import type { OrderLine } from '../../../../workflows/orders/rules/order.ts';
import { seededRandom } from '../../../support/zip-samples.ts';
import { DAY, DisruptionFixture } from './disruption-fixture.ts';

const START: SoldJourney = { serviceDay: '', datedServiceJourneyId: '' };

describe('the walk through sold journeys', () => {
  const fixture = new DisruptionFixture('sold-journeys');
  before(async () => await fixture.open());
  beforeEach(async () => {
    await fixture.clear();
    await fixture.publish({ 1: 'A1 08:00 - B1 09:00 - C1 10:00' });
  });
  after(async () => await fixture.orders.close());

  /** Orders of up to three lines with up to three rides each; some are drafts that have changed what was sold. */
  async function sellSome(): Promise<readonly SoldJourney[]> {
    const random = seededRandom(7);
    const ride = await fixture.ride('1');
    const all: SoldJourney[] = [];
    const someRide = (at: number) => {
      const journey = { serviceDay: `2026-05-0${1 + random(8)}`, datedServiceJourneyId: `TST:${random(40)}` };
      all.push(journey);
      return { ...ride, ...journey, legId: `leg-${at}` };
    };
    const someRides = () => Array.from({ length: 1 + random(3) }, (_, at) => someRide(at));
    for (let count = 0; count < 20; count += 1) {
      const order = await fixture.sell(...Array.from({ length: 1 + random(3) }, someRides));
      if (random(4) > 0) continue;
      const [line] = order.orderLines as readonly [OrderLine];
      const other = { ...line, travelSpecification: { ...line.travelSpecification, legs: someRides() } };
      await fixture.orders.change(order.id, (before, now) =>
        replaceLines(before, { lines: [other], raiseVersion: true }, now),
      );
    }
    return all;
  }

  it('finds each once, by day and id, also those of lines that a draft has changed', async () => {
    const all = await sellSome();
    const distinct = [
      ...new Map(all.map((each) => [`${each.serviceDay} ${each.datedServiceJourneyId}`, each])).values(),
    ];
    const expected = distinct.toSorted((one, other) => (isBefore(one, other) ? -1 : 1));
    const journeys = new SoldJourneys(fixture.orders.here.connection);
    assert.deepEqual(await journeys.listAfter(START, 1_000), expected);
    const found: SoldJourney[] = [];
    for (let after = START; ; after = found.at(-1) as SoldJourney) {
      const page = await journeys.listAfter(after, 7);
      found.push(...page);
      if (page.length < 7) break;
    }
    assert.deepEqual(found, expected);
  });

  it('reads the keys of one order for each journey', async () => {
    await sellSome();
    const legs = 'orderLines.travelSpecification.legs';
    const plan = await fixture.orders.here.collection
      .find(
        {},
        { hint: JOURNEY_INDEX, min: { [`${legs}.serviceDay`]: DAY, [`${legs}.datedServiceJourneyId`]: 'TST:2' } },
      )
      .limit(1)
      .explain('executionStats');
    assert.deepEqual([plan.executionStats.totalKeysExamined, plan.executionStats.totalDocsExamined], [1, 1]);
  });

  it('finds exactly the orders of a journey', async () => {
    await sellSome();
    const journeys = new SoldJourneys(fixture.orders.here.connection);
    const stored = await fixture.orders.here.collection.find().toArray();
    for (const wanted of await journeys.listAfter(START, 20)) {
      const isOn = (lines: readonly OrderLine[] = []) =>
        lines.some(({ travelSpecification: { legs } }) =>
          legs.some((leg) => !isBefore(leg, wanted) && !isBefore(wanted, leg)),
        );
      const expected = stored.filter(({ orderLines, confirmed }) => isOn(orderLines) || isOn(confirmed?.orderLines));
      const found = new Set<string>();
      for await (const { _id } of journeys.eachOrder(wanted)) found.add(_id);
      assert.deepEqual([...found].toSorted(), expected.map(({ _id }) => _id).toSorted());
    }
  });
});
