/** Settlements and entries as bodies and lines of CSV. Pure. */
import type { LedgerRow } from '../../activities/books/ledger-reader.ts';
import { NOBODY, type ReconciliationReport } from '../../activities/books/reconciliation-store.ts';
import type { Difference } from '../../workflows/books/rules/difference.ts';
import type { CurrencyTotals, Settlement } from '../../workflows/books/rules/settlement.ts';
import { formatAmount } from '../../workflows/shared/money.ts';
import type { Schemas } from './contract.gen.ts';

export interface SettlementFigures {
  readonly totals: readonly CurrencyTotals[];
  readonly lateEntries: number;
}

export function presentSettlement(
  settlement: Settlement,
  { totals, lateEntries }: SettlementFigures,
): Schemas['Settlement'] {
  const { id, status, organisationId, distributionChannelId, openedAt, closedAt } = settlement;
  return {
    ...{ settlementId: id, status, organisationId, distributionChannelId },
    openedAt: openedAt.toISOString(),
    ...(closedAt && { closedAt: closedAt.toISOString() }),
    totals: totals.map(({ currency, entryCount, accounts }) => ({
      currency,
      entries: entryCount,
      accounts: accounts.map(({ account, debitMinor, creditMinor }) => ({
        account,
        debit: formatAmount(debitMinor, currency),
        credit: formatAmount(creditMinor, currency),
      })),
    })),
    lateEntries,
  };
}

export function presentRow({ entry, posting, place }: LedgerRow): Schemas['Entry'] {
  const { _id, at, currency, orderId, paymentId, transactionId, creditId, refundId } = entry;
  const { account, amountMinor } = posting;
  return {
    entryId: `${_id}#${place}`,
    at: at.toISOString(),
    account,
    debit: formatAmount(Math.max(amountMinor, 0), currency),
    credit: formatAmount(Math.max(-amountMinor, 0), currency),
    currency,
    ...(orderId !== undefined && { orderId }),
    ...(paymentId !== undefined && { paymentId }),
    ...(transactionId !== undefined && { transactionId }),
    ...(creditId !== undefined && { creditId }),
    ...(refundId !== undefined && { refundId }),
    causeEventId: _id,
  };
}

export function presentReport(report: ReconciliationReport): Schemas['Reconciliation'] {
  const {
    id,
    day,
    organisationId,
    reportedAt,
    providers,
    movements,
    events,
    differenceCount,
    mendedCount,
    differences,
  } = report;
  return {
    ...{ reconciliationId: id, day, reportedAt: reportedAt.toISOString(), differenceCount, mendedCount },
    ...(organisationId !== NOBODY && { organisationId }),
    ...(providers && { providers: [...providers] }),
    ...(movements !== undefined && { movements }),
    ...(events !== undefined && { events }),
    differences: differences.map(presentDifference),
  };
}

function presentDifference({ organisationId: _organisation, expectedMinor, foundMinor, ...rest }: Difference) {
  const { currency = '' } = rest;
  return {
    ...rest,
    ...(expectedMinor !== undefined && { expected: formatAmount(expectedMinor, currency) }),
    ...(foundMinor !== undefined && { found: formatAmount(foundMinor, currency) }),
  };
}

const COLUMNS = [
  ...(['entryId', 'at', 'account', 'debit', 'credit', 'currency'] as const),
  ...(['orderId', 'paymentId', 'transactionId', 'creditId', 'refundId', 'causeEventId'] as const),
] as const;

export const CSV_HEADINGS = `${COLUMNS.join(',')}\r\n`;

/** RFC 4180 */
export function csvLine(row: LedgerRow): string {
  const presented = presentRow(row);
  return `${COLUMNS.map((column) => quoted(presented[column])).join(',')}\r\n`;
}

function quoted(value: string | number | undefined): string {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
