/**
 * The journey planner process: GraphQL, geocoder and query page. It is the entry of `node
 * api/journey-planner/server.ts`. It holds no state but the current snapshot, so any number of them may run.
 */
import { createTripPlanner } from '../../planner/index.ts';
import { runProcess } from '../../platform/process/run-process.ts';
import { readPlannerConfig } from './config.ts';
import { startPlanner } from './start-planner.ts';

await runProcess(async () => {
  const config = readPlannerConfig();
  return await startPlanner({ config, threads: createTripPlanner({ threads: config.PLANNER_THREADS }) });
});
