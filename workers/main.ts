/**
 * The worker process: `node workers/main.ts ROLE…` runs the roles that it names, as the manifests describe them
 * (activities/<area>/area.ts). `light` means all roles that may share a process. In production each role runs alone or
 * shared; metrics, versions and health name the roles in both cases.
 */
import { AREAS } from '../activities/areas.ts';
import { runProcess } from '../platform/process/run-process.ts';
import { chooseRoles } from './shared/choose-roles.ts';
import { startWorkers } from './shared/worker-process.ts';

await runProcess(async () => await startWorkers(chooseRoles(process.argv.slice(2), AREAS), AREAS));
