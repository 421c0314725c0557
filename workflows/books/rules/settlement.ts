/** A settlement of an organisation and channel: the money that is counted together, as of a shift or a day. Types and pure rules. */
import type { DistributionChannelId, OrganisationId, SettlementId } from '../../shared/ids.ts';
import type { Posting } from '../../shared/journal-entry.ts';

/**
 * OPEN: requests may name it. CLOSING: none may, and entries of earlier writes are still on their way to the ledger. CLOSED: its
 * entries and totals never change.
 */
export type SettlementStatus = 'OPEN' | 'CLOSING' | 'CLOSED';

export interface AccountTotal {
  readonly account: string;
  readonly debitMinor: number;
  readonly creditMinor: number;
}

export interface CurrencyTotals {
  readonly currency: string;
  readonly entryCount: number;
  /** By the name of the account. */
  readonly accounts: readonly AccountTotal[];
}

export interface Settlement {
  readonly id: SettlementId;
  readonly organisationId: OrganisationId;
  readonly distributionChannelId: DistributionChannelId;
  readonly status: SettlementStatus;
  readonly openedAt: Date;
  readonly closingAt?: Date;
  readonly closedAt?: Date;
  /** Of a CLOSED one. */
  readonly totals?: readonly CurrencyTotals[];
}

export type SettlementEvent =
  | { readonly type: 'SettlementOpened'; readonly distributionChannelId: DistributionChannelId }
  | { readonly type: 'SettlementClosed'; readonly distributionChannelId: DistributionChannelId };

export const SETTLEMENT_EVENT_TYPES = ['SettlementOpened', 'SettlementClosed'] as const;

export interface CountedEntry {
  readonly currency: string;
  readonly postings: readonly Posting[];
}

/** Adds entries up, one by one: a settlement may have more than fit into memory. */
export class TotalsCounter {
  readonly #byCurrency = new Map<string, { entryCount: number; accounts: Map<string, AccountTotal> }>();

  count({ currency, postings }: CountedEntry): void {
    const totals = this.#byCurrency.get(currency) ?? { entryCount: 0, accounts: new Map<string, AccountTotal>() };
    this.#byCurrency.set(currency, totals);
    totals.entryCount += 1;
    for (const { account, amountMinor } of postings) {
      const { debitMinor, creditMinor } = totals.accounts.get(account) ?? { debitMinor: 0, creditMinor: 0 };
      totals.accounts.set(account, {
        account,
        debitMinor: debitMinor + Math.max(amountMinor, 0),
        creditMinor: creditMinor + Math.max(-amountMinor, 0),
      });
    }
  }

  totals(): readonly CurrencyTotals[] {
    return [...this.#byCurrency]
      .map(([currency, { entryCount, accounts }]) => ({
        currency,
        entryCount,
        accounts: sorted([...accounts.values()]),
      }))
      .sort((one, other) => (one.currency < other.currency ? -1 : 1));
  }
}

function sorted(accounts: readonly AccountTotal[]): readonly AccountTotal[] {
  return [...accounts].sort((one, other) => (one.account < other.account ? -1 : 1));
}
