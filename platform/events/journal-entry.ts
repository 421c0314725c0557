/**
 * What an event means in the ledger: postings that add up to nothing. They travel in the outbox beside the event, so that they are
 * written with its cause. The relay takes them off; no reader of events sees them.
 *
 * Callers: rules that post, the aggregate kit, the relay. Pure.
 */
export interface Posting {
  /** As `receivables`, `clearing/SIMULATOR`, `vat/VAT_LOW`. */
  readonly account: string;
  /** In the smallest unit of the entry's currency. Positive: debit. Negative: credit. Never 0. */
  readonly amountMinor: number;
}

export interface JournalEntry {
  /** ISO 4217 */
  readonly currency: string;
  readonly postings: readonly Posting[];
  /** Whose money it is, by the names that readers of the ledger know: `orderId`, `paymentId`, … */
  readonly references: Readonly<Record<string, string | number>>;
  /** The settlement that counts it, if that is open when the entry arrives. */
  readonly settlementId?: string;
}

/** Throws RangeError for an entry that the ledger must never hold. */
export function assertBalanced({ postings }: Pick<JournalEntry, 'postings'>): void {
  const isWhole = postings.every(({ amountMinor }) => Number.isSafeInteger(amountMinor) && amountMinor !== 0);
  if (postings.length < 2 || !isWhole) throw new RangeError('An entry has two postings at least, of whole minor units');
  const sum = postings.reduce((total, { amountMinor }) => total + amountMinor, 0);
  if (sum !== 0) throw new RangeError(`Debits and credits of an entry differ by ${sum}`);
}
