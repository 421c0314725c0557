/**
 * Reads the ledger: the entries and totals of a settlement, of orders and of payments. Callers: the API, the closing, the
 * reconciliation.
 */
import type { Connection } from 'mongoose';
import type { Posting } from '../../platform/events/journal-entry.ts';
import { type CurrencyTotals, TotalsCounter } from '../../workflows/books/rules/settlement.ts';
import { RECEIVABLES } from '../../workflows/shared/accounts.ts';
import type { OrderId, PaymentId, SettlementId } from '../../workflows/shared/ids.ts';
import { sumOf } from '../../workflows/shared/money.ts';
import {
  type EntryDocument,
  LATE_INDEX,
  LEDGER_ENTRIES,
  type LedgerCollection,
  type LedgerDocument,
  ORDER_INDEX,
  PAYMENT_INDEX,
} from './ledger-document.ts';

export class LedgerReader {
  readonly #entries: LedgerCollection;

  constructor(connection: Connection) {
    this.#entries = LEDGER_ENTRIES.open(connection);
  }

  /** Whether it is closed or not: what it has now. */
  async totalsOf(settlementId: SettlementId): Promise<readonly CurrencyTotals[]> {
    const counter = new TotalsCounter();
    for await (const entry of this.streamOf(settlementId)) counter.count(entry);
    return counter.totals();
  }

  /** In the order of their numbers; `late`: those that came after it was closed. */
  async *streamOf(settlementId: SettlementId, late = false): AsyncGenerator<EntryDocument> {
    const place = late ? { lateFor: settlementId } : { settlementId };
    for await (const found of this.#entries.find(place).sort({ number: 1 })) {
      if (found.kind === 'ENTRY') yield found;
    }
  }

  /** Postings `first` to `last` of those that it counts, or of those that are late for it. */
  async pageOf(
    settlementId: SettlementId,
    { first, last, late }: { readonly first: number; readonly last: number; readonly late: boolean },
  ): Promise<{ readonly rows: readonly LedgerRow[]; readonly total: number }> {
    const place = late ? { lateFor: settlementId } : { settlementId };
    // An entry that begins earlier may reach into the page.
    const range = { ...place, number: { $gt: first - MAX_POSTINGS, $lte: last } };
    const [found, newest] = await Promise.all([
      this.#entries.find(range).sort({ number: 1 }).toArray(),
      this.#entries.findOne(place, { sort: { number: -1 }, projection: { kind: 1, number: 1, postings: 1 } }),
    ]);
    const rows = found.flatMap((each) => (each.kind === 'ENTRY' ? rowsOf(each) : []));
    return { rows: rows.filter(({ number }) => number >= first && number <= last), total: postingsUpTo(newest) };
  }

  /** Of these events, the ones with an entry. */
  async listRecorded(eventIds: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await this.#entries.find({ _id: { $in: [...eventIds] } }, { projection: { _id: 1 } }).toArray();
    return new Set(found.map(({ _id }) => _id));
  }

  /** Of all entries of a payment. */
  async postingsOf(paymentId: PaymentId): Promise<readonly Posting[]> {
    const found = await this.#entries.find({ paymentId }, { hint: PAYMENT_INDEX }).toArray();
    return found.flatMap((each) => (each.kind === 'ENTRY' ? each.postings : []));
  }

  /** What the customers of these orders owe by all entries. */
  async receivablesOf(orderIds: readonly OrderId[]): Promise<ReadonlyMap<OrderId, number>> {
    const wanted = { orderId: { $in: [...orderIds] } };
    const sums = new Map<OrderId, number>();
    for await (const found of this.#entries.find(wanted, { hint: ORDER_INDEX })) {
      const orderId = found.kind === 'ENTRY' ? found.orderId : undefined;
      if (found.kind !== 'ENTRY' || orderId === undefined) continue;
      const owed = found.postings.filter(({ account }) => account === RECEIVABLES).map((each) => each.amountMinor);
      sums.set(orderId, sumOf([sums.get(orderId) ?? 0, ...owed]));
    }
    return sums;
  }

  async countLate(settlementId: SettlementId): Promise<number> {
    return await this.#entries.countDocuments({ lateFor: settlementId }, { hint: LATE_INDEX });
  }
}

/** One posting, as readers of a settlement get it. */
export interface LedgerRow {
  readonly entry: EntryDocument;
  readonly posting: Posting;
  /** Among the postings of the settlement. */
  readonly number: number;
  /** Among the postings of its entry, from 1. */
  readonly place: number;
}

export function rowsOf(entry: EntryDocument): readonly LedgerRow[] {
  const { number = 1, postings } = entry;
  return postings.map((posting, at) => ({ entry, posting, number: number + at, place: at + 1 }));
}

/** Of an entry with a settlement: payments post two. */
const MAX_POSTINGS = 20;

function postingsUpTo(newest: LedgerDocument | null): number {
  if (!newest) return 0;
  return newest.kind === 'CLOSING' ? newest.number - 1 : (newest.number ?? 0) + newest.postings.length - 1;
}
