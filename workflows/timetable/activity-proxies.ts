/** The activities as workflow code calls them. Callers: the workflows of this folder. */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import { long, SHORT_LOCAL } from '../shared/activity-options.ts';
import type { DatasetActivities, ImportRecords, PrivateDatasetActivities, ValidationActivities } from './activities.ts';
import type { ComparisonActivities, ComparisonRecords } from './comparison-activities.ts';
import { PLANNER_BUILD_QUEUE, TIMETABLE_QUEUE, TIMETABLE_VALIDATION_QUEUE } from './messages.ts';
import type { PlannerBuildActivities, PlannerBuildRecords, PlannerStepRecords } from './planner-build-activities.ts';

export const records = proxyLocalActivities<ImportRecords>(SHORT_LOCAL);
export const plannerStep = proxyLocalActivities<PlannerStepRecords>(SHORT_LOCAL);
export const comparisonRecords = proxyLocalActivities<ComparisonRecords>(SHORT_LOCAL);
export const buildRecords = proxyLocalActivities<PlannerBuildRecords>(SHORT_LOCAL);

export const dataset = proxyActivities<DatasetActivities & PrivateDatasetActivities>(long(TIMETABLE_QUEUE, '2h'));

export type ValidationProxy = ReturnType<typeof proxyActivities<ValidationActivities>>;

/** For uploads: an operator waits for the verdict. */
export const validation = proxyActivities<ValidationActivities>(long(TIMETABLE_VALIDATION_QUEUE, '2h'));

/** For datasets that are published already. Servers that know priorities let uploads go first. */
export const patientValidation = proxyActivities<ValidationActivities>({
  ...long(TIMETABLE_VALIDATION_QUEUE, '2h'),
  priority: { priorityKey: 4 },
});

/** Nobody waits for it but its import, and that for an hour at most. Uploads and private datasets go first. */
export const comparison = proxyActivities<ComparisonActivities>({
  ...long(TIMETABLE_VALIDATION_QUEUE, '2h'),
  scheduleToCloseTimeout: '1h',
  priority: { priorityKey: 5 },
});

export const planner = proxyActivities<PlannerBuildActivities>(long(PLANNER_BUILD_QUEUE, '2h'));
