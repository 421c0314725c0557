/**
 * `npm run demo-data -- --date 2026-11-21 --factor 1 --out folder`: writes the two demo archives and prints their
 * paths. `--lines 301,302` writes these lines alone, `--codespace abc` under this codespace.
 */
import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { generateDemo } from './generate.ts';
import { todayInOslo } from './service-days.ts';

const { values } = parseArgs({
  options: {
    date: { type: 'string', default: todayInOslo(new Date()) },
    factor: { type: 'string', default: '1' },
    lines: { type: 'string' },
    codespace: { type: 'string' },
    out: { type: 'string', default: '.local/demo' },
  },
});

try {
  const startedAt = performance.now();
  const { date, factor, lines, codespace, out: directory } = values;
  const chosen = { ...(lines && { lines: lines.split(',').map(Number) }), ...(codespace && { codespace }) };
  const data = await generateDemo({ date, factor: Number(factor), directory, ...chosen });
  for (const path of [data.stopRegister, data.timetable]) {
    console.log(`${path}  ${((await stat(path)).size / 1e6).toFixed(2)} MB`);
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`Runs from ${data.firstDay} to ${data.lastDay}; made in ${seconds} s`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
