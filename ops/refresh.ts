/**
 * `npm run refresh`: makes the private datasets of the running local stack anew now, as the schedule does each night. The
 * same as "Trigger" of the schedule `dataset-refresh` in the Temporal UI. What is of today already is left as it is.
 *
 * `npm run refresh -- --local DIR` for a stack that keeps its state elsewhere.
 */
import { parseArgs } from 'node:util';
import { Client, Connection, ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import { REFRESH_SCHEDULE_ID } from '../activities/timetable/refresh-schedule.ts';
import { LocalState } from '../dev/stack/local-state.ts';

const NOT_RUNNING = 'Samferd does not run from this folder: npm start';

async function trigger(address: string, namespace: string): Promise<string> {
  const connection = await Connection.connect({ address }).catch(() => undefined);
  if (connection === undefined) return `Temporal does not answer at ${address}: is \`npm start\` still running?`;
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
const endpoints = new LocalState(values.local).read('endpoints.json') as Record<string, string> | undefined;
const namespace = process.env.TEMPORAL_NAMESPACE || 'default';
const problem = endpoints?.temporal ? await trigger(endpoints.temporal, namespace) : NOT_RUNNING;
if (problem !== '') {
  console.error(problem);
  process.exitCode = 1;
} else {
  console.log('The refresh has begun, unless one is running already.');
  if (endpoints?.temporalUi)
    console.log(`See ${endpoints.temporalUi}/namespaces/${namespace}/schedules/${REFRESH_SCHEDULE_ID}`);
}
