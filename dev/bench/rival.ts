/**
 * Runs the public Java validator beside ours. It is not part of this project: it runs where `java` is and its classes are
 * (RIVAL_DIR, or SHARED_DIR/rivals/netex-validator, with `classes` and `cp.txt`). Callers: the benchmarks.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedFolder } from './archives.ts';
import { peakMegabytes } from './memory.ts';

export interface RivalRun {
  /** Unpacked megabytes a second of the last round. */
  readonly rate: number;
  readonly peakMegabytes: number;
  /** Findings by code, of the last round. */
  readonly findings: ReadonlyMap<string, number>;
}

export interface RivalOptions {
  readonly archive: string;
  readonly codespace: string;
  readonly schemaOnly: boolean;
  /** The one core it may use. */
  readonly core: string;
  readonly rounds: number;
}

const LOOK_MS = 500;

/** Undefined where it cannot run. */
export async function runRival(options: RivalOptions): Promise<RivalRun | undefined> {
  const folder = process.env.RIVAL_DIR ?? join(sharedFolder, 'rivals/netex-validator');
  if (!existsSync(join(folder, 'cp.txt')) || !existsSync(join(folder, 'classes'))) return undefined;
  const classPath = `${join(folder, 'classes')}:${readFileSync(join(folder, 'cp.txt'), 'utf8').trim()}`;
  const settings = ['-Xmx6g', '-Dthreads=1', `-Drounds=${options.rounds}`, `-Dschemaonly=${options.schemaOnly}`];
  const java = ['java', ...settings, '-cp', classPath, 'rival.Rival'];
  const child = spawn('taskset', ['-c', options.core, ...java, options.codespace, '/dev/null', options.archive]);
  let [output, peak] = ['', 0];
  child.stdout.on('data', (text) => {
    output += text;
  });
  const timer = setInterval(() => {
    peak = Math.max(peak, peakMegabytes(child.pid ?? 0) ?? 0);
  }, LOOK_MS);
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(-1));
    child.once('close', resolve);
  });
  clearInterval(timer);
  const last = [...output.matchAll(/MB\/s=([\d.]+) findings=\{(.*)\}/g)].at(-1);
  if (code !== 0 || !last) return undefined;
  return { rate: Number(last[1]), peakMegabytes: peak, findings: readFindings(last[2] ?? '') };
}

/** `ERROR NETEX_ID_5=124, INFO …`. */
function readFindings(text: string): Map<string, number> {
  const found = [...text.matchAll(/\w+ (\w+)=(\d+)/g)];
  return new Map(found.map(([, code = '', count]) => [code, Number(count)]));
}
