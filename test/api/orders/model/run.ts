/** One run: the orders of the model, what was read of the service, and the request of a step. Types and their state. */
import type { Answer } from '../../support/call.ts';
import { type ModelOrder, refuse, seatsKept } from './model-order.ts';
import type { Rule } from './model-rules.ts';

export interface Sent {
  readonly path: string;
  readonly method: string;
  readonly token?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The request of a step, and what the model makes of it. */
export interface Move {
  readonly sent: Sent;
  /** Undefined: the request makes an order, or changes none. */
  readonly order?: ModelOrder;
  /** Status of success. */
  readonly status: number;
  /** Refuses before the order's revision is looked at. */
  readonly early?: () => void;
  /** `learned`: the answer and the order as it was read afterwards, for ids that the service makes. */
  readonly rule?: (learned: Learned) => Rule;
  /** Of another resource than the order: neither `If-Match` nor `ETag` are of the order. */
  readonly isOfSeat?: true;
  /** Of a request that makes an order. */
  readonly make?: (learned: Learned) => ModelOrder;
}

export interface Learned {
  // biome-ignore lint/suspicious/noExplicitAny: answers of any form.
  readonly json: any;
  // biome-ignore lint/suspicious/noExplicitAny: answers of any form.
  readonly read: any;
}

interface Kept {
  readonly sent: Sent;
  readonly answer: Answer;
}

/** Of the train. */
const SEATS = 4;

/** What both sides share in one run. */
export class Run {
  readonly orders: ModelOrder[] = [];
  /** The orders as they were last read. */
  readonly read = new Map<string, Learned['read']>();
  /** The seat of each reservation that was ever read. */
  readonly seats = new Map<string, string>();
  /** Reservations that were moved, of travellers whom reserving gave a seat at the window. */
  readonly givenWindows = new Set<string>();
  /** No further step is played: the time of the batch is over. */
  isStopped = false;
  now: number;
  kept: Kept | undefined;
  /** What each step came to. */
  readonly outcomes: string[] = [];
  #made = 0;
  readonly #name: string;

  constructor(now: number) {
    this.now = now;
    this.#name = crypto.randomUUID().slice(0, 24);
  }

  /** Whether so many more can be held. */
  assertSeats(wanted: number): void {
    const taken = this.orders.reduce((sum, each) => sum + seatsKept(each).size, 0);
    if (taken + wanted > SEATS) refuse('409 SEAT_UNAVAILABLE');
  }

  /** Whether the seat is one of the train, and nobody has it. */
  assertFree(seat: string): void {
    const taken = this.orders.flatMap((each) => [...seatsKept(each)].map((id) => this.seats.get(id)));
    if (Number(seat) > SEATS || taken.includes(seat)) refuse('409 SEAT_UNAVAILABLE');
  }

  /** Ids that the caller chooses. */
  newId(): string {
    this.#made += 1;
    return `${this.#name}${String(this.#made).padStart(12, '0')}`;
  }
}
