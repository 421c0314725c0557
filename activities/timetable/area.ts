/** The manifest of the timetable area: uploads of NeTEx datasets, their validation and publication, and the journey planner's snapshots. */
import { defineArea } from '../../platform/area.ts';
import {
  PLANNER_BUILD_QUEUE,
  TIMETABLE_QUEUE,
  TIMETABLE_VALIDATION_QUEUE,
} from '../../workflows/timetable/messages.ts';
import { CODESPACE, IMPORT_STATE } from '../../workflows/timetable/search-attributes.ts';
import { PLANNER_RATE_LIMITS } from '../shared/planner-rate-limits.ts';
import { PLANNER_POINTER } from '../shared/planner-snapshot.ts';
import { CODESPACES } from './codespace-store.ts';
import { IMPORTS } from './import-model.ts';
import { PLANNER_BUILDS, PLANNER_NUMBERS } from './planner-build-model.ts';
import { PLANNER_JOURNEYS, PLANNER_PATTERNS } from './planner-journey-store.ts';
import { plannerBuildRoleShape, timetableRoleShape, validationRoleShape } from './timetable-config.ts';

export const timetableArea = defineArea({
  name: 'timetable',
  servedBy: 'api',
  collections: [
    { definition: CODESPACES },
    { definition: IMPORTS, outbox: true },
    { definition: PLANNER_BUILDS },
    { definition: PLANNER_NUMBERS },
    { definition: PLANNER_JOURNEYS },
    { definition: PLANNER_PATTERNS },
    { definition: PLANNER_POINTER },
    { definition: PLANNER_RATE_LIMITS },
  ],
  topics: [{ name: 'timetable-dataset-events', key: 'codespace', events: ['DatasetPublished'] }],
  searchAttributes: [CODESPACE, IMPORT_STATE],
  roles: [
    {
      name: 'timetable-worker',
      title: 'Timetable worker',
      port: 9101,
      weight: 'light',
      config: timetableRoleShape,
      queue: TIMETABLE_QUEUE,
      workflows: ['datasetImport', 'datasetRefresh'],
      versioning: 'PINNED',
      cachedWorkflows: 200,
      // They wait for the object store more than for the processor.
      activitiesAtOnce: 4,
      load: async () => (await import('./timetable-role.ts')).timetableRole,
    },
    {
      name: 'timetable-validation-worker',
      title: 'Validation worker',
      port: 9102,
      weight: 'heavy',
      config: validationRoleShape,
      queue: TIMETABLE_VALIDATION_QUEUE,
      workflows: [],
      activitiesAtOnce: 1,
      load: async () => (await import('./validation-role.ts')).validationRole,
    },
    {
      name: 'planner-build-worker',
      title: 'Planner worker',
      port: 9103,
      weight: 'heavy',
      config: plannerBuildRoleShape,
      queue: PLANNER_BUILD_QUEUE,
      workflows: ['plannerBuild'],
      versioning: 'PINNED',
      cachedWorkflows: 10,
      // One build, and the activities that wake imports and remove old snapshots.
      activitiesAtOnce: 2,
      load: async () => (await import('./planner-build-role.ts')).plannerBuildRole,
    },
  ],
  dashboardRows: ['Timetables', 'Journey planner'],
});
