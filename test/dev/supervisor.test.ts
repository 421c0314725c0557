import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { Children } from '../../dev/stack/children.ts';
import { rotateLog } from '../../dev/stack/logs.ts';
import { findStartTime } from '../../dev/stack/process-table.ts';
import { type Part, PortTaken, Supervisor } from '../../dev/stack/supervisor.ts';
import { temporaryDirectory } from '../support/folders.ts';

/** A program that writes to its file when it is ready and when it receives a signal to stop. */
const OBEDIENT = `
const fs = require('node:fs');
process.on('SIGTERM', () => { fs.appendFileSync(process.argv[2], process.argv[1] + ' stopped\\n'); process.exit(0); });
setInterval(() => {}, 1000);
fs.writeFileSync(process.argv[3], String(process.pid));`;
const STUBBORN = OBEDIENT.replace('process.exit(0);', '');
const BROKEN = `console.error('the disk is full'); process.exit(7);`;

describe('The supervisor', () => {
  let folder: string;
  let lines: string[];
  let children: Children;
  let supervisor: Supervisor;

  beforeEach(() => {
    folder = temporaryDirectory('supervisor');
    lines = [];
    children = new Children();
    const limits = { readyTimeoutMs: 10_000, firstPauseMs: 10, longestPauseMs: 50 };
    supervisor = new Supervisor({ children, report: (line) => lines.push(line), ...limits });
  });

  afterEach(async () => {
    await supervisor.kill();
    await children.stopAll(0);
  });

  const pidFile = (title: string) => join(folder, `${title}.pid`);
  const pidOf = (title: string) => Number(readFileSync(pidFile(title), 'utf8'));

  function part(title: string, program: string, stopGraceMs = 5_000): Part {
    return {
      title,
      process: {
        name: title,
        command: process.execPath,
        args: ['-e', program, title, join(folder, 'events'), pidFile(title)],
        logFile: join(folder, `${title}.log`),
      },
      ports: [],
      check: async () => assert.ok(existsSync(pidFile(title)) && findStartTime(pidOf(title)) !== undefined),
      stopGraceMs,
    };
  }

  it('stops its processes, the latest stage first', async () => {
    await supervisor.start([part('database', OBEDIENT)]);
    await supervisor.start([part('service', OBEDIENT)]);
    await supervisor.stop();
    assert.equal(readFileSync(join(folder, 'events'), 'utf8'), 'service stopped\ndatabase stopped\n');
    assert.equal(findStartTime(pidOf('database')), undefined);
  });

  it('starts nothing while another program listens on a port of a part', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const parts = [part('database', OBEDIENT), { ...part('service', OBEDIENT), ports: [port] }];
    await assert.rejects(supervisor.start(parts), (error: Error) => {
      assert.ok(error instanceof PortTaken);
      assert.equal(error.message, `Another program has taken port ${port} of service`);
      return true;
    });
    assert.ok(!existsSync(join(folder, 'database.log')));
    other.close();
  });

  it('starts a killed part again, reports it, and leaves the others alone', async () => {
    await supervisor.start([part('database', OBEDIENT)]);
    await supervisor.start([part('service', OBEDIENT)]);
    const [database, service] = [pidOf('database'), pidOf('service')];
    process.kill(database, 'SIGKILL');
    await until(() => lines.includes('database is running again'));
    assert.match(lines.join('\n'), /database has ended \(SIGKILL\); starting it again\. Its log: .*database\.log/);
    assert.notEqual(pidOf('database'), database);
    assert.equal(pidOf('service'), service);
    await supervisor.stop();
    assert.equal(readFileSync(join(folder, 'events'), 'utf8'), 'service stopped\ndatabase stopped\n');
  });

  it('restarts a part that ends repeatedly', async () => {
    const flaky = `if (require('node:fs').existsSync(process.argv[3] + '.bad')) process.exit(3);${OBEDIENT}`;
    await supervisor.start([part('service', flaky)]);
    writeFileSync(`${pidFile('service')}.bad`, '');
    process.kill(pidOf('service'), 'SIGKILL');
    await until(() => lines.filter((line) => line.includes('(code 3)')).length >= 2);
    await supervisor.stop();
  });

  it('shows the last lines of a part that does not start', async () => {
    await assert.rejects(
      supervisor.start([part('service', BROKEN)]),
      /service ended while starting.*the disk is full/s,
    );
    await supervisor.stop();
  });

  it('does not show lines of an earlier run', async () => {
    const broken = part('service', BROKEN);
    writeFileSync(broken.process.logFile, 'the port is taken\n');
    await assert.rejects(supervisor.start([broken]), /Its last lines:\nthe disk is full$/);
    await supervisor.stop();
  });

  it('kills a part that does not stop in time', async () => {
    await supervisor.start([part('service', STUBBORN, 100)]);
    const pid = pidOf('service');
    await supervisor.stop();
    assert.equal(findStartTime(pid), undefined);
  });

  it('stops while a part is still starting', async () => {
    const starting = supervisor.start([
      { ...part('service', OBEDIENT), check: () => Promise.reject(new Error('not yet')) },
    ]);
    await until(() => existsSync(pidFile('service')));
    await supervisor.stop();
    await assert.rejects(starting);
    assert.equal(findStartTime(pidOf('service')), undefined);
  });

  it('names a command that cannot be run', () => {
    const options = { ...part('service', OBEDIENT).process, command: join(folder, 'nothing-here') };
    assert.throws(() => children.start(options), /service: .*nothing-here cannot be run/);
  });
});

