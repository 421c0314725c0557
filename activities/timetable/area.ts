/**
 * The manifest of the timetable area: uploads of NeTEx datasets, their validation and publication, and the journey
 * planner's snapshots.
 */
import { defineArea } from '../../platform/area.ts';
import {
  PLANNER_BUILD_QUEUE,
  TIMETABLE_QUEUE,
  TIMETABLE_VALIDATION_QUEUE,
} from '../../workflows/timetable/messages.ts';
import { CODESPACE, IMPORT_STATE } from '../../workflows/timetable/search-attributes.ts';
import { PLANNER_RATE_LIMITS } from '../shared/planner-rate-limits.ts';
import { PLANNER_POINTER, PLANNER_SNAPSHOTS } from '../shared/planner-snapshot.ts';
import { PUBLISHED_TIMETABLES, TIMETABLE } from '../shared/timetable.ts';
import { CODESPACES } from './codespace-store.ts';
import { IMPORTS } from './import-model.ts';
import { DIFFERENCES, PRIVATE_DATASETS, REPORTS, STOP_REGISTERS, UPLOADS, WORK } from './object-keys.ts';
import { PLANNER_BUILDS, PLANNER_NUMBERS } from './planner-build-model.ts';
import { PLANNER_JOURNEY_ROWS, PLANNER_NAME_ROWS } from './planner-journey-store.ts';
import { PublishedBuilds } from './reader/published-builds.ts';
import { TimetableRowsReader } from './reader/timetable-rows-reader.ts';
import { plannerBuildRoleShape, readerShape, timetableRoleShape, validationRoleShape } from './timetable-config.ts';
import { UPLOAD_QUOTAS } from './upload-quota-model.ts';

const ALL = ['find', 'insert', 'update', 'remove'] as const;
const BUILT = ['insert', 'remove'] as const;

export const timetableArea = defineArea({
  name: 'timetable',
  servedBy: 'api',
  collections: [
    {
      definition: CODESPACES,
      uses: { api: ALL, 'timetable-worker': ['find', 'remove'], 'planner-build-worker': ['find'] },
    },
    {
      definition: IMPORTS,
      outbox: true,
      uses: { api: ALL, 'timetable-worker': ['find', 'update', 'remove'], 'planner-build-worker': ['find'] },
    },
    { definition: UPLOAD_QUOTAS, uses: { api: ['find', 'insert', 'update'] } },
    { definition: PLANNER_BUILDS, uses: { 'planner-build-worker': ALL, 'timetable-worker': ['find'] } },
    { definition: PLANNER_NUMBERS, uses: { 'planner-build-worker': ['find', 'insert', 'update'] } },
    // The API process reads them for every area of sales; the worker of orders compares what is sold with each build.
    ...PLANNER_JOURNEY_ROWS.map((definition) => ({
      definition,
      uses: { 'planner-build-worker': BUILT, api: ['find'], 'sales-orders-worker': ['find'] } as const,
    })),
    ...PLANNER_NAME_ROWS.map((definition) => ({
      definition,
      uses: { 'planner-build-worker': BUILT, api: ['find'] } as const,
    })),
    {
      definition: PLANNER_POINTER,
      uses: {
        'planner-build-worker': ['find', 'insert', 'update'],
        'journey-planner': ['find'],
        api: ['find'],
        'sales-orders-worker': ['find'],
      },
    },
    { definition: PLANNER_RATE_LIMITS, uses: { 'journey-planner': ['find', 'insert', 'update'] } },
  ],
  objects: [
    {
      prefix: UPLOADS,
      uses: {
        api: ['get', 'put', 'delete'],
        'timetable-worker': ['get', 'delete'],
        'timetable-validation-worker': ['get'],
        'planner-build-worker': ['get'],
      },
    },
    {
      prefix: WORK,
      uses: {
        'timetable-worker': ['put', 'list', 'delete'],
        'timetable-validation-worker': ['get', 'put', 'list', 'delete'],
      },
    },
    {
      prefix: REPORTS,
      uses: { api: ['get'], 'timetable-worker': ['get', 'delete'], 'timetable-validation-worker': ['get', 'put'] },
    },
    {
      prefix: DIFFERENCES,
      uses: { api: ['get'], 'timetable-worker': ['delete'], 'timetable-validation-worker': ['get', 'put'] },
    },
    {
      prefix: STOP_REGISTERS,
      uses: {
        'timetable-worker': ['list', 'delete'],
        'timetable-validation-worker': ['get', 'put'],
        'planner-build-worker': ['get', 'put'],
      },
    },
    {
      prefix: PRIVATE_DATASETS,
      uses: {
        api: ['get'],
        'timetable-worker': ['get', 'list', 'delete'],
        'timetable-validation-worker': ['get', 'put', 'delete'],
      },
    },
    {
      prefix: PLANNER_SNAPSHOTS,
      uses: { 'planner-build-worker': ['get', 'put', 'delete'], 'journey-planner': ['get'] },
    },
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
  provide: ({ mongo, readConfig }, interfaces) => {
    const publicKeys = () => readConfig(readerShape).PLANNER_PUBLIC_KEYS;
    interfaces.provide(TIMETABLE, new TimetableRowsReader(mongo, { publicKeys }));
    interfaces.provide(PUBLISHED_TIMETABLES, new PublishedBuilds(mongo, { publicKeys }));
  },
});
