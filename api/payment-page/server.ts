/** The server of the customers' payment pages in a process of its own. Entry of `node api/payment-page/server.ts`. */
import { parseConfig } from '../../platform/config.ts';
import { runProcess } from '../../platform/process/run-process.ts';
import { startPages } from './start-pages.ts';

await runProcess(() => startPages((shape) => parseConfig(shape)));
