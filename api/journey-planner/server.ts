/**
 * The journey planner process: GraphQL, geocoder, query page. Entry of `node api/journey-planner/server.ts`; holds no state
 * but the snapshot in use, so any number may run.
 */
import { createTripPlanner } from '../../planner/index.ts';
import { runProcess } from '../../platform/process/run-process.ts';
import { readPlannerConfig } from './config.ts';
import { startPlanner } from './start-planner.ts';

await runProcess(async () => {
  const config = readPlannerConfig();
  return await startPlanner({ config, threads: createTripPlanner({ threads: config.PLANNER_THREADS }) });
});
