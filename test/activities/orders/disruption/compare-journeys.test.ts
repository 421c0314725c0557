/** Sold journeys compared with new timetables, on a real database, by several workers, with crashes between the steps. */
import assert from 'node:assert/strict';
import { SECOND_PASS_AFTER_MS } from '../../../../activities/orders/disruption/compare-journeys.ts';
import { cancelLines } from '../../../../workflows/orders/rules/line-removal.ts';
import { replaceLines } from '../../../../workflows/orders/rules/line-replacement.ts';
import { addLines } from '../../../../workflows/orders/rules/lines.ts';
import { sampleTraveller } from '../../../support/sample-orders.ts';
import { DAY, DisruptionFixture, NEXT_DAY } from './disruption-fixture.ts';

const MORNING = 'A1 08:00 - B1 09:00 - C1 10:00';
const NOON = 'A1 12:00 - B1 13:00 - C1 14:00';
const BOTH = { 1: MORNING, 2: NOON };

describe('sold journeys and new timetables', () => {
  const fixture = new DisruptionFixture('disruptions');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.orders.close());

  it('mark the lines of a withdrawn journey, tell each once, and leave all others', async () => {
    await fixture.publish(BOTH);
    const order = await fixture.sell([await fixture.ride('1')], [await fixture.ride('2')]);
    await fixture.compare();
    assert.deepEqual(await fixture.marks(order), [undefined, undefined]);
    await fixture.publish({ 2: NOON });
    await fixture.compare();
    await fixture.compare();
    assert.deepEqual(await fixture.marks(order), ['WITHDRAWN', undefined]);
    assert.deepEqual(await fixture.told(order), ['WITHDRAWN']);
  });

  it('are compared by several workers at once, and each mark is made once', async () => {
    await fixture.publish(BOTH);
    const orders = [];
    for (let at = 0; at < 12; at += 1) orders.push(await fixture.sell([await fixture.ride('1')]));
    await fixture.publish({ 2: NOON });
    let marked = 0;
    const onMarked = (lines: number) => {
      marked += lines;
    };
    const { here, there } = fixture.orders;
    await Promise.all([here, there, here, there].map((at) => fixture.compare({ onMarked }, at)));
    assert.ok(marked >= orders.length);
    for (const order of orders) assert.deepEqual(await fixture.told(order), ['WITHDRAWN']);
  });

  for (const [about, journey, cause] of [
    ['departs a minute earlier', 'A1 07:59 - B1 09:00 - C1 10:00', 'RESCHEDULED'],
    ['departs and arrives 59 minutes later', 'A1 08:59 - B1 09:59 - C1 10:59', undefined],
    ['departs an hour later', 'A1 09:00 - B1 09:10 - C1 10:00', 'RESCHEDULED'],
    ['arrives an hour later', 'A1 08:00 - B1 09:00 - C1 11:00', 'RESCHEDULED'],
    ['arrives earlier', 'A1 08:00 - B1 08:30 - C1 09:00', undefined],
    ['no longer calls where the traveller boards', 'B1 09:00 - C1 10:00', 'WITHDRAWN'],
    ['takes no passengers there', 'A1~ 08:00 - B1 09:00 - C1 10:00', 'WITHDRAWN'],
  ] as const) {
    it(`are ${cause ?? 'as they were sold'} where the journey ${about}`, async () => {
      await fixture.publish(BOTH);
      const order = await fixture.sell([await fixture.ride('1')]);
      await fixture.publish({ 1: journey, 2: NOON });
      await fixture.compare();
      assert.deepEqual(await fixture.marks(order), [cause]);
    });
  }

  it('are rescheduled where the next ride of the line departs before the arrival', async () => {
    await fixture.publish({ 1: MORNING, 2: 'B1 09:20 - C1 10:00' });
    const legs = [await fixture.ride('1', { from: 'A', to: 'B' }), await fixture.ride('2', { from: 'B', to: 'C' })];
    const order = await fixture.sell(legs, legs.slice(0, 1));
    await fixture.publish({ 1: 'A1 08:00 - B1 09:30 - C1 10:30', 2: 'B1 09:20 - C1 10:00' });
    await fixture.compare();
    assert.deepEqual(await fixture.marks(order), ['RESCHEDULED', undefined]);
  });

  it('get worse, and never better: the mark stays when the journey is back', async () => {
    await fixture.publish(BOTH);
    const order = await fixture.sell([await fixture.ride('1')]);
    for (const journeys of [{ 1: 'A1 07:50 - B1 09:00 - C1 10:00', 2: NOON }, { 2: NOON }, BOTH]) {
      await fixture.publish(journeys);
      await fixture.compare();
    }
    assert.deepEqual(await fixture.marks(order), ['WITHDRAWN']);
    assert.deepEqual(await fixture.told(order), ['RESCHEDULED', 'WITHDRAWN']);
  });

  it('are no disruption under new ids, until the journey in their place is withdrawn too', async () => {
    await fixture.publish(BOTH);
    const order = await fixture.sell([await fixture.ride('1')]);
    await fixture.publish({ 7: MORNING, 2: NOON });
    await fixture.compare();
    assert.deepEqual(await fixture.marks(order), [undefined]);
    await fixture.publish({ 2: NOON });
    await fixture.compare();
    assert.deepEqual(await fixture.marks(order), ['WITHDRAWN']);
  });

  it('are no disruption where two journeys have swapped their ids, until the journey itself is withdrawn', async () => {
    await fixture.publish(BOTH);
    const order = await fixture.sell([await fixture.ride('1')], [await fixture.ride('2')]);
    await fixture.compare();
    for (const journeys of [{ 1: NOON, 2: MORNING }, BOTH, { 1: NOON, 2: MORNING }]) {
      await fixture.publish(journeys);
      await fixture.compare();
      assert.deepEqual(await fixture.marks(order), [undefined, undefined]);
    }
    await fixture.publish({ 1: NOON });
    await fixture.compare();
    assert.deepEqual(await fixture.marks(order), ['RESCHEDULED', undefined]);
  });

  it('are marked where another build comes before the offers of a rescheduled journey have expired', async () => {
    await fixture.publish(BOTH);
    const ride = await fixture.ride('1');
    await fixture.sell([ride]);
    await fixture.publish({ 1: 'A1 07:50 - B1 09:00 - C1 10:00', 2: NOON });
    await fixture.compare();
    const late = await fixture.sell([ride]);
    await fixture.publish({ 1: 'A1 07:50 - B1 09:00 - C1 10:00' });
    await fixture.compare();
    assert.deepEqual(await fixture.marks(late), ['RESCHEDULED']);
  });

  it('are not judged by a timetable that does not reach their day', async () => {
    await fixture.publish(BOTH);
    const order = await fixture.sell([await fixture.ride('1')]);
    await fixture.publish({}, [NEXT_DAY]);
    await fixture.compare();
    assert.deepEqual(await fixture.marks(order), [undefined]);
    await fixture.publish({}, [DAY, NEXT_DAY]);
    await fixture.compare();
    assert.deepEqual(await fixture.marks(order), ['WITHDRAWN']);
  });

  it('are not judged after their departure, nor where the timetable never had them', async () => {
    await fixture.publish(BOTH);
    const ride = await fixture.ride('1');
    const unknown = {
      ...ride,
      authorityId: '',
      datedServiceJourneyId: 'OLD:1',
      serviceJourneyId: 'TST:ServiceJourney:Old',
    };
    const order = await fixture.sell([ride], [unknown]);
    fixture.orders.passes((ride.expectedStartTime.getTime() - fixture.orders.now.getTime()) / 60_000);
    await fixture.clearTimetable();
    await fixture.publish({ 2: NOON });
    await fixture.compare();
    assert.deepEqual(await fixture.marks(order), [undefined, undefined]);
  });

  it('mark what was sold while an open draft has another ride, and a draft before it is sold', async () => {
    await fixture.publish(BOTH);
    const [morning, noon] = [await fixture.ride('1'), await fixture.ride('2')];
    const sold = await fixture.sell([morning]);
    const [{ id, travellers }] = sold.orderLines as [(typeof sold.orderLines)[0]];
    const traveller = { ...sampleTraveller(), id: travellers[0]?.travellerId as never };
    const other = { ...fixture.line([noon], traveller), id };
    await fixture.orders.change(sold.id, (order, now) =>
      replaceLines(order, { lines: [other], raiseVersion: true }, now),
    );
    const person = sampleTraveller();
    const { order: draft } = await fixture.orders.create({ travellers: [person] });
    const lines = [fixture.line([morning], person)];
    await fixture.orders.change(draft.id, (order, now) => addLines(order, { lines }, now));
    await fixture.publish({ 2: NOON });
    await fixture.compare();
    assert.deepEqual(await fixture.marks(sold), ['WITHDRAWN']);
    const { order } = await fixture.orders.here.store.get('ANY', sold.id);
    assert.equal(order.orderLines[0]?.disruption, undefined);
    assert.deepEqual(await fixture.marks(draft), ['WITHDRAWN']);
  });

  it('leave lines that are cancelled', async () => {
    await fixture.publish(BOTH);
    const sold = await fixture.sell([await fixture.ride('1')], [await fixture.ride('2')]);
    const [line] = sold.orderLines;
    await fixture.orders.change(sold.id, (order, now) =>
      cancelLines(order, { orderLineIds: [line?.id as never] }, now),
    );
    await fixture.orders.pay(sold.id);
    await fixture.orders.confirm(sold.id);
    await fixture.publish({ 2: NOON });
    await fixture.compare();
    assert.deepEqual(await fixture.marks(sold), [undefined, undefined]);
  });

  for (const step of ['disrupt', 'noteCompared', 'move'] as const) {
    it(`are compared again after a crash in ${step}, and told once`, async () => {
      await fixture.publish(BOTH);
      const order = await fixture.sell([await fixture.ride('1')]);
      await fixture.publish({ 2: NOON });
      const { comparisons, disruptions } = fixture.dependencies();
      let calls = 0;
      const crash = (name: string) => {
        calls += 1;
        // The first move begins the pass.
        if (name === step && (step !== 'move' || calls > 1)) throw new Error('killed');
      };
      const crashing = {
        comparisons: {
          find: async () => await comparisons.find(),
          findCompared: async (...given: Parameters<typeof comparisons.findCompared>) =>
            await comparisons.findCompared(...given),
          noteCompared: async (...given: Parameters<typeof comparisons.noteCompared>) => {
            crash('noteCompared');
            await comparisons.noteCompared(...given);
          },
          move: async (...given: Parameters<typeof comparisons.move>) => {
            crash('move');
            await comparisons.move(...given);
          },
        },
        disruptions: {
          disrupt: async (...given: Parameters<typeof disruptions.disrupt>) => {
            crash('disrupt');
            return await disruptions.disrupt(...given);
          },
        },
      };
      await assert.rejects(fixture.compare(crashing), /killed/);
      await fixture.compare();
      assert.deepEqual(await fixture.marks(order), ['WITHDRAWN']);
      assert.deepEqual(await fixture.told(order), ['WITHDRAWN']);
    });
  }

  it('are looked through again when offers of the build before have expired', async () => {
    await fixture.publish(BOTH);
    const ride = await fixture.ride('1');
    await fixture.publish({ 2: NOON });
    await fixture.compare();
    const order = await fixture.sell([ride]);
    await fixture.compare();
    assert.deepEqual(await fixture.marks(order), [undefined]);
    fixture.orders.passes(SECOND_PASS_AFTER_MS / 60_000 + 1);
    await fixture.compare();
    assert.deepEqual(await fixture.marks(order), ['WITHDRAWN']);
    assert.equal((await fixture.dependencies().comparisons.find())?.pass, 2);
  });

  it('wait for the first build', async () => {
    await fixture.compare();
    assert.equal(await fixture.dependencies().comparisons.find(), undefined);
  });
});
