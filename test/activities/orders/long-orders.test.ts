/** An order stays quick, however often it was written. */
import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { addWorkId } from '../../../platform/aggregate/work-ids.ts';
import { setExternalReference } from '../../../workflows/orders/rules/facts.ts';
import { addLines } from '../../../workflows/orders/rules/lines.ts';
import { MAX_CALLS } from '../../../workflows/orders/rules/order-limits.ts';
import { NOW, OURS, sampleLine, sampleTraveller, seatedLine } from '../../support/sample-orders.ts';
import { OrderFixture, request } from './order-fixture.ts';

const LINES = 50;
const REVISIONS = 2_000;
const MEASURED = 40;

describe('an order with as many calls as may be', () => {
  const fixture = new OrderFixture('order-of-many-calls');
  before(async () => await fixture.open());
  after(async () => await fixture.close());

  const ridesWith = (calls: number) => {
    const { line } = seatedLine();
    const [leg] = line.travelSpecification.legs;
    assert.ok(leg);
    const call = {
      stopPlaceId: 'NSR:StopPlace:100000',
      name: 'A place with a name as long as some have',
      arrival: NOW,
    };
    const ride = { ...leg, calls: Array.from({ length: calls }, () => ({ ...call, departure: NOW })) };
    return sampleLine({ travelSpecification: { ...line.travelSpecification, legs: [ride] } });
  };

  it('fits into its document, confirmed and changed, and gets no further ride', async () => {
    const { order } = await fixture.create();
    const lines = Array.from({ length: 199 }, () => ridesWith(100));
    await fixture.change(order.id, (before, now) => addLines(before, { lines, reservations: [] }, now));
    const withLast = (calls: number) => ({ lines: [ridesWith(calls)], reservations: [] });
    const left = MAX_CALLS - 19_900;
    await fixture.pay(order.id);
    await fixture.confirm(order.id);
    const add = async (calls: number) =>
      await fixture.change(order.id, (before, now) => addLines(before, withLast(calls), now));
    await assert.rejects(add(left + 1), { code: 'VALIDATION_FAILED' });
    await add(left);
    const [{ bytes = 0 } = {}] = await fixture.here.collection
      .aggregate<{ bytes: number }>([{ $match: { _id: order.id } }, { $project: { bytes: { $bsonSize: '$$ROOT' } } }])
      .toArray();
    assert.ok(bytes < 12_000_000, `${bytes} bytes`);
  });
});

describe('an order of 50 lines', () => {
  const fixture = new OrderFixture('long-orders');
  before(async () => await fixture.open());
  after(async () => await fixture.close());

  const large = async () => {
    const traveller = sampleTraveller();
    const { order } = await fixture.create({ travellers: [traveller] });
    const seated = Array.from({ length: LINES }, () => seatedLine({ traveller }));
    const lines = seated.map(({ line }) => line);
    const reservations = seated.map(({ reservation }) => reservation);
    return (await fixture.change(order.id, (before, now) => addLines(before, { lines, reservations }, now))).order.id;
  };
  const write = async (id: Awaited<ReturnType<typeof large>>, text: string) => {
    await fixture.here.store.change(OURS, id, request(), (order, now) =>
      setExternalReference(order, { externalReference: text }, now),
    );
    // As the relay does at once.
    await fixture.here.collection.updateOne({ _id: id }, { $set: { outbox: [] } });
  };
  /** As after so many writes within 73 hours: their work ids are what a document keeps of them. */
  const rememberWork = async (id: Awaited<ReturnType<typeof large>>) => {
    let workIds: Buffer | undefined;
    for (let at = 0; at < REVISIONS; at += 1) workIds = addWorkId(workIds, `earlier-${at}`, fixture.now);
    await fixture.here.collection.updateOne({ _id: id }, { $set: { workIds, revision: REVISIONS } } as never);
    await write(id, 'last');
  };
  /** The median of single writes. */
  const measure = async (id: Awaited<ReturnType<typeof large>>) => {
    const times: number[] = [];
    for (let at = 0; at < MEASURED; at += 1) {
      const beganAt = performance.now();
      await write(id, `measured-${at}`);
      times.push(performance.now() - beganAt);
    }
    return times.sort((one, other) => one - other)[MEASURED / 2] ?? 0;
  };

  it(`is written as quickly after ${REVISIONS} revisions, and stays small`, async () => {
    const [fresh, old] = [await large(), await large()];
    await rememberWork(old);
    const [freshMs, oldMs] = [await measure(fresh), await measure(old)];
    const [{ bytes = 0 } = {}] = await fixture.here.collection
      .aggregate<{ bytes: number }>([{ $match: { _id: old } }, { $project: { bytes: { $bsonSize: '$$ROOT' } } }])
      .toArray();
    assert.ok((await fixture.here.store.get(OURS, old)).revision > REVISIONS);
    assert.ok(bytes < 200_000, `${bytes} bytes`);
    // Both take some milliseconds; an order that grew with its revisions would take many times as long.
    assert.ok(oldMs < freshMs * 3 + 5, `${oldMs.toFixed(1)} ms instead of ${freshMs.toFixed(1)} ms`);
  });
});
