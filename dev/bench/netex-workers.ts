/**
 * Measures the gain of a second validation worker: `npm run bench:netex-workers -- [factor] [rounds]`. One worker and
 * then two import the demo timetable, repeated to a large archive. Each is bound to a core of its own, as in production
 * with one worker a core. The servers share these cores, so on two cores the second worker cannot bring its whole gain.
 * Linux only.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { variantOf } from '../../test/failure/kill-runs.ts';
import { type PartName, Service } from '../../test/support/service.ts';
import type { TimetableClient } from '../demo/api-client.ts';
import { generateDemo } from '../demo/generate.ts';
import { grantCodespace, type ImportFigures, importArchive } from './archives.ts';
import { peakMegabytes } from './memory.ts';

const [factor = '20', rounds = '2'] = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), 'samferd-bench-'));
const date = new Date().toISOString().slice(0, 10);

async function measure(client: TimetableClient, path: string, name: string): Promise<ImportFigures> {
  const copy = join(directory, 'copy.zip');
  writeFileSync(copy, variantOf(readFileSync(path), name));
  const figures = await importArchive(client, 'dem', copy);
  const steps = Object.entries(figures.stepSeconds).map(([step, seconds]) => `${step} ${seconds.toFixed(1)}`);
  console.log(
    `${name}: ${figures.megabytes.toFixed(0)} MB, all ${figures.allSeconds.toFixed(1)} s (${steps.join(', ')})`,
  );
  return figures;
}

function partOf(worker: number): PartName {
  return worker === 1 ? 'timetableValidationWorker' : `timetableValidationWorker-${worker}`;
}

async function run(
  workers: number,
  large: { stopRegister: string; timetable: string },
  small: string,
): Promise<number> {
  const service = await Service.start({ validationWorkers: workers });
  try {
    for (let worker = 1; worker <= workers; worker++) {
      spawnSync('taskset', ['-acp', String(worker % 2), String(service.pid(partOf(worker)))]);
    }
    const client = await service.client();
    await grantCodespace(client, 'nsr');
    await grantCodespace(client, 'dem');
    await importArchive(client, 'nsr', large.stopRegister);
    await measure(client, small, `${workers} workers, warming up`);
    let best = Number.POSITIVE_INFINITY;
    for (let round = 1; round <= Number(rounds); round++) {
      const figures = await measure(client, large.timetable, `${workers} workers, round ${round}`);
      best = Math.min(best, figures.stepSeconds.VALIDATION ?? Number.NaN);
    }
    for (let worker = 1; worker <= workers; worker++) {
      console.log(`${partOf(worker)}: peak ${peakMegabytes(service.pid(partOf(worker)))} MB`);
    }
    return best;
  } finally {
    await service.stop();
  }
}

try {
  const large = await generateDemo({ date, directory, factor: Number(factor) });
  const { timetable: small } = await generateDemo({ date, directory, factor: 3 });
  const one = await run(1, large, small);
  const two = await run(2, large, small);
  console.log(
    `VALIDATION: ${one.toFixed(1)} s with one worker, ${two.toFixed(1)} s with two: ${(one / two).toFixed(2)} times`,
  );
} finally {
  rmSync(directory, { recursive: true, force: true });
}