describe('Children', () => {
  it('take over from the environment what every program needs, and nothing else', async () => {
    process.env.SOME_TOKEN = 'of another service';
    const logFile = join(temporaryDirectory('environment'), 'log');
    const args = ['-e', 'console.log(JSON.stringify(process.env))'];
    const children = new Children();
    try {
      const child = children.start({ name: 'child', command: process.execPath, args, env: { GIVEN: 'yes' }, logFile });
      await child.ended;
      const { PATH, GIVEN, SOME_TOKEN } = JSON.parse(child.lastLines(1)) as Record<string, string>;
      assert.deepEqual({ PATH, GIVEN, SOME_TOKEN }, { PATH: process.env.PATH, GIVEN: 'yes', SOME_TOKEN: undefined });
    } finally {
      delete process.env.SOME_TOKEN;
      await children.stopAll(0);
    }
  });
});

describe('Children of a killed process', () => {
  it('end with it, and its folders are removed', async () => {
    const folder = temporaryDirectory('killed');
    const module = pathToFileURL(join(projectRoot, 'dev/stack/children.ts')).href;
    const log = join(temporaryDirectory('killed-log'), 'log');
    const starter = `
      import { Children } from ${JSON.stringify(module)};
      const children = new Children();
      children.removeAtEnd(${JSON.stringify(folder)});
      const options = { name: 'sleeper', command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] };
      console.log(children.start({ ...options, logFile: ${JSON.stringify(log)} }).pid);
      setInterval(() => {}, 1000);`;
    const running = spawn(process.execPath, ['--input-type=module', '-e', starter], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(running.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    assert.notEqual(findStartTime(pid), undefined);
    running.kill('SIGKILL');
    await until(() => findStartTime(pid) === undefined && !existsSync(folder));
  });
});

describe('Logs', () => {
  it('are truncated in place when full, with the last part kept once', () => {
    const path = join(temporaryDirectory('logs'), 'a.log');
    appendFileSync(path, 'x'.repeat(100));
    rotateLog(path, 100);
    assert.equal(statSync(path).size, 100);
    appendFileSync(path, 'y');
    rotateLog(path, 100);
    assert.equal(statSync(path).size, 0);
    assert.equal(statSync(`${path}.1`).size, 101);
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(10);
}
