/** `npm run ticket-keys` as an operator calls it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { loadKeyFile } from '../../activities/tickets/signing/key-file.ts';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { temporaryDirectory } from '../support/folders.ts';

describe('npm run ticket-keys', () => {
  let path: string;
  beforeEach(() => {
    path = join(temporaryDirectory('ticket-keys'), 'folder', 'keys.json');
  });

  const run = (...args: string[]) => {
    const env = { PATH: process.env.PATH, TICKET_SIGNING_KEYS: path };
    const command = [join(projectRoot, 'ops/ticket-keys.ts'), ...args];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { env, encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  it('adds keys, and says when they sign and what to keep', () => {
    const first = run('add', '--issuer', '1185');
    assert.equal(first.status, 0, first.stderr);
    assert.match(first.stdout, /^Key 1 is in .*keys\.json\. Its private half is ticket-key-1\.pem/);
    assert.match(first.stdout, /It signs at once, and tickets for 365 days/);
    assert.match(run('add', '--days', '30').stdout, /It signs from 20\d\d-.* at the soonest, and tickets for 30 days/);
    const { file, privateKeys } = loadKeyFile(path, 'production');
    assert.deepEqual([file.issuerCode, file.keys.map(({ keyId }) => keyId), privateKeys.size], [1185, [1, 2], 2]);
    for (const name of ['keys.json', 'ticket-key-1.pem', 'ticket-key-2.pem']) {
      assert.equal(statSync(join(path, '..', name)).mode & 0o077, 0, name);
    }
    const listed = run('list').stdout;
    assert.match(
      listed,
      /^Issuer 1185\n1 {2}from .* signs any ticket until .* verified until .* ticket-key-1\.pem\n2 /,
    );
    assert.doesNotMatch(listed + first.stdout, /PRIVATE/);
  });

  it('adds a key of AWS KMS without calling it', () => {
    const { stdout } = run(
      'add',
      '--issuer',
      '1185',
      '--kms',
      'arn:aws:kms:eu-north-1:1:key/2',
      '--region',
      'eu-north-1',
    );
    assert.match(stdout, /Its private half stays in KMS/);
    assert.partialDeepStrictEqual(loadKeyFile(path, 'production').file.keys[0], { region: 'eu-north-1' });
  });

  it('retires and withdraws a key when it is told twice', () => {
    run('add', '--issuer', '1185');
    run('add');
    assert.match(run('retire', '1').stdout, /Repeat with --yes/);
    assert.match(run('withdraw', '2').stdout, /refused by inspectors.*Repeat with --yes/s);
    assert.equal(loadKeyFile(path, 'production').privateKeys.size, 2);
    assert.match(run('retire', '1', '--yes').stdout, /signs nothing more/);
    assert.equal(existsSync(join(path, '..', 'ticket-key-1.pem')), false);
    assert.match(run('withdraw', '2', '--yes').stdout, /has ended/);
    const [retired, withdrawn] = loadKeyFile(path, 'production').file.keys;
    assert.ok(retired && 'publicKeyDer' in retired && retired.validTo > new Date());
    assert.ok(withdrawn && withdrawn.validTo <= new Date());
  });

  it('says what is wrong, and changes nothing', () => {
    const noIssuer = run('add');
    assert.deepEqual([noIssuer.status, existsSync(path)], [1, false]);
    assert.match(noIssuer.stderr, /needs --issuer/);
    run('add', '--issuer', '1185');
    const before = readFileSync(path, 'utf8');
    for (const [args, status] of [
      [['add', '--issuer', '1186'], 1],
      [['add', '--issuer', '0'], 2],
      [['add', '--days', '1e9'], 2],
      [['add', '--region', 'x'], 2],
      [['withdraw', '7', '--yes'], 1],
      [['sign'], 2],
      [[], 2],
    ] as const) {
      const answer = run(...args);
      assert.equal(answer.status, status, `${args.join(' ')}: ${answer.stderr}`);
      assert.ok(answer.stderr.length > 0 && answer.stderr.length < 600 && !answer.stderr.includes('    at '));
    }
    assert.equal(readFileSync(path, 'utf8'), before);
  });
});
