/**
 * Validation speed and memory of the running service beside the Java validator, same machine, same run, one core each, both
 * warm: `npm run bench:netex -- [archive.zip] [codespace] [rounds]`.
 *
 * Ours is the whole service: upload, classification, schema, rules, report, with one validation worker pinned to one core.
 * The rival runs where Java and its classes are (RIVAL_DIR, or SHARED_DIR/rivals/netex-validator with `classes` and
 * `cp.txt`). Never fails on a figure: it prints them. Linux only.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { variantOf } from '../../test/failure/kill-matrix.ts';
import { Service } from '../../test/support/service.ts';
import type { TimetableClient } from '../demo/api-client.ts';
import { projectRoot } from '../setup/resolve.mjs';

const CORE = '1';
const LOOK_MS = 100;

interface Round {
  readonly megabytes: number;
  readonly seconds: number;
  /** From the receipt to the end. */
  readonly allSeconds: number;
  readonly findings: string;
}

async function importOnce(client: TimetableClient, codespace: string, path: string): Promise<Round> {
  const begun = performance.now();
  const correlationId = await client.upload(codespace, path);
  while ((await client.status(codespace, correlationId)).state === 'IN_PROGRESS') await delay(LOOK_MS);
  const allSeconds = (performance.now() - begun) / 1000;
  const events = await client.events(codespace, correlationId);
  const of = (action: string) => events.find((event) => event.action === action);
  const { findingsPerRule } = await client.report(codespace, correlationId);
  return {
    megabytes: Number(of('FILE_CLASSIFICATION')?.details?.unpackedBytes) / 1e6,
    seconds: (of('VALIDATION')?.durationMs ?? Number.NaN) / 1000,
    allSeconds,
    findings: JSON.stringify(findingsPerRule),
  };
}

function peakMegabytes(pid: number): number {
  const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round((Number(line?.[1]) * 1024) / 1e6);
}

/** Megabytes a second of its last round, or undefined where it cannot run. */
function rivalRate(archive: string, codespace: string, options: readonly string[]): number | undefined {
  const shared = resolve(projectRoot, process.env.SHARED_DIR ?? '../shared');
  const folder = process.env.RIVAL_DIR ?? join(shared, 'rivals/netex-validator');
  if (!existsSync(join(folder, 'cp.txt')) || !existsSync(join(folder, 'classes'))) return undefined;
  const classPath = `${join(folder, 'classes')}:${readFileSync(join(folder, 'cp.txt'), 'utf8').trim()}`;
  const java = ['java', '-Xmx6g', '-Dthreads=1', '-Drounds=2', ...options, '-cp', classPath, 'rival.Rival', codespace];
  const { stdout } = spawnSync('taskset', ['-c', CORE, ...java, '/dev/null', archive], { encoding: 'utf8' });
  process.stdout.write(stdout.replace(/ findings=.*/g, ''));
  const rate = [...stdout.matchAll(/MB\/s=([\d.]+)/g)].at(-1)?.[1];
  return rate === undefined ? undefined : Number(rate);
}

async function main([archive = '', codespace = 'rut', rounds = '3']: readonly string[]): Promise<void> {
  const shared = resolve(projectRoot, process.env.SHARED_DIR ?? '../shared');
  const path = archive === '' ? join(shared, 'netex/data/entur__marduk/AOR.zip') : archive;
  const directory = await mkdtemp(join(tmpdir(), 'samferd-bench-'));
  const service = await Service.start();
  let best = 0;
  try {
    const client = await service.client();
    await client.putCodespace(codespace, {
      ...{ name: codespace, xmlns: codespace.toUpperCase(), allowedXmlns: ['NSR', 'PEN'] },
      ...{ profile: 'timetable', ownerOrganisationId: 1 },
    });
    const worker = service.pid('validation');
    spawnSync('taskset', ['-acp', CORE, String(worker)]);
    for (let round = 0; round <= Number(rounds); round += 1) {
      const copy = join(directory, `round-${round}.zip`);
      writeFileSync(copy, variantOf(readFileSync(path), `round ${round}`));
      const { megabytes, seconds, allSeconds, findings } = await importOnce(client, codespace, copy);
      const rate = megabytes / seconds;
      if (round > 0) best = Math.max(best, rate);
      const warm = round === 0 ? 'cold' : 'warm';
      const figures = `VALIDATION ${seconds.toFixed(2)} s, all ${allSeconds.toFixed(2)} s, ${rate.toFixed(1)} MB/s`;
      console.log(`${warm}: ${megabytes.toFixed(1)} MB, ${figures}, worker peak ${peakMegabytes(worker)} MB`);
      if (round === 0) console.log(`findings ${findings}`);
    }
  } finally {
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  }
  for (const [name, options] of [
    ['rival, schema only', ['-Dschemaonly=true']],
    ['rival, all it has', []],
  ] as const) {
    const rate = rivalRate(path, codespace, options);
    if (rate === undefined) console.log(`${name}: not there`);
    else console.log(`${name}: ${rate} MB/s; ours, all of it: ${(best / rate).toFixed(1)} times`);
  }
}

await main(process.argv.slice(2));
