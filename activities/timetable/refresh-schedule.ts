/**
 * The schedule `dataset-refresh`: each night, `datasetRefresh` makes the private datasets again. Caller: the timetable
 * worker.
 */
import { ensureSchedule } from '../../platform/temporal/schedules.ts';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { datasetRefreshWorkflow } from '../../workflows/timetable/messages.ts';

export const REFRESH_SCHEDULE_ID = 'dataset-refresh';

export interface RefreshTime {
  /** `hh:mm`, 24 hours. */
  readonly time: string;
  /** IANA name. */
  readonly timeZone: string;
}

/** Not longer: by then the next night's refresh is near. */
const CATCH_UP = '20h';

export async function ensureRefreshSchedule(temporal: TemporalClient, { time, timeZone }: RefreshTime): Promise<void> {
  const comment = `each night at ${time} ${timeZone}`;
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  await ensureSchedule(temporal, {
    id: REFRESH_SCHEDULE_ID,
    workflow: datasetRefreshWorkflow,
    spec: { calendars: [{ hour, minute, comment }], timezone: timeZone },
    comment,
    catchupWindow: CATCH_UP,
  });
}
