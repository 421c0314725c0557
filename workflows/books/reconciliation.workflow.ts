/**
 * Compares a day's money three ways: what providers have moved, what payments and orders say, and what the ledger has. What is certain
 * is mended, everything else is reported. It never guesses, and moves no money itself.
 *
 * Started by the schedule `reconciliation`; see `reconciliation-schedule.ts`. A start that comes late compares the day that it was due
 * for. Repeated for a day it finds what is still different.
 */
import { patched, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { dueAt } from '../shared/due-at.ts';
import { books } from './activity-proxies.ts';
import { type ReconciliationInput, type ReconciliationState, reconciliationStateQuery } from './messages.ts';
import { addFindings, dayBefore, type Findings, HOURS, NOTHING_FOUND } from './rules/reconciled-day.ts';

/** Runs that began before orders were compared end without it. */
const ORDERS_PATCH = 'orders-compared';

export async function reconciliation({
  day = dayBefore(dueAt()),
}: ReconciliationInput = {}): Promise<ReconciliationState> {
  let step: ReconciliationState['step'] = 'MOVEMENTS';
  let findings = NOTHING_FOUND;
  setHandler(reconciliationStateQuery, () => stateOf(day, step, findings));
  const go = (next: typeof step) => {
    step = next;
    setCurrentDetails(`${next} of ${day}`);
  };
  go('MOVEMENTS');
  for (let hour = 0; hour < HOURS; hour += 1) {
    findings = addFindings(findings, await books.compareMovements({ day, hour }));
  }
  go('EVENTS');
  const { after, upTo } = await books.rangeOfDay({ day });
  for (let next: number | undefined = after; next !== undefined && next < upTo; ) {
    const found: Findings & { readonly next?: number } = await books.compareEvents({ day, after: next, upTo });
    findings = addFindings(findings, found);
    next = found.next;
  }
  if (patched(ORDERS_PATCH)) {
    go('ORDERS');
    for (let hour = 0; hour < HOURS; hour += 1) {
      findings = addFindings(findings, await books.compareOrders({ day, hour }));
    }
  }
  go('REPORT');
  await books.report({ day, findings });
  go('DONE');
  return stateOf(day, step, findings);
}

function stateOf(
  day: string,
  step: ReconciliationState['step'],
  { told: _told, ...counts }: Findings,
): ReconciliationState {
  return { day, step, ...counts };
}
