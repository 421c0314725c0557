/**
 * Runs as a lane of the test runner: a process that runs one test file after another with mocha. The runner sends each
 * file, and the lane answers with its result. It never chooses files. Servers of test/support/stack.ts stay up for the
 * later files of the lane.
 */
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { mochaGlobalTeardown } from '../support/hooks.ts';
import type { FileResult, LaneTask } from './messages.ts';

/** Ends what hangs, and is generous: a busy machine is many times slower. */
const TEST_TIMEOUT_MS = 240_000;

const { Base, Spec } = Mocha.reporters;

/** Prints the tests only, since the runner prints the counts of all lanes at the end. */
class FileReporter extends Spec {
  override epilogue(): void {}
}

let ended = false;
// The runner has ended; a watchdog ends the processes of this file.
process.on('disconnect', () => ended || process.exit(1));
process.on('message', async ({ file }: LaneTask) => {
  if (file === undefined) await end();
  else process.send?.(await runFile(file).catch(notLoaded));
});

async function runFile(file: string): Promise<FileResult> {
  const mocha = new Mocha({ timeout: TEST_TIMEOUT_MS, forbidOnly: true, reporter: FileReporter });
  mocha.addFile(join(projectRoot, file));
  await mocha.loadFilesAsync();
  const lines: string[] = [];
  const failed: Mocha.Test[] = [];
  Base.consoleLog = (...parts: unknown[]) => lines.push(format(...parts));
  const stats = await new Promise<Mocha.Stats | undefined>((resolve) => {
    const runner = mocha.run(() => resolve(runner.stats));
    runner.on('fail', (test) => failed.push(test));
  });
  removeMochaListeners();
  const text = lines.splice(0).join('\n');
  if (failed.length > 0) Base.list(failed);
  flushCompileCache();
  const { passes = 0, pending = 0 } = stats ?? {};
  const memoryBytes = process.memoryUsage.rss();
  return { passed: passes, failed: failed.length, skipped: pending, text, failures: lines.join('\n'), memoryBytes };
}

function notLoaded(error: Error): FileResult {
  const failures = `  The file cannot be loaded: ${error.stack}`;
  return { passed: 0, failed: 1, skipped: 0, text: '', failures, memoryBytes: process.memoryUsage.rss() };
}

/** Each run of mocha adds listeners and does not remove them. */
function removeMochaListeners(): void {
  for (const event of ['uncaughtException', 'unhandledRejection']) process.removeAllListeners(event);
}

async function end(): Promise<void> {
  ended = true;
  await mochaGlobalTeardown();
  process.disconnect();
}
