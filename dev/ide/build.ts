/**
 * `npm run build:ide`: the query page for production, in `dist/ide`, where a planner process looks for it. `--out DIR`
 * writes elsewhere.
 */
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../setup/resolve.mjs';
import { bundlePage } from './bundle.ts';

const { values } = parseArgs({ options: { out: { type: 'string', default: join(projectRoot, 'dist/ide') } } });
const directory = resolve(values.out);
await rm(directory, { recursive: true, force: true });
await bundlePage(directory);
process.stdout.write(`query page in ${directory}\n`);
