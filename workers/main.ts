/**
 * The worker process: `node workers/main.ts ROLE…` runs the roles that it names, as the manifests describe them
 * (activities/<area>/area.ts). `light` stands for every role that may share a process. In production a role runs alone or
 * shares a process. Metrics, versions and health show each role either way.
 */
import { AREAS } from '../activities/areas.ts';
import { runProcess } from '../platform/process/run-process.ts';
import { chooseRoles } from './shared/choose-roles.ts';
import { startWorkers } from './shared/worker-process.ts';

await runProcess(async () => await startWorkers(chooseRoles(process.argv.slice(2), AREAS), AREAS));
