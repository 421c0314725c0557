/**
 * Makes the private datasets of the running local stack anew now, as the schedule does each night. The same as "Trigger"
 * of the schedule `dataset-refresh` in the Temporal UI.
 */
import { Client, Connection, ScheduleOverlapPolicy } from '@temporalio/client';
import { REFRESH_SCHEDULE_ID } from '../activities/timetable/refresh-schedule.ts';
import { LocalState } from './stack/local-state.ts';

const endpoints = new LocalState().read('endpoints.json') as Record<string, string> | undefined;
if (endpoints?.temporal === undefined) {
  console.error('Samferd does not run from this folder: npm start');
  process.exitCode = 1;
} else {
  const connection = await Connection.connect({ address: endpoints.temporal });
  const { schedule } = new Client({ connection, namespace: process.env.TEMPORAL_NAMESPACE || 'default' });
  await schedule.getHandle(REFRESH_SCHEDULE_ID).trigger(ScheduleOverlapPolicy.SKIP);
  await connection.close();
  console.log('The refresh has begun, unless one is running already.');
  if (endpoints.temporalUi)
    console.log(`See ${endpoints.temporalUi}/namespaces/default/schedules/${REFRESH_SCHEDULE_ID}`);
}
