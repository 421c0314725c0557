/**
 * Loads the code of the service's processes and ends, so that Node stores the compiled code in NODE_COMPILE_CACHE. Node
 * does so only when a process ends by itself, and tests kill most processes. Processes with flags that change compiled
 * code (`--optimize-for-size`) cannot use it. Also makes the checked documents. Started by main.ts before the first test.
 */
import { AREAS } from '../../activities/areas.ts';
import { loadCompositions } from '../../api/shared/area-composition.ts';
import { makeDocuments } from '../../dev/contract/documents.ts';
import { rolesOf } from '../../platform/area.ts';

makeDocuments();
await Promise.all([
  import('../../api/auth/start-auth.ts'),
  import('../../api/shared/app.ts'),
  import('../../workers/shared/worker-process.ts'),
  import('../support/stack.ts'),
  // Modules that processes load when it is first used.
  import('ajv/dist/2020.js'),
  import('ajv-formats'),
  import('yaml'),
  import('../../netex/report/report-html.ts'),
  import('../../platform/object-store/object-store.ts'),
  import('../../workers/shared/queue-resources.ts'),
  import('../../workers/shared/start-worker.ts'),
  loadCompositions(AREAS),
  ...rolesOf(AREAS).map((role) => role.load()),
]);
// Some of these keep timers.
process.exit();
