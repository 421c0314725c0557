/**
 * `npm run refresh`: makes the private datasets anew now, as the schedule `dataset-refresh` does each night and "Trigger" in the Temporal UI
 * does at any time. A dataset that was made today stays as it is.
 *
 * Works on the Temporal server of TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE, else on the running local stack; `--local DIR` for one that keeps
 * its state elsewhere.
 */
import { parseArgs } from 'node:util';
import { Client, Connection, ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import { REFRESH_SCHEDULE_ID } from '../activities/timetable/refresh-schedule.ts';
import { describeMissing, findInstallation } from './installation.ts';

const NEEDED = ['TEMPORAL_ADDRESS'] as const;

/** Returns what kept the refresh from starting, or an empty text. */
async function trigger(address: string, namespace: string): Promise<string> {
  const connection = await Connection.connect({ address }).catch(() => undefined);
  if (connection === undefined) return `Temporal does not answer at ${address}: is the service still running?`;
  try {
    const { schedule } = new Client({ connection, namespace });
    await schedule.getHandle(REFRESH_SCHEDULE_ID).trigger(ScheduleOverlapPolicy.SKIP);
    return '';
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    return 'The timetable worker has not made its schedule yet: try again in a minute';
  } finally {
    await connection.close();
  }
}

const { values } = parseArgs({ options: { local: { type: 'string' } } });
const installation = findInstallation(NEEDED, values.local);
const namespace = installation?.TEMPORAL_NAMESPACE || 'default';
const ui = installation?.TEMPORAL_UI_URL;
const problem = installation ? await trigger(installation.TEMPORAL_ADDRESS, namespace) : describeMissing(NEEDED);
if (problem !== '') {
  console.error(problem);
  process.exitCode = 1;
} else {
  console.log('The refresh has begun, unless one is running already.');
  if (ui) console.log(`See ${ui}/namespaces/${namespace}/schedules/${REFRESH_SCHEDULE_ID}`);
}
