/**
 * `npm run test:kill-workers [-- rounds]`: two workers of every role under load. Each round (3 by default) kills one of
 * every role and starts it again. Fails when a request fails, an import does not end OK, or a workflow stays open.
 */
import { readFileSync } from 'node:fs';
import { useDemoData } from '../support/demo-dataset.ts';
import { Service } from '../support/service.ts';
import { stopServers } from '../support/stack.ts';
import { ROLES, TwoWorkers } from './two-workers.ts';
import { WorkerBuilds } from './worker-builds.ts';

const [rounds = 3] = process.argv.slice(2).map(Number);
const service = await Service.start({
  planner: true,
  processes: ROLES,
});
const builds = new WorkerBuilds(service, readFileSync((await useDemoData()).timetable));
try {
  await builds.prepare();
  const two = new TwoWorkers(service, builds, 'OK');
  await two.startTwins(ROLES);
  const { failures, requests, imports, kills } = await two.run(rounds, rounds);
  for (const failure of failures) console.log(`FAIL ${failure}`);
  console.log(
    `${kills} kills, ${requests} requests, ${imports} imports, every workflow ended, ${failures.length} failed`,
  );
  process.exitCode = failures.length > 0 ? 1 : 0;
} finally {
  await builds.close();
  await service.stop();
  await stopServers();
}
