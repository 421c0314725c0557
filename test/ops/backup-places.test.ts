/** The back-up commands must use one whole installation, as the environment names it, and never parts of two. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { newBackupKeysText } from '../support/backup-keys.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { programEnvironment } from '../support/run.ts';

/** A port without a server. */
const MONGODB_URI = 'mongodb://127.0.0.1:1/samferd';
const S3_ENDPOINT = 'http://127.0.0.1:1';

type Command = `${'ops' | 'dev'}/${'backup' | 'restore'}`;

async function run(command: Command, args: readonly string[], env: Readonly<Record<string, string>>) {
  const words = [join(projectRoot, `${command}.ts`), ...args];
  const child = spawn(process.execPath, words, { env: { ...programEnvironment(), ...env } });
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'close') as Promise<[number]>]);
  return { code, output };
}

describe('The installation of a back-up or restore', () => {
  const incompleteSettings = [
    ['a database without its objects', { MONGODB_URI }, /MONGODB_URI set, S3_ENDPOINT not/],
    ['objects without their database', { S3_ENDPOINT, MONGODB_URI: '' }, /S3_ENDPOINT set, MONGODB_URI not/],
    [
      'the keys of customers',
      { CUSTOMER_KEYS_MONGODB_URI: MONGODB_URI },
      /CUSTOMER_KEYS_MONGODB_URI set, MONGODB_URI and S3_ENDPOINT not/,
    ],
  ] as const;
  for (const [what, env, message] of incompleteSettings) {
    it(`is not completed by a local stack when only ${what} is given`, async () => {
      for (const [command, option] of [
        ['dev/backup', '--to'],
        ['dev/restore', '--from'],
        ['ops/backup', '--to'],
        ['ops/restore', '--from'],
      ] as const) {
        const { code, output } = await run(command, [option, 'made'], env);
        assert.equal(code, 2, output);
        assert.match(output, message);
      }
    });
  }

  it('needs only the place of the keys for their back-up', async () => {
    const env = {
      BACKUP_KEYS: newBackupKeysText(),
      CUSTOMER_KEYS_MONGODB_URI: `${MONGODB_URI}_keys?serverSelectionTimeoutMS=10`,
    };
    const { code, output } = await run('ops/backup', ['--customer-keys', '--to', 'made'], env);
    assert.equal(code, 1, output);
    assert.match(output, /ECONNREFUSED/);
  });

  it('is never an empty local stack, nor does the command make one', async () => {
    const local = join(temporaryDirectory('stack'), 'none');
    const { code, output } = await run('dev/backup', ['--local', local, '--to', 'made'], {});
    assert.equal(code, 2, output);
    assert.match(output, /There is nothing to back up/);
    assert.equal(existsSync(local), false);
  });

  it('is never a local stack for the commands of an installation', async () => {
    const { code, output } = await run('ops/backup', ['--to', 'made'], {});
    assert.equal(code, 2, output);
    assert.match(output, /set MONGODB_URI, S3_ENDPOINT/);
  });
});
