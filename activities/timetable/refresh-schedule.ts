/**
 * The schedule `dataset-refresh`: each night, `datasetRefresh` makes the private datasets anew.
 *
 * Caller: the timetable worker, at its start and now and then. Creates the schedule or sets right what differs from the
 * configuration; whether it is paused is left to the operators, who may also trigger it from the Temporal UI.
 */
import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { TIMETABLE_QUEUE } from '../../workflows/timetable/messages.ts';

export const REFRESH_SCHEDULE_ID = 'dataset-refresh';

export interface RefreshTime {
  /** `hh:mm`, 24 hours. */
  readonly time: string;
  /** IANA name. */
  readonly timeZone: string;
}

/** A refresh that was due while Temporal was down is made up for, but not once the next one is near. */
const CATCH_UP = '20h';

export async function ensureRefreshSchedule(temporal: TemporalClient, refreshAt: RefreshTime): Promise<void> {
  await temporal.withDeadline(async (client) => {
    try {
      await client.schedule.create({ scheduleId: REFRESH_SCHEDULE_ID, ...definition(refreshAt) });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      await setRight(client, refreshAt);
    }
  });
}

/** The server answers a spec of its own making, so a comment in it tells what it was made of. */
async function setRight(client: Client, refreshAt: RefreshTime): Promise<void> {
  const schedule = client.schedule.getHandle(REFRESH_SCHEDULE_ID);
  const { spec } = await schedule.describe();
  if (spec.calendars?.some(({ comment }) => comment === describe(refreshAt))) return;
  await schedule.update(({ state }) => ({ ...definition(refreshAt), state }));
}

function describe({ time, timeZone }: RefreshTime): string {
  return `each night at ${time} ${timeZone}`;
}

function definition(refreshAt: RefreshTime) {
  const [hour = 0, minute = 0] = refreshAt.time.split(':').map(Number);
  return {
    spec: { calendars: [{ hour, minute, comment: describe(refreshAt) }], timezone: refreshAt.timeZone },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: CATCH_UP } as const,
    action: {
      type: 'startWorkflow' as const,
      workflowType: 'datasetRefresh',
      workflowId: REFRESH_SCHEDULE_ID,
      taskQueue: TIMETABLE_QUEUE,
      args: [],
    },
  };
}
