import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { entryDirectory, isIntact, removeLeftovers, sha256OfFile } from '../../dev/setup/cache.mjs';
import { withLock } from '../../dev/setup/lock.mjs';
import { npmPackagesAreFresh } from '../../dev/setup/npm-packages.mjs';
import { listMissingParts, providePart } from '../../dev/setup/parts.mjs';
import { Progress } from '../../dev/setup/progress.mjs';
import { findPart, manifest, type Part, projectRoot } from '../../dev/setup/resolve.mjs';
import { run } from '../../dev/setup/run.mjs';
import { temporaryDirectory } from '../support/folders.ts';
import { until } from '../support/until.ts';

const part: Part = {
  name: 'tool',
  title: 'Tool 1.0',
  from: 'go',
  for: ['start', 'test'],
  package: 'example.org/tool',
  version: 'v1.0.0',
  command: 'tool-that-nobody-has',
  instead: 'TOOL_ADDRESS',
};

/** A part as a package registry provides it. */
const from = {
  go: async (_: Part, directory: string) => writeFileSync(join(directory, 'tool-that-nobody-has'), 'the program'),
};

function deadProcessId(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

describe('The set-up', () => {
  let env: { XDG_CACHE_HOME: string; PATH: string; [name: string]: string };
  let cache: string;
  let lines: string[];
  let progress: Progress;

  beforeEach(() => {
    env = { XDG_CACHE_HOME: temporaryDirectory('cache'), PATH: '' };
    cache = join(env.XDG_CACHE_HOME, 'samferd');
    lines = [];
    progress = new Progress((line) => lines.push(line));
  });

  const provide = (given: Part = part) => providePart(given, progress, { env, from });
  const program = () => join(entryDirectory(part, cache), 'tool-that-nobody-has');

  it('pins every part by version and checksum', () => {
    for (const { name, from: source, version, sha256 = '', goSum = '' } of manifest.parts) {
      if (source === 'debian') continue;
      assert.ok(version, name);
      assert.ok(/^[0-9a-f]{64}$/.test(sha256) || /^h1:/.test(goSum), name);
    }
  });

  it('pins every package of a list, and the list itself', async () => {
    for (const { requirements, sha256 } of manifest.parts) {
      if (requirements === undefined) continue;
      const list = join(projectRoot, 'dev/setup', requirements);
      assert.equal(await sha256OfFile(list), sha256);
      const packages = readFileSync(list, 'utf8')
        .split(/^(?=[a-z])/m)
        .slice(1);
      for (const each of packages)
        assert.match(each, /^[a-z0-9-]+==\S+ \\\n( {4}--hash=sha256:[0-9a-f]{64}( \\)?\n)+$/);
    }
  });

  it('provides missing parts, and does nothing at the next run', async () => {
    assert.deepEqual(await listMissingParts([part], 'start', env), [part]);
    await provide();
    assert.deepEqual(await listMissingParts([part], 'start', env), []);
    assert.equal(findPart(part, env), program());
    assert.match(lines.join('\n'), /Tool 1\.0 ✓/);
  });

  it('prefers the user’s own server address, except for tests', async () => {
    const own = { ...env, TOOL_ADDRESS: 'elsewhere:1' };
    assert.deepEqual(await listMissingParts([part], 'start', own), []);
    assert.deepEqual(await listMissingParts([part], 'test', own), [part]);
  });

  it('prefers a program on the PATH', async () => {
    const folder = temporaryDirectory('bin');
    writeFileSync(join(folder, 'tool-that-nobody-has'), '', { mode: 0o755 });
    const own = { ...env, PATH: folder };
    assert.deepEqual(await listMissingParts([part], 'test', own), []);
    assert.equal(findPart(part, own), join(folder, 'tool-that-nobody-has'));
  });

  for (const [damage, spoil] of [
    ['cut short', (path: string) => truncateSync(path, 3)],
    ['changed', (path: string) => writeFileSync(path, 'The program')],
    ['removed', (path: string) => rmSync(path)],
  ] as const) {
    it(`repairs an entry of the cache that was ${damage}`, async () => {
      await provide();
      spoil(program());
      assert.deepEqual(await listMissingParts([part], 'start', env), [part]);
      await provide();
      assert.equal(readFileSync(program(), 'utf8'), 'the program');
    });
  }

  it('does not provide a part again whose files only changed their times', async () => {
    await provide();
    utimesSync(program(), new Date(), new Date());
    assert.ok(await isIntact(entryDirectory(part, cache)));
  });

  it('stores nothing when it fails, reports one sentence, and succeeds when run again', async () => {
    const interrupted = {
      go: async (_: Part, directory: string) => {
        writeFileSync(join(directory, 'tool-that-nobody-has'), 'half');
        throw new Error('its checksum is 1, not the pinned 2');
      },
    };
    await assert.rejects(providePart(part, progress, { env, from: interrupted }), {
      message:
        'Tool 1.0 cannot be provided because its checksum is 1, not the pinned 2: check that Go 1.24 or newer is installed and reaches its package registry, put `tool-that-nobody-has` on the PATH, or set TOOL_ADDRESS to use one of your own, then run the command again.',
    });
    assert.ok(!existsSync(entryDirectory(part, cache)));
    await provide();
    assert.ok(existsSync(program()));
  });

  it('refuses a program that does not run here', async () => {
    const other = { ...part, smoke: ['--version'] };
    await assert.rejects(providePart(other, progress, { env, from }), /cannot be provided/);
    assert.ok(!existsSync(entryDirectory(other, cache)));
  });

  it('removes files of a killed set-up, and none of a running one', async () => {
    const [dead, alive] = [`${deadProcessId()}-a`, `${process.pid}-b`];
    for (const name of [dead, alive]) mkdirSync(join(cache, 'tmp', name), { recursive: true });
    await removeLeftovers(cache);
    assert.deepEqual(readdirSync(join(cache, 'tmp')), [alive]);
  });

  it('works once when two run at the same time', async () => {
    let times = 0;
    const counting = {
      go: async (given: Part, directory: string) => {
        times += 1;
        await from.go(given, directory);
      },
    };
    await Promise.all([1, 2, 3].map(() => providePart(part, progress, { env, from: counting })));
    assert.equal(times, 1);
    assert.match(lines.join('\n'), /another set-up \(process \d+\) is at it; waiting/);
  });

  it('stores nothing of an interrupted part, and continues it later', async () => {
    const interruption = new AbortController();
    const endless = {
      go: async (_: Part, _directory: string, _onLine: unknown, signal?: AbortSignal) => {
        await run(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'], signal && { signal });
      },
    };
    const options = { env, from: endless, signal: interruption.signal };
    const works = [1, 2].map(() => providePart(part, progress, options));
    await until(() => lines.some((line) => line.includes('waiting')));
    interruption.abort();
    await Promise.all(works);
    assert.match(lines.join('\n'), /Tool 1\.0 goes on later/);
    assert.deepEqual(await listMissingParts([part], 'start', env), [part]);
    await provide();
    assert.deepEqual(await listMissingParts([part], 'start', env), []);
  });

  it('takes over the lock of a set-up that died', async () => {
    const path = join(cache, 'a.lock');
    mkdirSync(cache, { recursive: true });
    writeFileSync(path, String(deadProcessId()));
    assert.equal(
      await withLock(
        path,
        () => assert.fail('it waits for nobody'),
        async () => 'done',
      ),
      'done',
    );
    assert.ok(!existsSync(path));
  });

  it('treats files of a dead set-up as damaged when their list is missing', async () => {
    mkdirSync(entryDirectory(part, cache), { recursive: true });
    writeFileSync(program(), 'half');
    assert.deepEqual(await listMissingParts([part], 'start', env), [part]);
  });
});

describe('The set-up of Kafka', () => {
  const kafka = manifest.parts.filter(({ name }) => name === 'kafka');
  const lines: string[] = [];
  const progress = new Progress((line) => lines.push(line));
  const failing = { jars: () => Promise.reject(new Error('`mvn` is not installed')) };
  const provide = async (CI: string) => {
    const env = { XDG_CACHE_HOME: temporaryDirectory('kafka'), PATH: '', CI };
    for (const part of kafka) await providePart(part, progress, { env, from: failing });
  };

  it('pins every jar, and the list itself', async () => {
    assert.equal(kafka.length, 1);
    for (const { jars = '', sha256 } of kafka) {
      const list = join(projectRoot, 'dev/setup', jars);
      assert.equal(await sha256OfFile(list), sha256);
      assert.match(readFileSync(list, 'utf8'), /^([0-9a-f]{64} {2}\S+\.jar\n)+$/);
    }
  });

  it('serves the tests only, and may be absent with a notice where Maven is', async () => {
    assert.deepEqual(await listMissingParts(kafka, 'start', { PATH: '' }), []);
    await provide('');
    assert.match(lines.join(), /`mvn` is not installed: check that a JDK 17 .* Until then its tests are skipped/);
  });

  it('fails in continuous integration without it', async () => {
    await assert.rejects(provide('true'), /`mvn` is not installed/);
  });
});

describe('The set-up of Chromium', () => {
  const chromium = manifest.parts.filter(({ from }) => from === 'debian');
  const lines: string[] = [];
  const progress = new Progress((line) => lines.push(line));

  it('serves the tests only, and uses the user’s own browser', async () => {
    assert.deepEqual(await listMissingParts(chromium, 'start', { PATH: '' }), []);
    assert.deepEqual(await listMissingParts(chromium, 'test', { PATH: '', CHROMIUM_PATH: '/opt/browser' }), []);
    assert.deepEqual(await listMissingParts(chromium, 'test', { PATH: '' }), chromium);
  });

  it('may be absent where it cannot be installed, with a notice', async () => {
    for (const part of chromium) await providePart(part, progress, { env: { PATH: '' } });
    assert.match(
      lines.join(),
      /this machine has no apt-get: the tests of pages are skipped until you install it yourself/,
    );
  });

  it('fails in continuous integration without it', async () => {
    for (const part of chromium) {
      await assert.rejects(
        providePart(part, progress, { env: { PATH: '', CI: 'true' } }),
        /the tests of pages must run/,
      );
    }
  });
});

describe('The npm packages', () => {
  const lock = {
    packages: {
      '': {},
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b': { version: '2.0.0', optional: true },
    },
  };

  function clone(installed: Record<string, { version: string }>): string {
    const root = temporaryDirectory('clone');
    mkdirSync(join(root, 'node_modules', '.bin'), { recursive: true });
    writeFileSync(join(root, 'node_modules', '.bin', 'node'), '');
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify(lock));
    writeFileSync(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: installed }));
    return root;
  }

  it('are current when installed as locked; those for other systems may be absent', async () => {
    assert.equal(await npmPackagesAreFresh(clone({ 'node_modules/a': { version: '1.0.0' } })), true);
  });

  it('are stale when one is missing or of another version', async () => {
    assert.equal(await npmPackagesAreFresh(clone({})), false);
    assert.equal(await npmPackagesAreFresh(clone({ 'node_modules/a': { version: '0.9.0' } })), false);
  });

  it('are stale when the lock has changed since', async () => {
    const root = clone({ 'node_modules/a': { version: '1.0.0' } });
    assert.equal(await npmPackagesAreFresh(root), true);
    const changed = JSON.stringify(lock).replace('1.0.0', '1.0.1');
    writeFileSync(join(root, 'package-lock.json'), changed);
    assert.equal(await npmPackagesAreFresh(root), false);
  });

  it('are missing when the installation was interrupted before Node was installed', async () => {
    const root = clone({ 'node_modules/a': { version: '1.0.0' } });
    rmSync(join(root, 'node_modules', '.bin', 'node'));
    assert.equal(await npmPackagesAreFresh(root), false);
  });
});
