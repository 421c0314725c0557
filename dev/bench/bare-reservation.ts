/**
 * What the database takes for the writes of one reservation, without HTTP, rules and reads: the key's claim, the note,
 * the seats, the arrangement, the order, the answer. Written by the same stores, as copies of a real reservation, in a
 * database of its own on the same server. Caller: the benchmark of orders.
 */
import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { ORDERS_COLLECTION, type OrderDocument } from '../../activities/orders/order-document.ts';
import { orderIdOf } from '../../activities/orders/order-id.ts';
import { ArrangementStore } from '../../activities/seating/arrangement-store.ts';
import { CarriageStore } from '../../activities/seating/carriage-store.ts';
import {
  ARRANGEMENTS,
  type ArrangementDocument,
  type ArrangementSeat,
  CARRIAGES,
  type CarriageDocument,
} from '../../activities/seating/seating-model.ts';
import { IDEMPOTENCY_KEYS, IdempotencyStore } from '../../platform/idempotency/idempotency-store.ts';
import type { ReservationId } from '../../workflows/shared/ids.ts';
import type { Answered } from './steady-load.ts';

/** Afterwards another carriage is filled, as journeys fill up. */
const HELD_IN_A_CARRIAGE = 10;

interface Sample {
  readonly order: OrderDocument;
  readonly arrangements: readonly ArrangementDocument[];
  readonly carriage: CarriageDocument;
  readonly answer: string;
}

export class BareReservation {
  readonly #connection: Connection;
  readonly #sample: Sample;
  readonly #keys: IdempotencyStore;
  readonly #arrangements: ArrangementStore;
  readonly #carriages: CarriageStore;
  #count = 0;

  private constructor(connection: Connection, sample: Sample) {
    this.#connection = connection;
    this.#sample = sample;
    this.#keys = new IdempotencyStore(connection);
    this.#arrangements = new ArrangementStore(connection);
    this.#carriages = new CarriageStore(connection);
  }

  /** Copies the order that was answered so; `to` is an empty database. */
  static async of(from: Connection, to: Connection, answer: string): Promise<BareReservation> {
    const { orderId } = JSON.parse(answer) as Pick<ArrangementDocument, 'orderId'>;
    const order = await ORDERS_COLLECTION.open(from).findOne({ _id: orderId });
    const arrangements = await ARRANGEMENTS.open(from).find({ orderId }).toArray();
    const [{ runId = '' } = {}] = arrangements;
    const carriage = await CARRIAGES.open(from).findOne({ runId });
    if (!order || !carriage) throw new Error(`The order ${orderId} has no seat to copy`);
    for (const each of [ORDERS_COLLECTION, ARRANGEMENTS, CARRIAGES, IDEMPOTENCY_KEYS]) await each.ensureIndexes(to);
    return new BareReservation(to, { order, arrangements, carriage, answer });
  }

  async write(): Promise<Answered> {
    const begun = performance.now();
    await this.#writeAll(this.#count++);
    return { ms: performance.now() - begun, status: 200, body: '' };
  }

  async #writeAll(count: number): Promise<void> {
    const { order, arrangements, answer } = this.#sample;
    const attempt = randomUUID();
    const orderId = orderIdOf(attempt, 0);
    const runId = `bare/${Math.floor(count / HELD_IN_A_CARRIAGE)}`;
    const notes = arrangements.map((each) => copyOf(each, { orderId, runId, attempt }));
    const claim = await this.#keys.claim(randomUUID(), [`bare:${attempt}`]);
    if (claim.kind !== 'claimed') throw new Error(`A new key is ${claim.kind}`);
    await this.#arrangements.note(notes);
    // Two that make a carriage at once: one is refused, and holds again, as in the service.
    if (!(await this.#hold(notes, count)) && !(await this.#hold(notes, count)))
      throw new Error('A free seat was not held');
    const seats = notes.map(({ _id }, at) => [_id, seatOf(arrangements[at] as ArrangementDocument)] as const);
    await this.#arrangements.finish(attempt, new Map(seats));
    const outbox = order.outbox?.length ? order.outbox : [];
    await ORDERS_COLLECTION.open(this.#connection).insertOne({ ...order, _id: orderId, creationId: attempt, outbox });
    const stored = { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(answer) };
    await this.#keys.finish(claim.lease, stored, { mac: attempt });
  }

  async #hold(notes: readonly ArrangementDocument[], count: number): Promise<boolean> {
    const { callsHash, removeAt, stretches, carriageNumber } = this.#sample.carriage;
    const [{ runId = '', attempt = '' } = {}] = notes;
    const run = { runId, callsHash, stops: stretches.slice(0, 1).map(({ fromStop }) => fromStop) };
    const [stretch] = stretches;
    if (!stretch) throw new Error('The carriage has no seat to copy');
    const taken = notes.map(({ _id }, at) => {
      const seatNumber = `${count % HELD_IN_A_CARRIAGE}-${at}`;
      return { ...stretch, seatNumber, holders: [_id], attempt };
    });
    return await this.#carriages.hold({ run, carriageNumber, stretches: taken, removeAt });
  }
}

function copyOf(
  arrangement: ArrangementDocument,
  own: Pick<ArrangementDocument, 'orderId' | 'runId' | 'attempt'>,
): ArrangementDocument {
  const { carriageNumber: _c, seatNumber: _s, compartmentNumber: _n, seatingProperties: _p, ...note } = arrangement;
  const id = randomUUID() as ReservationId;
  const checkAt = new Date(Date.now() + 3_600_000);
  return { ...note, ...own, _id: id, arrangementId: id, status: 'PENDING', checkAt };
}

function seatOf({ carriageNumber, seatNumber, seatingProperties }: ArrangementDocument): ArrangementSeat {
  if (carriageNumber === undefined || seatNumber === undefined || seatingProperties === undefined)
    throw new Error('The reservation has no seat to copy');
  return { carriageNumber, seatNumber, seatingProperties };
}
