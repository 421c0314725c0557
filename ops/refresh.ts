/**
 * `npm run refresh`: makes the private datasets anew now, as the schedule `dataset-refresh` does each night and
 * "Trigger" in the Temporal UI does at any time. A dataset that was made today stays as it is.
 *
 * Works on the Temporal server that the environment names (TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, PAYLOAD_KEYS), else on
 * the running local stack. `--local DIR` takes one that keeps its state elsewhere.
 */
import { parseArgs } from 'node:util';
import { isGrpcServiceError, ScheduleNotFoundError } from '@temporalio/client';
import { REFRESH_SCHEDULE_ID } from '../activities/timetable/refresh-schedule.ts';
import { triggerSchedule } from '../platform/temporal/schedules.ts';
import { TemporalClient, type TemporalConfig } from '../platform/temporal/temporal.ts';
import { findTemporal, NO_TEMPORAL } from './find-temporal.ts';
import { findInstallation } from './installation.ts';

/** Returns what kept the refresh from starting, or an empty text. */
async function trigger(config: TemporalConfig): Promise<string> {
  const temporal = new TemporalClient(config, 'ops/refresh');
  try {
    await triggerSchedule(temporal, REFRESH_SCHEDULE_ID);
    return '';
  } catch (error) {
    if (error instanceof ScheduleNotFoundError)
      return 'The timetable worker has not made its schedule yet: try again in a minute';
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    if (!isGrpcServiceError(cause)) throw error;
    return `Temporal does not answer at ${config.TEMPORAL_ADDRESS} (${cause.details}): is the service still running?`;
  } finally {
    await temporal.close();
  }
}

const { values } = parseArgs({ options: { local: { type: 'string' } } });
const config = findTemporal(values.local);
const problem = config ? await trigger(config) : NO_TEMPORAL;
if (problem !== '') {
  console.error(problem);
  process.exitCode = 1;
} else {
  console.log('The refresh has begun, unless one is running already.');
  const ui = findInstallation(['TEMPORAL_UI_URL'], values.local)?.TEMPORAL_UI_URL;
  if (ui) console.log(`See ${ui}/namespaces/${config?.TEMPORAL_NAMESPACE}/schedules/${REFRESH_SCHEDULE_ID}`);
}
