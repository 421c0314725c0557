/** Entries of the ledger, as rules make them for an event; see platform/events/journal-entry.ts. Pure. */

export interface Posting {
  readonly account: string;
  /** In the smallest unit of the entry's currency. Positive: debit. Negative: credit. */
  readonly amountMinor: number;
}

export interface JournalEntry {
  readonly currency: string;
  /** They add up to nothing. */
  readonly postings: readonly Posting[];
  readonly references: Readonly<Record<string, string | number>>;
  readonly settlementId?: string;
}

/** Signed amounts by account, in the order in which accounts were named. Accounts without an amount are left out. */
export class AccountSums {
  readonly #sums = new Map<string, number>();

  add(account: string, amountMinor: number): void {
    this.#sums.set(account, (this.#sums.get(account) ?? 0) + amountMinor);
  }

  /** Adds what another one has, or takes it away. */
  addAll(postings: readonly Posting[], factor: 1 | -1 = 1): this {
    for (const { account, amountMinor } of postings) this.add(account, factor * amountMinor);
    return this;
  }

  postings(): readonly Posting[] {
    return [...this.#sums]
      .filter(([, amountMinor]) => amountMinor !== 0)
      .map(([account, amountMinor]) => ({ account, amountMinor }));
  }
}
