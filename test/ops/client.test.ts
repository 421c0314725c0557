/** Tests `npm run client`, the administration of clients from a shell, on a real database. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Connection } from 'mongoose';
import { AUDIT_ENTRIES } from '../../activities/audit/audit-query.ts';
import { ClientSecrets } from '../../activities/auth/client-secrets.ts';
import { CLIENTS, liveSecrets } from '../../activities/auth/client-types.ts';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { INSTALLATION_FILE } from '../../ops/installation.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { startAuth } from '../api/support/auth.ts';
import { makeDisabledList } from '../support/disabled-list.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { programEnvironment } from '../support/run.ts';
import { useMongo } from '../support/stack.ts';

type Shown = Record<string, unknown>;

describe('npm run client', () => {
  const key = randomBytes(32);
  let connection: Connection;
  let uri: string;
  before(async () => {
    uri = (await useMongo()).uri(`client-${randomUUID().slice(0, 8)}`);
    connection = await connectMongo(uri);
  });
  after(async () => {
    await connection.dropDatabase();
    await connection.close();
  });

  async function run(args: readonly string[], change: Record<string, string> = {}) {
    const env = {
      ...programEnvironment(),
      MONGODB_URI: uri,
      CLIENT_SECRET_KEY: key.toString('base64'),
      AUDIT_KEYS: `k:${key.toString('base64')}`,
      ...change,
    };
    const words = [join(projectRoot, 'ops/client.ts'), ...args];
    const { code, stdout, stderr } = await promisify(execFile)(process.execPath, words, { env }).then(
      (output) => ({ ...output, code: 0 }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
    return { code, stderr, json: (stdout === '' ? {} : JSON.parse(stdout)) as Shown };
  }
  async function isAccepted(clientId: unknown, secret: unknown): Promise<boolean> {
    const found = await CLIENTS.open(connection).findOne({ _id: String(clientId) });
    return new ClientSecrets(key).matches(String(secret), found ? liveSecrets(found, new Date()) : []);
  }
  const CREATE = [
    'create',
    '--name',
    'Fjordbuss',
    '--organisation',
    '12',
    '--scopes',
    'timetable:read timetable:write',
  ];

  it('makes a first client that can make clients, and nothing else', async () => {
    const first = ['create', '--name', 'First', '--organisation', '1000', '--operator', '--scopes'];
    for (const more of [
      ['timetable:read'],
      ['clients:write timetable:write'],
      ['clients:write', '--codespaces', 'dem'],
    ]) {
      const { code, stderr } = await run([...first, ...more]);
      assert.equal(code, 2, more.join(' '));
      assert.match(stderr, /There is no client yet/);
    }
    assert.equal((await run(['list'])).stderr, '');
    const { code, json } = await run([...first, 'clients:write']);
    assert.equal(code, 0);
    assert.deepEqual([json.scopes, json.codespaces], [['clients:write'], []]);
  });

  it('makes the other clients with the token of the first, over HTTP', async () => {
    const auth = await startAuth();
    try {
      const env = { AUTH_ADMIN_URL: auth.adminUrl, MONGODB_URI: '', CLIENT_SECRET_KEY: '' };
      const noToken = await run([...CREATE, '--with-token'], env);
      assert.deepEqual([noToken.code, noToken.stderr.includes('Set TOKEN')], [2, true]);
      const wrong = await run([...CREATE, '--with-token'], { ...env, TOKEN: 'a.b.c' });
      assert.match(wrong.stderr, /answers 401/);
      const { code, json } = await run([...CREATE, '--with-token'], { ...env, TOKEN: await auth.operatorToken() });
      assert.equal(code, 0);
      assert.deepEqual((await auth.clients.get(String(json.client_id))).scopes, ['timetable:read', 'timetable:write']);
    } finally {
      await auth.close();
    }
  });

  it('creates, lists, rotates and disables', async () => {
    const { code, json } = await run([...CREATE, '--codespaces', 'fjb,dem']);
    const { client_id, client_secret, name, organisationId, codespaces, scopes } = json;
    assert.equal(code, 0);
    assert.deepEqual(
      { name, organisationId, codespaces, scopes },
      {
        name: 'Fjordbuss',
        organisationId: 12,
        codespaces: ['fjb', 'dem'],
        scopes: ['timetable:read', 'timetable:write'],
      },
    );
    assert.ok(await isAccepted(client_id, client_secret));

    const rotated = (await run(['rotate', String(client_id)], { SECRET_OVERLAP_SECONDS: '60' })).json;
    assert.ok(await isAccepted(client_id, client_secret));
    assert.ok(await isAccepted(client_id, rotated.client_secret));
    const again = await run(['rotate', String(client_id)]);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /2 live secrets/);

    await makeDisabledList(connection, key);
    const disabled = await run(['disable', String(client_id)]);
    const entries = await AUDIT_ENTRIES.open(connection)
      .find({ 'resource.id': String(client_id), outcome: { $ne: 'ATTEMPTED' } })
      .sort({ _id: 1 })
      .toArray();
    assert.deepEqual(
      entries.map(({ action, outcome, actor, resource }) => [action, outcome, actor.id, resource.id]),
      [
        ['client.create', 'DONE', 'client', client_id],
        ['client.add-secret', 'DONE', 'client', client_id],
        ['client.add-secret', 'REFUSED', 'client', client_id],
        ['client.disable', 'DONE', 'client', client_id],
      ],
    );
    assert.ok(!JSON.stringify(entries).includes(String(client_secret)));
    assert.match(String(disabled.json.disabledAt), /Z$/);
    const all = (await run(['list'])).json as unknown as Shown[];
    const listed = all.find((each) => each.client_id === client_id);
    assert.deepEqual([listed?.client_id, listed?.disabledAt], [client_id, disabled.json.disabledAt]);
    assert.equal((listed?.secrets as Shown[] | undefined)?.length, 2);
    assert.ok(!JSON.stringify(listed).includes(String(client_secret)));
  });

  it('disables a client also when the audit log cannot be written, and creates none', async () => {
    const { client_id } = (await run(CREATE)).json;
    await connection.db?.command({ collMod: 'audit_entries', validator: { never: true } });
    try {
      const disabled = await run(['disable', String(client_id)]);
      assert.deepEqual([disabled.code, typeof disabled.json.disabledAt], [0, 'string']);
      assert.match(disabled.stderr, /client\.disable.* is not recorded/);
      assert.equal((await run(CREATE)).code, 1);
    } finally {
      await connection.db?.command({ collMod: 'audit_entries', validator: {} });
    }
  });

  it('uses the settings of a running local stack', async () => {
    const local = temporaryDirectory('client');
    const base64 = key.toString('base64');
    const settings = { MONGODB_URI: uri, CLIENT_SECRET_KEY: base64, AUDIT_KEYS: `k:${base64}` };
    writeFileSync(join(local, INSTALLATION_FILE), JSON.stringify(settings));
    const unset = { MONGODB_URI: '', CLIENT_SECRET_KEY: '', AUDIT_KEYS: '' };
    assert.equal((await run(['list', '--local', local], unset)).code, 0);
    // A setting that one installation lacks must not come from another.
    writeFileSync(join(local, INSTALLATION_FILE), JSON.stringify({ MONGODB_URI: uri }));
    const half = await run(['list', '--local', local], { MONGODB_URI: '' });
    assert.equal(half.code, 2);
    assert.match(half.stderr, /set MONGODB_URI and CLIENT_SECRET_KEY and AUDIT_KEYS/);
  });

  it('gives administrative scopes only to the operator’s own clients', async () => {
    const mixed = ['create', '--name', 'All', '--organisation', '1000', '--scopes', 'orders:read clients:write'];
    const refused = await run(mixed);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /clients:write: is for the operator/);
    assert.equal((await run([...mixed, '--operator'])).code, 0);
  });

  it('reports an error in one sentence, without a key', async () => {
    const secret = randomBytes(31).toString('base64');
    const cases: [readonly string[], Record<string, string>, RegExp][] = [
      [[], {}, /create --name/],
      [['delete'], {}, /create --name/],
      [['rotate'], {}, /create --name/],
      [[...CREATE, '--unknown'], {}, /unknown/],
      [[...CREATE, '--codespaces', 'DEM'], {}, /codespaces: must be/],
      [[...CREATE.slice(0, -1), 'orders:all'], {}, /scopes/],
      [['create', '--name', 'x', '--scopes', 'orders:read'], {}, /organisation/],
      [['list'], { CLIENT_SECRET_KEY: secret }, /CLIENT_SECRET_KEY must be/],
      [['list', '--local', '/tmp/there/is/nothing'], { MONGODB_URI: '' }, /npm start, or set MONGODB_URI/],
      [['disable', 'nobody'], {}, /no such client/],
    ];
    const check = async ([args, change, expected]: (typeof cases)[number]) => {
      const { code, stderr } = await run(args, change);
      assert.notEqual(code, 0, args.join(' '));
      assert.match(stderr, expected);
      assert.ok(!stderr.includes(secret));
    };
    await Promise.all(cases.map(check));
  });
});
