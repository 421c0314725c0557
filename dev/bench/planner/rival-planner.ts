/**
 * Runs the rival planner beside ours, with its own script (`rivals/opentripplanner/rival.sh` of SHARED_DIR). The script
 * fetches the planner, builds the graph of a feed, and serves it on loopback. It also fetches Java, and needs `mvn`,
 * `pip`, `curl` and `bc`.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { sharedFolder } from '../archives.ts';

const run = promisify(execFile);

export interface RivalPlanner {
  readonly url: string;
  readonly pid: number;
  readonly readySeconds: number;
  stop(): Promise<void>;
}

/** @param directory where the graph is built; the feeds are copied there */
export async function startRivalPlanner(
  directory: string,
  feeds: readonly string[],
  port: number,
): Promise<RivalPlanner> {
  const script = join(sharedFolder, 'rivals/opentripplanner/rival.sh');
  const env = { ...process.env, PORT: String(port) };
  const call = (...words: string[]) => run('bash', [script, ...words], { env, maxBuffer: 1 << 24 });
  mkdirSync(directory, { recursive: true });
  for (const feed of feeds) copyFileSync(feed, join(directory, basename(feed)));
  await call('get');
  await call('build', directory);
  const { stdout } = await call('serve', directory);
  return {
    url: `http://127.0.0.1:${port}/otp/transmodel/v3`,
    pid: Number(readFileSync(join(directory, 'otp.pid'), 'utf8')),
    readySeconds: Number(/ready after ([\d.]+) s/.exec(stdout)?.[1] ?? Number.NaN),
    stop: async () => {
      await call('stop', directory);
    },
  };
}
