/**
 * Published transfers, between quays. A transfer between stop places holds between all their quays. The most precise
 * one counts: quay to quay before quay to place before place to place. Of two equally precise ones, the longer time and
 * the shorter path count.
 */
import type { Numbering } from './numbering.ts';
import type { PackedInput } from './packed-input.ts';

/**
 * Limit for the pairs of quays kept in memory. A country has some hundred thousand; wrong or hostile data could have
 * the square of its stops.
 */
const MOST_PAIRS = 5_000_000;

interface PublishedTransfer {
  readonly precision: number;
  readonly metres: number;
  readonly seconds: number;
  readonly wheelchairSeconds: number;
}

export class PublishedTransfers {
  readonly #byStop = new Map<number, Map<number, PublishedTransfer>>();

  add(from: number, to: number, transfer: PublishedTransfer): void {
    const known = this.#byStop.get(from) ?? new Map<number, PublishedTransfer>();
    this.#byStop.set(from, known);
    const other = known.get(to);
    if (other === undefined || other.precision < transfer.precision) known.set(to, transfer);
    else if (other.precision === transfer.precision) known.set(to, joined(other, transfer));
  }

  has(from: number, to: number): boolean {
    return this.#byStop.get(from)?.has(to) ?? false;
  }

  /** Returns 0 if no transfer states a time. */
  secondsBetween(from: number, to: number): number {
    return this.#byStop.get(from)?.get(to)?.seconds ?? 0;
  }

  /** Of wheelchair users: their own time where one is published. */
  wheelchairSecondsBetween(from: number, to: number): number {
    return this.#byStop.get(from)?.get(to)?.wheelchairSeconds ?? 0;
  }

  /** Returns −1 if no transfer states a length. */
  metresBetween(from: number, to: number): number {
    return this.#byStop.get(from)?.get(to)?.metres ?? -1;
  }

  visitWithMetres(from: number, visit: (to: number, metres: number) => void): void {
    for (const [to, { metres }] of this.#byStop.get(from) ?? []) if (metres >= 0) visit(to, metres);
  }
}

export function expandTransfers(
  input: PackedInput,
  quay: Numbering,
  quaysOfPlace: (idNumber: number) => readonly number[] | undefined,
): PublishedTransfers {
  const published = new PublishedTransfers();
  const stopsOf = (id: number): { stops: readonly number[]; precision: number } | undefined => {
    const index = quay.indexOf[id] ?? -1;
    if (index >= 0) return { stops: [index], precision: 1 };
    const stops = quaysOfPlace(id);
    return stops === undefined ? undefined : { stops, precision: 0 };
  };
  let pairs = 0;
  for (let row = 0; row < input.transferFrom.length; row++) {
    const [from, to] = [stopsOf(input.transferFrom.at(row)), stopsOf(input.transferTo.at(row))];
    const leaveOut = (reason: string): void => {
      const ids = [input.transferFrom.at(row), input.transferTo.at(row)].map((id) => input.texts.text(id) ?? '');
      input.rejections.add('transfer', reason, ids.join(' - '));
    };
    if (from === undefined || to === undefined) {
      leaveOut('unknown quay or stop place');
      continue;
    }
    if (pairs + from.stops.length * to.stops.length > MOST_PAIRS) {
      leaveOut('between too many quays');
      continue;
    }
    pairs += from.stops.length * to.stops.length;
    const precision = from.precision + to.precision;
    const transfer = {
      precision,
      metres: input.transferMetres.at(row),
      seconds: input.transferSeconds.at(row),
      wheelchairSeconds: input.transferWheelchairSeconds.at(row),
    };
    for (const one of from.stops) for (const other of to.stops) published.add(one, other, transfer);
  }
  return published;
}

function joined(one: PublishedTransfer, other: PublishedTransfer): PublishedTransfer {
  const metres =
    one.metres < 0 || other.metres < 0 ? Math.max(one.metres, other.metres) : Math.min(one.metres, other.metres);
  return {
    precision: one.precision,
    metres,
    seconds: Math.max(one.seconds, other.seconds),
    wheelchairSeconds: Math.max(one.wheelchairSeconds, other.wheelchairSeconds),
  };
}
