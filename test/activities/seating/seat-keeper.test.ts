/** What orders ask of the seat keeper, one call after the other, and what a crash leaves behind. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ArrangementStore } from '../../../activities/seating/arrangement-store.ts';
import { CarriageStore } from '../../../activities/seating/carriage-store.ts';
import { notesOf } from '../../../activities/seating/hold-notes.ts';
import { runOf, withRuns } from '../../../activities/seating/seated-runs.ts';
import { ARRANGEMENTS, CARRIAGES } from '../../../activities/seating/seating-model.ts';
import type { HoldCall, SeatArrangement } from '../../../activities/shared/seating.ts';
import type { OrderId, ReservationId } from '../../../workflows/shared/ids.ts';
import type { Carriage } from '../../../workflows/shared/seats.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import {
  call,
  carriage,
  JOURNEY,
  NOW,
  OTHER_JOURNEY,
  openTrain,
  plainJourney,
  request,
  seat,
  stretch,
  type Train,
} from './support.ts';

const BERTH = { wish: { accommodation: 'SLEEPER', facilities: [] } } as const;
const SLEEPER: Carriage = {
  carriageNumber: '9',
  seats: ['A', 'B'].flatMap((compartment) =>
    [1, 2, 3, 4].map((at) => seat(`${at}${compartment}`, { accommodationFacility: 'SLEEPER' }, compartment)),
  ),
};
const MINUTE_MS = 60_000;

const RUN = runOf(plainJourney(JOURNEY));
const noted = async (wanted: HoldCall) => ({
  ...wanted,
  requests: await withRuns({ findDatedJourney: async (id) => plainJourney(id) }, wanted.requests),
});

const isNoSeat = (error: unknown) => error instanceof ServiceError && error.code === 'SEAT_UNAVAILABLE';
const idsOf = ({ requests }: HoldCall): readonly ReservationId[] =>
  requests.flatMap(({ places }) => places.map(({ reservationId }) => reservationId));
const shown = (arrangements: readonly SeatArrangement[]) =>
  arrangements.map(({ carriageNumber, seatNumber }) => `${carriageNumber}/${seatNumber}`).join(' ');

describe('The seat keeper', () => {
  let train: Train;
  beforeEach(async () => {
    train = await openTrain([carriage('1', 4), SLEEPER]);
  });
  afterEach(() => train?.connection.close());

  const statusOf = async (id: ReservationId | undefined) =>
    (await ARRANGEMENTS.open(train.connection).findOne({ _id: id as ReservationId }))?.status;
  const freeOn = async (from: number, to: number) =>
    (await train.keeper.count(stretch(from, to), { accommodation: 'SEATING', facilities: [] })).free;

  it('answers the places of requests in their order, with what their seats are', async () => {
    const wanted = call([request(stretch(0, 2), { places: 2 }), request(stretch(0, 2)), request(stretch(0, 2), BERTH)]);
    const held = await train.keeper.hold(wanted);
    assert.equal(shown(held), '1/1 1/2 1/3 9/1A', 'those of one wish sit together, whatever their lines');
    const [first] = held;
    const [line] = wanted.requests;
    assert.deepEqual(first, {
      arrangementId: line?.places[0]?.reservationId,
      reservationId: line?.places[0]?.reservationId,
      orderLineId: line?.orderLineId,
      travellerId: line?.places[0]?.travellerId,
      stretch: line?.stretch,
      carriageNumber: '1',
      seatNumber: '1',
      seatingProperties: { fareClass: 'STANDARD', accommodationFacility: 'SEATING', facilities: [] },
      status: 'HELD',
      heldAt: NOW,
      attempt: first?.attempt,
    });
    assert.equal(held[3]?.compartmentNumber, 'A');
    await train.checkBooks();
  });

  it('finds the holds of a repeated call, also when nothing else is free', async () => {
    const wanted = call([request(stretch(0, 2), { places: 4 })]);
    const held = await train.keeper.hold(wanted);
    assert.deepEqual(await train.keeper.hold(wanted), held);
    assert.equal(await freeOn(0, 2), 0);
    await train.keeper.confirm(wanted.orderId, idsOf(wanted));
    assert.deepEqual(
      (await train.keeper.hold(wanted)).map(({ status }) => status),
      Array(4).fill('CONFIRMED'),
    );
    assert.deepEqual(await train.checkBooks(), { stretches: 4, arrangements: 4 });
  });

  it('takes no seat for a caller that waits no more when its turn comes', async () => {
    let isOver = false;
    const late = new ServiceError('UNAVAILABLE', 'It takes too long.');
    const mayHold = () => {
      if (isOver) throw late;
    };
    const first = train.keeper.hold(call([request(stretch(0, 2))], { mayHold }));
    await first;
    const waiting = train.keeper.hold(call([request(stretch(0, 2)), request(stretch(1, 2))], { mayHold }));
    isOver = true;
    await assert.rejects(waiting, late);
    assert.deepEqual(await train.checkBooks(), { stretches: 1, arrangements: 1 });
  });

  it('holds nothing when one seat of a call is missing', async () => {
    const other = stretch(0, 2, { datedServiceJourneyId: OTHER_JOURNEY });
    const wanted = call([request(stretch(0, 2), { places: 3 }), request(other, { places: 5 })]);
    await assert.rejects(train.keeper.hold(wanted), isNoSeat);
    assert.deepEqual(await train.checkBooks(), { stretches: 0, arrangements: 0 });
    const unknown = stretch(0, 2, { lineId: 'TST:Line:9' });
    await assert.rejects(train.keeper.hold(call([request(unknown)])), isNoSeat);
    const departed = stretch(0, 2, { departure: new Date(NOW.getTime() - 25 * 60 * MINUTE_MS) });
    await assert.rejects(train.keeper.hold(call([request(departed)])), isNoSeat);
    assert.deepEqual(await train.keeper.hold(call([])), []);
  });

  it('holds and counts no seat of a journey that the timetable lacks', async () => {
    const unknown = stretch(0, 2, { datedServiceJourneyId: 'TST:ServiceJourney:unknown@2026-11-24' });
    await assert.rejects(train.keeper.hold(call([request(unknown)])), isNoSeat);
    const count = await train.keeper.count(unknown, { accommodation: 'SEATING', facilities: [] });
    assert.deepEqual(count, { free: 0, total: 4 });
    assert.deepEqual(await train.checkBooks(), { stretches: 0, arrangements: 0 });
  });

  it('sells one seat to several travellers on stretches that do not overlap', async () => {
    const seats: string[] = [];
    for (const [from, to] of [
      [0, 2],
      [2, 4],
      [4, 5],
    ] as const) {
      seats.push(shown(await train.keeper.hold(call([request(stretch(from, to))]))));
    }
    assert.deepEqual(seats, ['1/1', '1/1', '1/1']);
    assert.deepEqual([await freeOn(0, 5), await freeOn(4, 5)], [3, 3]);
  });

  it('gives back what nobody else counts on', async () => {
    const wanted = call([request(stretch(0, 2), { places: 2 })]);
    const held = await train.keeper.hold(wanted);
    for (const _ of [1, 2]) await train.keeper.giveBack(wanted.orderId, held);
    assert.deepEqual([await freeOn(0, 2), await statusOf(idsOf(wanted)[0])], [4, undefined]);
    await train.keeper.giveBack('OTHERS22' as OrderId, await train.keeper.hold(wanted));
    assert.equal(await freeOn(0, 2), 2);
    assert.deepEqual(await train.checkBooks(), { stretches: 2, arrangements: 2 });
  });

  it('gives back no seat that a repeat of the request has joined, taken over or confirmed', async () => {
    const wanted = call([request(stretch(0, 2), { places: 2 })]);
    const first = await train.keeper.hold(wanted);
    await train.others[0]?.hold(wanted);
    await train.keeper.giveBack(wanted.orderId, first);
    assert.deepEqual([await freeOn(0, 2), await statusOf(idsOf(wanted)[0])], [2, 'HELD'], 'joined');
    await train.keeper.release(wanted.orderId, idsOf(wanted));
    const second = await train.others[0]?.hold(wanted);
    await train.keeper.giveBack(wanted.orderId, first);
    assert.deepEqual([await freeOn(0, 2), await statusOf(idsOf(wanted)[0])], [2, 'HELD'], 'taken over');
    await train.keeper.confirm(wanted.orderId, idsOf(wanted));
    await train.keeper.giveBack(wanted.orderId, second ?? []);
    assert.deepEqual([await freeOn(0, 2), await statusOf(idsOf(wanted)[0])], [2, 'CONFIRMED'], 'confirmed');
    await train.checkBooks();
  });

  it('leaves to the sweep what every attempt of a request has given back', async () => {
    const wanted = call([request(stretch(0, 2))]);
    const both = [await train.keeper.hold(wanted), (await train.others[0]?.hold(wanted)) ?? []];
    for (const held of both) await train.keeper.giveBack(wanted.orderId, held);
    train.advance(3 * MINUTE_MS);
    await train.keeper.sweep();
    assert.equal(await freeOn(0, 2), 4);
    await train.checkBooks();
  });

  it('confirms and releases repeatedly', async () => {
    const wanted = call([request(stretch(0, 2), { places: 2 })]);
    await train.keeper.hold(wanted);
    const [one, two] = idsOf(wanted);
    for (const _ of [1, 2]) await train.keeper.confirm(wanted.orderId, idsOf(wanted));
    for (const _ of [1, 2]) await train.keeper.release(wanted.orderId, [one as ReservationId]);
    assert.deepEqual([await statusOf(one), await statusOf(two)], ['RELEASED', 'CONFIRMED']);
    assert.equal(await freeOn(0, 2), 3);
    await train.keeper.release('OTHERS22' as OrderId, idsOf(wanted));
    assert.equal(await statusOf(two), 'CONFIRMED', 'the order does not have it');
    await assert.rejects(train.keeper.confirm(wanted.orderId, idsOf(wanted)), /no longer held/);
    await train.keeper.confirm(wanted.orderId, [randomUUID() as ReservationId]);
    await train.checkBooks();
  });

  it('sells a compartment whole, until the last of the party has given it up', async () => {
    const party = call([request(stretch(0, 2), { ...BERTH, places: 3, wholeCompartment: true })]);
    assert.equal(shown(await train.keeper.hold(party)), '9/1A 9/2A 9/3A');
    const stranger = (places: number) => call([request(stretch(1, 3), { ...BERTH, places })]);
    await assert.rejects(train.keeper.hold(stranger(5)), isNoSeat);
    const [one, two, three] = idsOf(party) as [ReservationId, ReservationId, ReservationId];
    await train.keeper.release(party.orderId, [one, two]);
    await assert.rejects(train.keeper.hold(stranger(5)), isNoSeat);
    assert.equal(shown(await train.keeper.hold(call([request(stretch(2, 3), BERTH)]))), '9/1A', 'after they have left');
    await train.keeper.release(party.orderId, [three]);
    const whole = async () => (await train.keeper.count(stretch(0, 2), BERTH.wish, true)).free;
    assert.equal(await whole(), 4, 'the other compartment, too');
    assert.equal((await train.keeper.hold(stranger(5))).length, 5);
    assert.equal(await whole(), 0);
  });

  it('moves a traveller to a named seat, and shows it under the same id', async () => {
    const first = call([request(stretch(0, 2))]);
    const [earlier] = idsOf(first);
    await train.keeper.hold(first);
    const to = (seatNumber: string) => ({
      seat: { carriageNumber: '1', seatNumber },
      ...(earlier && { replaces: earlier }),
    });
    await assert.rejects(train.keeper.hold(call([request(stretch(0, 2), to('1'))])), isNoSeat);
    await assert.rejects(train.keeper.hold(call([request(stretch(0, 2), to('9'))])), isNoSeat);
    const moved = call([request(stretch(0, 2), to('4'))], { orderId: first.orderId });
    const [held] = await train.keeper.hold(moved);
    assert.deepEqual([held?.arrangementId, held?.seatNumber], [earlier, '4']);
    const replacedBy = async () =>
      (await ARRANGEMENTS.open(train.connection).findOne({ _id: earlier as never }))?.replacedBy;
    assert.equal(await replacedBy(), undefined, 'the order does not have it yet');
    await train.keeper.show(call([]).orderId, idsOf(moved));
    assert.equal(await replacedBy(), undefined, 'another order');
    await train.keeper.show(first.orderId, idsOf(moved));
    assert.equal(await replacedBy(), held?.reservationId);
    await train.keeper.release(first.orderId, idsOf(moved));
    assert.equal(await replacedBy(), undefined, 'the order was reset');
    await train.keeper.show(first.orderId, idsOf(moved));
    assert.equal(await replacedBy(), undefined, 'a late word of an order that has given it up');
  });

  it('keeps sold seats when the plan changes', async () => {
    const sold = call([request(stretch(0, 2), { places: 4 })]);
    await train.keeper.hold(sold);
    await train.keeper.confirm(sold.orderId, idsOf(sold));
    train.setPlan([carriage('1', 5, { fareClass: 'FIRST' })]);
    assert.equal(shown(await train.keeper.hold(call([request(stretch(0, 2))]))), '1/5');
    await assert.rejects(train.keeper.hold(call([request(stretch(0, 2))])), isNoSeat);
    train.setPlan([]);
    await assert.rejects(train.keeper.hold(call([request(stretch(0, 2))])), isNoSeat);
    await train.checkBooks();
  });

  it('frees holds whose order was never written, after two minutes', async () => {
    const [written, lost] = [
      call([request(stretch(0, 2), { places: 2 })]),
      call([request(stretch(0, 2), { places: 2 })]),
    ];
    for (const each of [written, lost]) await train.keeper.hold(each);
    for (const id of idsOf(written)) train.reserved.add(id);
    train.advance(2 * MINUTE_MS - 1);
    await train.keeper.sweep();
    assert.equal(await freeOn(0, 2), 0, 'too early');
    train.advance(1);
    await Promise.all([train.keeper.sweep(), ...train.others.map((other) => other.sweep())]);
    assert.deepEqual([await freeOn(0, 2), await statusOf(idsOf(lost)[0])], [2, 'RELEASED']);
    assert.equal(await statusOf(idsOf(written)[0]), 'HELD');
    // What an order has is not asked for again: it lives as long as the order says.
    train.reserved.clear();
    train.advance(60 * MINUTE_MS);
    await train.keeper.sweep();
    assert.deepEqual(await train.checkBooks(), { stretches: 2, arrangements: 2 });
  });

  it('goes on with other orders when one cannot be asked', async () => {
    const [broken, lost] = [call([request(stretch(0, 2))]), call([request(stretch(0, 2), { places: 2 })])];
    for (const each of [broken, lost]) await train.keeper.hold(each);
    train.breakOrder(broken.orderId);
    train.advance(2 * MINUTE_MS);
    await assert.rejects(train.keeper.sweep(), /cannot be read/);
    assert.equal(await freeOn(0, 2), 3);
    train.breakOrder(undefined);
    await train.keeper.sweep();
    assert.deepEqual(await train.checkBooks(), { stretches: 0, arrangements: 0 });
  });

  it('frees what a process held that died before it could say so', async () => {
    const wanted = call([request(stretch(0, 2))]);
    const [id] = idsOf(wanted) as [ReservationId];
    await new ArrangementStore(train.connection).note(notesOf(await noted(wanted), 'dead', new Map()));
    const taken = { seatNumber: '3', from: 0, to: 2, fromStop: 'A', toStop: 'B', holders: [id], attempt: 'dead' };
    const removeAt = new Date('2026-12-01T00:00:00Z');
    const hold = { run: RUN, carriageNumber: '1', stretches: [taken], removeAt };
    assert.equal(await new CarriageStore(train.connection).hold(hold), true);
    assert.equal(await freeOn(0, 2), 3);
    train.advance(2 * MINUTE_MS);
    await train.keeper.sweep();
    assert.deepEqual(await train.checkBooks(), { stretches: 0, arrangements: 0 });
    assert.equal(await statusOf(id), undefined, 'it was never shown');
  });

  it('lets a repeat take over what such a process has left', async () => {
    const wanted = call([request(stretch(0, 2), { places: 2 })]);
    const [one] = idsOf(wanted) as [ReservationId];
    const arrangements = new ArrangementStore(train.connection);
    await arrangements.note(notesOf(await noted(wanted), 'dead', new Map()));
    const taken = { seatNumber: '3', from: 0, to: 2, fromStop: 'A', toStop: 'B', holders: [one], attempt: 'dead' };
    const hold = {
      run: RUN,
      carriageNumber: '1',
      stretches: [taken],
      removeAt: new Date('2026-12-01'),
    };
    await new CarriageStore(train.connection).hold(hold);
    assert.equal(shown(await train.keeper.hold(wanted)), '1/1 1/2');
    assert.deepEqual(await train.checkBooks(), { stretches: 2, arrangements: 2 });
    // The dead process was only slow: it can neither finish nor free what is another attempt's.
    const seatOf = { carriageNumber: '1', seatNumber: '3', seatingProperties: seat('3').properties };
    assert.equal(await arrangements.finish('dead', new Map([[one, seatOf]])), false);
    await arrangements.forget('dead', notesOf(await noted(wanted), 'dead', new Map()));
    assert.deepEqual(await train.checkBooks(), { stretches: 2, arrangements: 2 });
  });

  it('keeps documents of carriages bounded, and drops them after the journey', async () => {
    for (let turn = 0; turn < 30; turn++) {
      const wanted = call([request(stretch(turn % 4, 5), { places: 2 })]);
      await train.keeper.hold(wanted);
      await train.keeper.release(wanted.orderId, idsOf(wanted));
    }
    const [stored] = await CARRIAGES.open(train.connection).find().toArray();
    assert.deepEqual([stored?.stretches, stored?.removeAt], [[], new Date('2026-12-01T07:00:00Z')]);
    const indexes = await CARRIAGES.open(train.connection).indexes();
    assert.equal(indexes.find(({ name }) => name === 'removeAt')?.expireAfterSeconds, 0);
  });
});
