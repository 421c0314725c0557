/** The payment provider simulator in a process of its own. Started by `npm start` and by tests. */
import { parseConfig } from '../../platform/config.ts';
import { runProcess } from '../../platform/process/run-process.ts';
import { startSimulator } from './start-simulator.ts';

await runProcess(() => startSimulator((shape) => parseConfig(shape)));
