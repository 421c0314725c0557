/**
 * Runs a small stack for the tests of how `npm start` ends: three idle processes, supervised, watched and ended as
 * those of dev/start.ts are. Called with a folder for its logs. Prints its process ids as JSON once all run.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Children } from '../../dev/stack/children.ts';
import { endOnSignals } from '../../dev/stack/ending.ts';
import { type Part, Supervisor } from '../../dev/stack/supervisor.ts';

const [folder = '.'] = process.argv.slice(2);
const READY = `require('node:fs').writeFileSync(process.argv[1], JSON.stringify(pids)); setInterval(() => {}, 1_000);`;
const PROGRAMS = {
  obedient: `const pids = [process.pid]; ${READY}`,
  stubborn: `process.on('SIGTERM', () => {}); const pids = [process.pid]; ${READY}`,
  parent: `const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)']);
    const pids = [process.pid, child.pid]; ${READY}`,
};

const pidFile = (name: string): string => join(folder, `${name}.pids`);
const readPids = (name: string): number[] => JSON.parse(readFileSync(pidFile(name), 'utf8'));

function part([name, program]: readonly [string, string]): Part {
  const args = ['-e', program, pidFile(name)];
  return {
    title: name,
    process: { name, command: process.execPath, args, logFile: join(folder, `${name}.log`) },
    // A file that is still being written fails here, and the check is made again.
    check: async () => void readPids(name),
    ports: [],
    stopGraceMs: 1_000,
  };
}

const report = (line: string): void => void process.stdout.write(`${line}\n`);
const children = new Children();
const supervisor = new Supervisor({ children, report, readyTimeoutMs: 60_000, firstPauseMs: 100, longestPauseMs: 100 });
const stop = async (): Promise<void> => {
  await supervisor.stop();
  await children.stopAll(0);
};
endOnSignals({ stop, kill: () => supervisor.kill(), report });
await supervisor.start(Object.entries(PROGRAMS).map(part));
const started = Object.keys(PROGRAMS).flatMap(readPids);
report(JSON.stringify({ pids: [process.pid, process.ppid, ...started] }));
setInterval(() => undefined, 60_000);
