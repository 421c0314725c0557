/**
 * `npm run demo-data -- --date 2026-11-21 --factor 1 --out folder`: writes the two demo archives and prints their
 * paths.
 */
import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { generateDemo } from './generate.ts';
import { todayInOslo } from './service-days.ts';

const { values } = parseArgs({
  options: {
    date: { type: 'string', default: todayInOslo(new Date()) },
    factor: { type: 'string', default: '1' },
    out: { type: 'string', default: '.local/demo' },
  },
});

try {
  const startedAt = performance.now();
  const data = await generateDemo({ date: values.date, factor: Number(values.factor), directory: values.out });
  for (const path of [data.stopRegister, data.timetable]) {
    console.log(`${path}  ${((await stat(path)).size / 1e6).toFixed(1)} MB`);
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`Runs from ${data.firstDay} to ${data.lastDay}; made in ${seconds} s`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
