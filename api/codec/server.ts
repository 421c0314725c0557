/** The payload codec server in a process of its own. Entry of `node api/codec/server.ts`. */
import { parseConfig } from '../../platform/config.ts';
import { runProcess } from '../../platform/process/run-process.ts';
import { startCodec } from './start-codec.ts';

await runProcess(() => startCodec((shape) => parseConfig(shape)));
