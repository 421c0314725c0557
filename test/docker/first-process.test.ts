/**
 * A process must end on a signal that comes before it has started. PID 1 of a container ignores signals without a
 * handler.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectRoot } from '../../dev/setup/resolve.mjs';

const MODULE = join(projectRoot, 'platform/process/run-process.ts');
const NEVER_STARTED = `import { runProcess } from ${JSON.stringify(MODULE)};
setInterval(() => {}, 1_000);
await runProcess(() => new Promise(() => process.stdout.write('starting')));`;

describe('a process that receives a signal while it starts', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`handles ${signal} itself, and exits with 0`, async () => {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', NEVER_STARTED]);
      await once(child.stdout, 'data');
      child.kill(signal);
      const [code, by] = (await once(child, 'exit')) as [number | null, string | null];
      assert.deepEqual({ code, by }, { code: 0, by: null });
    });
  }
});
