/**
 * Closes settlements: no request may name it any more, entries of earlier writes arrive, then its end is written into the ledger.
 * Whatever comes after that end is late and changes no totals. Callers: the handler of the API, the sweep.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Settlement } from '../../workflows/books/rules/settlement.ts';
import type { SettledMoney } from '../shared/settlements.ts';
import type { LedgerReader } from './ledger-reader.ts';
import type { LedgerStore } from './ledger-store.ts';
import type { SettlementStore, Tenancy } from './settlement-store.ts';

export interface ClosingParts {
  readonly settlements: Pick<SettlementStore, 'beginClosing' | 'noteClosed' | 'listClosing'>;
  readonly ledger: Pick<LedgerStore, 'close'>;
  readonly reader: Pick<LedgerReader, 'totalsOf'>;
  /** Undefined where no area posts for settlements. */
  readonly money: () => SettledMoney | undefined;
}

const AGAIN_MS = 100;

/** Waits for entries that are on their way, up to `waitMs`; a settlement that is CLOSING then is closed by the sweep. */
export async function closeSettlement(
  parts: ClosingParts,
  tenancy: Tenancy,
  id: Settlement['id'],
  { correlationId, waitMs }: { readonly correlationId: string; readonly waitMs: number },
): Promise<Settlement> {
  const deadline = Date.now() + waitMs;
  const begun = await parts.settlements.beginClosing(tenancy, id);
  if (begun.status === 'CLOSED') return begun;
  for (;;) {
    const closed = await finishClosing(parts, begun, correlationId);
    if (closed) return closed;
    if (Date.now() + AGAIN_MS > deadline) return begun;
    await delay(AGAIN_MS);
  }
}

/** Undefined while entries are on their way. */
export async function finishClosing(
  { settlements, ledger, reader, money }: ClosingParts,
  { id, organisationId }: Settlement,
  correlationId: string,
): Promise<Settlement | undefined> {
  if (await money()?.hasPendingEntries(id)) return undefined;
  await ledger.close(id, organisationId);
  return await settlements.noteClosed(id, await reader.totalsOf(id), correlationId);
}

export async function sweepClosings(parts: ClosingParts, newCorrelationId: () => string): Promise<void> {
  for (const closing of await parts.settlements.listClosing()) {
    await finishClosing(parts, closing, newCorrelationId());
  }
}
