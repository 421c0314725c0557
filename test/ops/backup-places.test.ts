/** The commands of back-ups take a whole installation, as the environment names it, or none. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { programEnvironment } from '../support/run.ts';

/** No server listens there. */
const MONGODB_URI = 'mongodb://127.0.0.1:1/samferd';
const S3_ENDPOINT = 'http://127.0.0.1:1';

type Command = `${'ops' | 'dev'}/${'backup' | 'restore'}`;

async function run(command: Command, args: readonly string[], env: Readonly<Record<string, string>>) {
  const words = [join(projectRoot, `${command}.ts`), ...args];
  const child = spawn(process.execPath, words, { env: { ...programEnvironment(), ...env } });
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'close') as Promise<[number]>]);
  return { code, output };
}

describe('Where a back-up is taken from, or restored to', function () {
  this.timeout(60_000);

  const halves = [
    ['a database without its objects', { MONGODB_URI }, /MONGODB_URI set, S3_ENDPOINT not/],
    ['objects without their database', { S3_ENDPOINT, MONGODB_URI: '' }, /S3_ENDPOINT set, MONGODB_URI not/],
    [
      'the keys of customers alone',
      { CUSTOMER_KEYS_MONGODB_URI: MONGODB_URI },
      /CUSTOMER_KEYS_MONGODB_URI set, MONGODB_URI and S3_ENDPOINT not/,
    ],
  ] as const;
  for (const [what, env, said] of halves) {
    it(`is not ${what}, with a local stack for the rest`, async () => {
      for (const [command, option] of [
        ['dev/backup', '--to'],
        ['dev/restore', '--from'],
        ['ops/backup', '--to'],
        ['ops/restore', '--from'],
      ] as const) {
        const { code, output } = await run(command, [option, 'made'], env);
        assert.equal(code, 2, output);
        assert.match(output, said);
      }
    });
  }

  it('is not a local stack for the commands of an installation', async () => {
    const { code, output } = await run('ops/backup', ['--to', 'made'], {});
    assert.equal(code, 2, output);
    assert.match(output, /set MONGODB_URI, S3_ENDPOINT/);
  });
});
