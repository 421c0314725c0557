/** Tests `npm run audit`: exports the log, verifies it in the database and in a file, and finds a change. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Connection } from 'mongoose';
import { AuditLog } from '../../activities/audit/audit-log.ts';
import { AUDIT_ENTRIES } from '../../activities/audit/audit-query.ts';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { silentLog } from '../api/support/parcels.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { programEnvironment } from '../support/run.ts';
import { useMongo } from '../support/stack.ts';

describe('npm run audit', () => {
  const key = randomBytes(32);
  let connection: Connection;
  let uri: string;
  before(async () => {
    uri = (await useMongo()).uri(`audit-${randomUUID().slice(0, 8)}`);
    connection = await connectMongo(uri);
    const keys = { writingKeyId: 'k', keys: new Map([['k', key]]) };
    const auditLog = new AuditLog({ connection, keys, log: silentLog });
    const actor = { kind: 'COMMAND', id: 'client' } as const;
    for (const action of ['client.create', 'client.disable']) {
      await auditLog.record({ action, actor, resource: { type: 'client', id: 'fjordbuss' } }, async () => undefined);
    }
  });
  after(async () => {
    await connection.dropDatabase();
    await connection.close();
  });

  async function run(...args: readonly string[]) {
    const env = { ...programEnvironment(), MONGODB_URI: uri, AUDIT_KEYS: `k:${key.toString('base64')}` };
    const words = [join(projectRoot, 'ops/audit.ts'), ...args];
    return await promisify(execFile)(process.execPath, words, { env }).then(
      (output) => ({ ...output, code: 0 }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
  }

  it('exports, verifies the export and the database, and finds what was changed or cut', async () => {
    const exported = (await run('export')).stdout;
    const lines = exported.trim().split('\n');
    assert.equal(lines.length, 4);
    const directory = temporaryDirectory('audit');
    const file = join(directory, 'audit.jsonl');
    writeFileSync(file, exported);
    assert.match((await run('verify', '--file', file)).stdout, /is whole: 4 entries/);
    assert.match((await run('verify')).stdout, /is whole: 4 entries.* no anchors/);

    writeFileSync(file, exported.replace('client.disable', 'client.enable'));
    const changed = await run('verify', '--file', file);
    assert.deepEqual([changed.code, /entry 3 was changed/.test(changed.stderr)], [1, true]);

    const { hash } = JSON.parse(lines[3] ?? '') as { readonly hash: string };
    await AUDIT_ENTRIES.open(connection).deleteOne({ _id: 4 });
    assert.equal((await run('verify')).code, 0);
    const cut = await run('verify', '--head', `4:${hash}`);
    assert.deepEqual([cut.code, /ends at 3; entry 4 was anchored/.test(cut.stderr)], [1, true]);
    assert.equal((await run('forget')).code, 2);

    await connection.collection('audit_entries').insertOne({ _id: '90000000000' as never, hash: 'x' });
    const odd = await run('verify');
    assert.deepEqual([odd.code, /the id "90000000000" is not the number of an entry/.test(odd.stderr)], [1, true]);
    writeFileSync(file, (await run('export')).stdout);
    assert.match((await run('verify', '--file', file)).stderr, /the id "90000000000" is not/);
  });
});
