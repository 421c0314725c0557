/** The activities of the workflow `reconciliation`. Caller: the role. */
import { activityInfo } from '@temporalio/activity';
import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import { withHeartbeat } from '../../platform/temporal/heartbeat.ts';
import type { Reconciling } from '../../workflows/books/activities.ts';
import { compareEvents, compareMovements, type ReconciliationParts, rangeOfDay } from './reconciliation.ts';
import { compareOrders, type OrderReconciliationParts } from './reconciliation-orders.ts';
import type { ReconciliationStore } from './reconciliation-store.ts';

export function createReconciliationActivities(
  parts: ReconciliationParts & OrderReconciliationParts,
  reports: Pick<ReconciliationStore, 'report'>,
): Reconciling {
  return {
    compareMovements: async (input) => await withHeartbeat(() => compareMovements(parts, input)),
    rangeOfDay: async (input) => await withHeartbeat(() => rangeOfDay(parts, input)),
    compareEvents: async (input) => await withHeartbeat(() => compareEvents(parts, input)),
    compareOrders: async (input) => await withHeartbeat(() => compareOrders(parts, input)),
    report: async ({ day, findings }) => {
      const run = activityInfo().workflowExecution?.runId ?? 'none';
      const work = { run, correlationId: workItemId(run, 'reconciliation') };
      await withHeartbeat(async () => reports.report(day, findings, await parts.payments.providers(), work));
    },
  };
}
