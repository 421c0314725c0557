/** Many callers want few seats at once, on a real database: no seat is sold twice on one stretch, and none stays unsold. */
import assert from 'node:assert/strict';
import { CarriageStore } from '../../../activities/seating/carriage-store.ts';
import type { HoldCall, Stretch } from '../../../activities/shared/seating.ts';
import type { ReservationId } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { call, carriage, OTHER_JOURNEY, openTrain, request, stretch, type Train } from './support.ts';

const CALLERS = 500;

describe('Holding seats at once', () => {
  let train: Train;
  beforeEach(async () => {
    train = await openTrain([carriage('1', 20), carriage('2', 20)]);
  });
  afterEach(() => train?.connection.close());

  /** Callers are spread over several processes. */
  const keeperAt = (at: number) => train.others[at % train.others.length] ?? train.keeper;

  async function holdAll(calls: readonly HoldCall[]) {
    const outcomes = await Promise.allSettled(calls.map((each, at) => keeperAt(at).hold(each)));
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue;
      assert.ok(outcome.reason instanceof ServiceError && outcome.reason.code === 'SEAT_UNAVAILABLE', outcome.reason);
    }
    return outcomes.flatMap((outcome, at) => (outcome.status === 'fulfilled' ? [calls[at] as HoldCall] : []));
  }

  it('sells each of 40 seats once on every stretch of a journey', async () => {
    const calls = Array.from({ length: CALLERS }, (_, at) => {
      const from = at % 4;
      return call([request(stretch(from, from + 1 + (Math.floor(at / 4) % (5 - from - 0))))]);
    });
    const sold = await holdAll(calls);
    const { stretches, arrangements } = await train.checkBooks();
    assert.deepEqual([stretches, arrangements], [sold.length, sold.length], 'a refused call holds nothing');
    // Every hop of every seat that is left is wanted by somebody who was refused.
    const refused = calls.filter((each) => !sold.includes(each));
    for (const { requests } of refused.slice(0, 50)) {
      const [wanted] = requests;
      assert.ok(wanted);
      assert.equal((await train.keeper.count(wanted.stretch, wanted.wish)).free, 0);
    }
  });

  it('sells all 40 seats of one stretch, and no more', async () => {
    const sold = await holdAll(Array.from({ length: CALLERS }, () => call([request(stretch(0, 3))])));
    assert.equal(sold.length, 40);
    assert.deepEqual(await train.checkBooks(), { stretches: 40, arrangements: 40 });
  });

  it('sells all 40 seats of stretches that all meet on one hop, and the rest of each seat to others', async () => {
    const meeting = [stretch(0, 3), stretch(1, 3), stretch(2, 3), stretch(2, 4), stretch(1, 5), stretch(0, 5)];
    const wanted = Array.from({ length: CALLERS }, (_, at) => call([request(meeting[at % meeting.length] as Stretch)]));
    assert.equal((await holdAll(wanted)).length, 40);
    assert.deepEqual(await train.checkBooks(), { stretches: 40, arrangements: 40 });
    // Each hop beside it is sold until nothing of any seat is left.
    const beside = [stretch(0, 1), stretch(1, 2), stretch(3, 4), stretch(4, 5)];
    const sold = await holdAll(beside.flatMap((each) => Array.from({ length: 41 }, () => call([request(each)]))));
    const { stretches } = await train.checkBooks();
    assert.equal(stretches, 40 + sold.length);
    for (const each of beside) assert.equal((await train.keeper.count(each, request(each).wish)).free, 0);
  });

  it('reads the carriages once for many callers that it refuses', async () => {
    const { list } = CarriageStore.prototype;
    let reads = 0;
    CarriageStore.prototype.list = async function (runId) {
      reads += 1;
      return await list.call(this, runId);
    };
    try {
      const calls = Array.from({ length: CALLERS }, () => train.keeper.hold(call([request(stretch(0, 3))])));
      const held = (await Promise.allSettled(calls)).filter(({ status }) => status === 'fulfilled');
      assert.equal(held.length, 40);
    } finally {
      CarriageStore.prototype.list = list;
    }
    assert.ok(reads >= 41 && reads < CALLERS / 2, `${reads} reads`);
  });

  it('holds all seats of a call or none, over carriages and journeys', async () => {
    const other = { datedServiceJourneyId: OTHER_JOURNEY };
    const calls = Array.from({ length: 60 }, (_, at) =>
      call([
        request(stretch(0, 3), { places: 1 + (at % 7) }),
        request(stretch(at % 3, 3, other), { places: 1 + (at % 5) }),
      ]),
    );
    const sold = await holdAll(calls);
    assert.ok(sold.length > 5 && sold.length < 60, String(sold.length));
    const places = sold.flatMap(({ requests }) => requests.flatMap((each) => each.places)).length;
    assert.deepEqual(await train.checkBooks(), { stretches: places, arrangements: places });
  });

  it('holds once for a request that is repeated at the same time', async () => {
    const wanted = call([request(stretch(0, 3), { places: 3 })]);
    await Promise.allSettled(Array.from({ length: 20 }, (_, at) => keeperAt(at).hold(wanted)));
    const seats = (await train.keeper.hold(wanted)).map(
      ({ carriageNumber, seatNumber }) => `${carriageNumber}/${seatNumber}`,
    );
    assert.equal(new Set(seats).size, 3);
    assert.deepEqual(await train.checkBooks(), { stretches: 3, arrangements: 3 });
  });

  it('releases and holds at once without losing a seat', async () => {
    const idsOf = ({ requests }: HoldCall): ReservationId[] =>
      requests.flatMap(({ places }) => places.map(({ reservationId }) => reservationId));
    const first = await holdAll(Array.from({ length: 40 }, () => call([request(stretch(0, 2))])));
    const second = Array.from({ length: 200 }, () => call([request(stretch(1, 3))]));
    const releases = first.map((each) => train.keeper.release(each.orderId, idsOf(each)));
    const [sold] = await Promise.all([holdAll(second), ...releases]);
    const later = await holdAll(Array.from({ length: 40 }, () => call([request(stretch(1, 3))])));
    assert.equal(sold.length + later.length, 40);
    assert.deepEqual(await train.checkBooks(), { stretches: 40, arrangements: 40 });
  });
});
