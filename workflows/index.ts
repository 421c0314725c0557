/** Every workflow: the entry of the bundle that workers load. */
export { datasetImport } from './timetable/dataset-import.workflow.ts';
export { datasetRefresh } from './timetable/dataset-refresh.workflow.ts';
export { plannerBuild } from './timetable/planner-build.workflow.ts';
