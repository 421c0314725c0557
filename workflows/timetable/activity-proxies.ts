/** The activities as workflow code calls them: queues, time limits, retries. Callers: the workflows of this folder. */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { DatasetActivities, ImportRecords, PrivateDatasetActivities, ValidationActivities } from './activities.ts';
import { PLANNER_BUILD_QUEUE, TIMETABLE_QUEUE, TIMETABLE_VALIDATION_QUEUE } from './messages.ts';
import type { PlannerBuildActivities, PlannerBuildRecords, PlannerStepRecords } from './planner-build-activities.ts';

/** Failures of servers are retried without end; what retrying cannot cure, the activity itself declares final. */
const retry = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' } as const;

// Heartbeats, not the long time limit, tell that a worker died: another goes on 5 s later. The limit is more than the
// largest file may take.
const long = { startToCloseTimeout: '2h', heartbeatTimeout: '5s', retry } as const;

const short = { startToCloseTimeout: '10s', localRetryThreshold: '10s', retry } as const;

export const records = proxyLocalActivities<ImportRecords>(short);
export const plannerStep = proxyLocalActivities<PlannerStepRecords>(short);
export const buildRecords = proxyLocalActivities<PlannerBuildRecords>(short);

export const dataset = proxyActivities<DatasetActivities & PrivateDatasetActivities>({
  taskQueue: TIMETABLE_QUEUE,
  ...long,
});

export type ValidationProxy = ReturnType<typeof proxyActivities<ValidationActivities>>;

/** Somebody waits for the verdict on an upload. */
export const validation = proxyActivities<ValidationActivities>({ taskQueue: TIMETABLE_VALIDATION_QUEUE, ...long });

/** For datasets that are published already: where the server knows priorities, uploads go first. */
export const patientValidation = proxyActivities<ValidationActivities>({
  taskQueue: TIMETABLE_VALIDATION_QUEUE,
  ...long,
  priority: { priorityKey: 4 },
});

export const planner = proxyActivities<PlannerBuildActivities>({ taskQueue: PLANNER_BUILD_QUEUE, ...long });
