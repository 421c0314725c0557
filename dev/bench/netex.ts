/**
 * Compares validation speed and memory of the running service with the Java validator, and with the least that any
 * validation must do: `npm run bench:netex -- [archive.zip] [codespace] [rounds]`. All use the same machine, the same
 * run and one core each, and all are warm.
 *
 * Ours is the whole service with one validation worker bound to one core; the rate is that of its VALIDATION step: schema,
 * every rule, report. First it says whether both found the same. Never fails on a figure: it prints them. Linux only.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ruleCatalogue } from '../../netex/rules/catalogue.ts';
import { variantOf } from '../../test/failure/kill-runs.ts';
import { comparedCodes } from '../../test/netex/support/compared-codes.ts';
import { readTsv } from '../../test/netex/support/expected-findings.ts';
import { Service } from '../../test/support/service.ts';
import { projectRoot } from '../setup/resolve.mjs';
import { AOR, grantCodespace, type ImportFigures, importArchive } from './archives.ts';
import { peakMegabytes } from './memory.ts';
import { type RivalRun, runRival } from './rival.ts';

const CORE = '1';

interface Ours {
  readonly best: ImportFigures;
  readonly cold: ImportFigures;
  readonly peakMegabytes: number;
}

async function measureOurs(path: string, codespace: string, rounds: number): Promise<Ours> {
  const directory = mkdtempSync(join(tmpdir(), 'samferd-bench-'));
  const service = await Service.start();
  const done: ImportFigures[] = [];
  try {
    const client = await service.client();
    await grantCodespace(client, codespace);
    const worker = service.pid('timetableValidationWorker');
    spawnSync('taskset', ['-acp', CORE, String(worker)]);
    for (let round = 0; round <= rounds; round++) {
      const copy = join(directory, `round-${round}.zip`);
      writeFileSync(copy, variantOf(readFileSync(path), `round ${round}`));
      const figures = await importArchive(client, codespace, copy);
      done.push(figures);
      const { megabytes, stepSeconds, allSeconds } = figures;
      const steps = Object.entries(stepSeconds).map(([step, seconds]) => `${step} ${seconds.toFixed(2)}`);
      console.log(
        `${round === 0 ? 'cold' : 'warm'}: ${megabytes.toFixed(1)} MB, all ${allSeconds.toFixed(2)} s (${steps.join(', ')})`,
      );
    }
    const [cold, ...warm] = done;
    if (!cold) throw new Error('No round was run');
    const [best = cold] = warm.toSorted((a, b) => validation(a) - validation(b));
    return { best, cold, peakMegabytes: peakMegabytes(worker) ?? Number.NaN };
  } finally {
    await service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

function validation({ stepSeconds }: ImportFigures): number {
  return stepSeconds.VALIDATION ?? Number.NaN;
}

function measureFloor(path: string): { megabytesPerSecond: number; peakMegabytes: number } {
  const script = join(projectRoot, 'dev/bench/netex-floor.ts');
  const { stdout } = spawnSync('taskset', ['-c', CORE, process.execPath, script, path], { encoding: 'utf8' });
  return JSON.parse(stdout) as { megabytesPerSecond: number; peakMegabytes: number };
}

/**
 * Compares the codes that both run. The reference words one schema defect as one or two, so for those codes only their
 * presence counts.
 */
function compareFindings(archive: string, ours: Readonly<Record<string, number>>, rival: RivalRun | undefined): string {
  if (!rival) return 'The Java validator is not here: nothing to compare with.';
  const count = (code: string, counts: number): number => (code === 'XML_SCHEMA_ERROR' ? Math.sign(counts) : counts);
  const meant: string[] = [];
  const differing = [...comparedCodes].flatMap((code) => {
    const [a, b] = [count(code, ours[code] ?? 0), count(code, rival.findings.get(code) ?? 0)];
    if (a === b) return [];
    const difference = `${code} ours ${a}, rival ${b}`;
    if (a - b !== differenceMeant(archive, code)) return [difference];
    meant.push(difference);
    return [];
  });
  const common = [...comparedCodes].filter((code) => ours[code] !== undefined && rival.findings.has(code)).length;
  const both = `${comparedCodes.size} codes that both know, ${common} of them found`;
  const known = meant.length === 0 ? '' : `; meant, with the reason in expected-differences.tsv: ${meant.join('; ')}`;
  return differing.length === 0
    ? `Same findings (${both}${known}).`
    : `Findings differ (${both}): ${differing.join('; ')}`;
}

/** By how many of that code ours are more than the rival's for a reason. */
function differenceMeant(archive: string, code: string): number {
  const rows = readTsv(join(projectRoot, 'test/netex/expected-differences.tsv'));
  const ofArchive = rows.filter((row) => archive.endsWith(row.file ?? '') && row.code === code);
  return ofArchive.reduce((sum, row) => sum + Number(row.ours) - Number(row.expected), 0);
}

function printTable(
  rows: ReadonlyArray<readonly [string, number | undefined, number | undefined]>,
  ours: number,
): void {
  console.log(
    `\n${'one core each, warm'.padEnd(58)} ${'MB/s'.padStart(8)} ${'ours is'.padStart(12)} ${'peak MB'.padStart(8)}`,
  );
  for (const [name, rate, peak] of rows) {
    const ratio =
      rate === undefined ? '' : rate >= ours ? `1/${(rate / ours).toFixed(1)}` : `${(ours / rate).toFixed(1)} times`;
    const cells = [rate?.toFixed(2) ?? '–', ratio, peak?.toFixed(0) ?? '–'] as const;
    console.log(`${name.padEnd(58)} ${cells[0].padStart(8)} ${cells[1].padStart(12)} ${cells[2].padStart(8)}`);
  }
}

async function main([archive = '', codespace = 'rut', rounds = '4']: readonly string[]): Promise<void> {
  const path = archive === '' ? AOR : archive;
  const { best, cold, peakMegabytes: peak } = await measureOurs(path, codespace, Number(rounds));
  const floor = measureFloor(path);
  const rival = { archive: path, codespace, core: CORE, rounds: 2 };
  const all = await runRival({ ...rival, schemaOnly: false });
  const schemaOnly = await runRival({ ...rival, schemaOnly: true });
  const rate = best.megabytes / validation(best);
  console.log(`\n${compareFindings(path, best.findingsPerRule, all)}`);
  printTable(
    [
      ['floor: unpack and parse, nobody listening', floor.megabytesPerSecond, floor.peakMegabytes],
      [`ours: VALIDATION with ${ruleCatalogue.length} rules`, rate, peak],
      ['ours: from the receipt to the end', best.megabytes / best.allSeconds, undefined],
      ['ours: first import of a fresh worker', cold.megabytes / validation(cold), undefined],
      ['rival: schema, structure, ids, references', all?.rate, all?.peakMegabytes],
      ['rival: schema only', schemaOnly?.rate, schemaOnly?.peakMegabytes],
    ],
    rate,
  );
}

await main(process.argv.slice(2));
