/** The authentication server in a process of its own. Entry of `node api/auth/server.ts`. */
import { parseConfig } from '../../platform/config.ts';
import { runProcess } from '../../platform/process/run-process.ts';
import { startAuth } from './start-auth.ts';

await runProcess(() => startAuth((shape) => parseConfig(shape)));
