/**
 * Watches the provider's ledger while refunds run: no transaction ever pays back more than it took, and whatever was paid back has
 * no valid ticket any more. Used by refund-run.ts.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import type { LedgerEntry } from '../../dev/provider-simulator/control.ts';
import { sumOf } from '../../workflows/shared/money.ts';
import { amountOf } from './money-books.ts';
import { findRefundOfKey, findValidTickets } from './refunded-tickets.ts';

const LOOK_MS = 250;
const ATTEMPT_MS = 5_000;

export class LedgerWatch {
  readonly #connection: Connection;
  readonly #ledger: string;
  readonly #faults = new Set<string>();
  readonly #seen = new Set<string>();
  readonly #unchecked: string[] = [];
  #isOver = false;
  #watching: Promise<unknown> = Promise.resolve();
  /** Times that the ledger was read. */
  looks = 0;
  /** Refunds of the provider whose tickets were looked at. */
  checked = 0;

  /** `simulator`: its base URL. */
  constructor(connection: Connection, simulator: string) {
    this.#connection = connection;
    this.#ledger = `${simulator}/ledger`;
  }

  begin(): void {
    this.#watching = Promise.all([this.#watchLedger(), this.#watchTickets()]);
  }

  /** Answers what it has seen. */
  async end(): Promise<readonly string[]> {
    this.#isOver = true;
    await this.#watching;
    return [...this.#faults];
  }

  async #watchLedger(): Promise<void> {
    for (let isLast = false; !isLast; await delay(LOOK_MS)) {
      isLast = this.#isOver;
      const entries = await this.#read();
      if (!entries) continue;
      this.looks++;
      for (const entry of entries) {
        for (const fault of faultsOf(entry)) this.#faults.add(fault);
        for (const { idempotencyKey } of entry.refunds) {
          if (!this.#seen.has(idempotencyKey)) this.#unchecked.push(idempotencyKey);
          this.#seen.add(idempotencyKey);
        }
      }
    }
  }

  /** Undefined while the simulator is dead. */
  async #read(): Promise<readonly LedgerEntry[] | undefined> {
    try {
      const answer = await fetch(this.#ledger, { signal: AbortSignal.timeout(ATTEMPT_MS) });
      if (!answer.ok) return undefined;
      return ((await answer.json()) as { readonly entries: readonly LedgerEntry[] }).entries;
    } catch {
      return undefined;
    }
  }

  async #watchTickets(): Promise<void> {
    while (!this.#isOver || this.#unchecked.length > 0) {
      const [key] = this.#unchecked;
      // The database may be dead: then it is asked again.
      if (key !== undefined && (await this.#check(key).catch(() => false))) this.#unchecked.shift();
      else await delay(LOOK_MS);
    }
  }

  async #check(key: string): Promise<boolean> {
    const refund = await findRefundOfKey(this.#connection, key);
    if (!refund) this.#faults.add(`the provider has paid ${key}, which no refund has asked for`);
    else for (const fault of await findValidTickets(this.#connection, [refund])) this.#faults.add(fault);
    this.checked++;
    return true;
  }
}

/** One capture at most, and at no moment more paid back than taken. */
export function faultsOf({ reference, captures, refunds }: LedgerEntry): readonly string[] {
  const faults = captures.length > 1 ? [`${reference} was captured ${captures.length} times`] : [];
  const [takenAt] = captures.map(({ at }) => new Date(at).getTime());
  for (const { at, idempotencyKey } of refunds) {
    const moment = new Date(at).getTime();
    const paidBack = sumOf(refunds.filter((each) => new Date(each.at).getTime() <= moment).map(amountOf));
    const taken = takenAt !== undefined && takenAt <= moment ? sumOf(captures.map(amountOf)) : 0;
    if (paidBack > taken) faults.push(`${reference}: at ${idempotencyKey} ${paidBack} were paid back of ${taken}`);
  }
  return faults;
}
