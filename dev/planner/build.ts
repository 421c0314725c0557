/**
 * `npm run build:planner`: the journey planner's process for production, in `dist/planner/server.mjs`. `--out DIR`
 * writes elsewhere.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../setup/resolve.mjs';
import { bundlePlanner } from './bundle.ts';

const { values } = parseArgs({ options: { out: { type: 'string', default: join(projectRoot, 'dist/planner') } } });
await bundlePlanner(values.out);
process.stdout.write(`journey planner in ${values.out}\n`);
