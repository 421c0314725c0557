/**
 * Nothing of `npm start` may run ten seconds after its end, for any cause of the end. The tests use real npm and a small stack.
 * The script is that of package.json with another program, so a script that lost its `exec` fails here.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findOnPath, projectRoot } from '../../dev/setup/resolve.mjs';
import { findStartTime } from '../../dev/stack/process-table.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { until } from '../support/until.ts';

const LIMIT_MS = 10_000;
const PROGRAMS = {
  start: { script: 'dev/start.ts', program: 'test/support/small-stack.ts' },
  prestart: { script: 'dev/setup/main.mjs', program: 'test/support/small-set-up.mjs' },
} as const;

interface Tree {
  readonly npm: ChildProcess;
  /** The program that npm runs. */
  readonly program: number;
  readonly processes: readonly (readonly [pid: number, startedAt: string])[];
}

/** A package whose script `start` is the project's own `stage` with the small program. */
function makePackage(stage: keyof typeof PROGRAMS): string {
  const folder = temporaryDirectory('npm-start');
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const { script, program } = PROGRAMS[stage];
  const start = `${scripts[stage].replace(script, join(projectRoot, program))} ${folder}`;
  assert.ok(start.includes(program), scripts[stage]);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { start } }));
  return folder;
}

async function startTree(stage: keyof typeof PROGRAMS, inTerminal: boolean): Promise<Tree> {
  const command = inTerminal ? ['script', '-qec', 'npm start', '/dev/null'] : ['npm', 'start'];
  const npm = spawn(command[0] ?? '', command.slice(1), {
    cwd: makePackage(stage),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const printed: string[] = [];
  for await (const line of createInterface({ input: npm.stdout })) {
    printed.push(line);
    if (!line.startsWith('{"pids"')) continue;
    const pids = (JSON.parse(line) as { pids: number[] }).pids;
    const processes = [npm.pid ?? 0, ...pids].map((pid) => [pid, findStartTime(pid) ?? ''] as const);
    assert.ok(processes.every(([, startedAt]) => startedAt !== ''));
    npm.stdout.resume();
    return { npm, program: pids[0] ?? 0, processes };
  }
  throw new Error(`npm start ended by itself, after:\n${printed.join('\n')}`);
}

const listLiving = ({ processes }: Tree): number[] =>
  processes.flatMap(([pid, startedAt]) => (findStartTime(pid) === startedAt ? [pid] : []));

describe('npm start ends with everything it has started', () => {
  const endings: readonly [string, boolean, (tree: Tree) => unknown][] = [
    ['npm gets SIGTERM', false, ({ npm }) => npm.kill('SIGTERM')],
    ['npm is killed', false, ({ npm }) => npm.kill('SIGKILL')],
    ['its program gets SIGTERM', false, ({ program }) => process.kill(program, 'SIGTERM')],
    ['its program is killed', false, ({ program }) => process.kill(program, 'SIGKILL')],
    ['the terminal is closed', true, ({ npm }) => npm.kill('SIGKILL')],
    ['Ctrl-C is pressed', true, ({ npm }) => npm.stdin?.write('\x03')],
  ];
  for (const stage of ['start', 'prestart'] as const) {
    for (const [what, inTerminal, end] of endings) {
      // A killed set-up cannot end its tools; they fail by themselves at their next write.
      if (stage === 'prestart' && what === 'its program is killed') continue;
      it(`when ${what}, in ${stage}`, async function () {
        if (inTerminal && findOnPath('script') === undefined) return this.skip();
        const tree = await startTree(stage, inTerminal);
        const closed = once(tree.npm, 'close');
        const endedAt = performance.now();
        end(tree);
        await until(() => listLiving(tree).length === 0 || performance.now() - endedAt > LIMIT_MS);
        const living = listLiving(tree);
        for (const pid of living) process.kill(pid, 'SIGKILL');
        assert.deepEqual(living, []);
        await closed;
      });
    }
  }
});
