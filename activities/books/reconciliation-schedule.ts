/** The schedule `reconciliation`: each day, the day before is compared. Caller: the role `books-worker`. */
import { z } from 'zod';
import { fields } from '../../platform/config.ts';
import { ensureSchedule } from '../../platform/temporal/schedules.ts';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { reconciliationWorkflow } from '../../workflows/books/messages.ts';

export const RECONCILIATION_SCHEDULE_ID = 'reconciliation';

export const reconciliationShape = {
  /** `hh:mm` in TIME_ZONE: hours after midnight UTC, so that outcomes of the day before are known. */
  RECONCILIATION_TIME: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be hh:mm')
    .default('05:15'),
  TIME_ZONE: fields.timeZone.default('Europe/Oslo'),
};

/** Days that were missed are compared one after the other. The log keeps its events for four days at least. */
const CATCH_UP = '3d';

export async function ensureReconciliationSchedule(
  temporal: TemporalClient,
  { time, timeZone }: { readonly time: string; readonly timeZone: string },
): Promise<void> {
  const comment = `each day at ${time} ${timeZone}, also days that were missed`;
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  await ensureSchedule(temporal, {
    id: RECONCILIATION_SCHEDULE_ID,
    workflow: reconciliationWorkflow,
    spec: { calendars: [{ hour, minute, comment }], timezone: timeZone },
    comment,
    catchupWindow: CATCH_UP,
    overlap: 'BUFFER_ALL',
  });
}
