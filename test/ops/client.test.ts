/** `npm run client`: the administration of clients from a shell, on a real database. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Connection } from 'mongoose';
import { ClientSecrets } from '../../activities/auth/client-secrets.ts';
import { CLIENTS, liveSecrets } from '../../activities/auth/client-types.ts';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { INSTALLATION_FILE } from '../../ops/installation.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { programEnvironment } from '../support/run.ts';
import { useMongo } from '../support/stack.ts';

type Shown = Record<string, unknown>;

describe('npm run client', function () {
  this.timeout(120_000);
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
      ...change,
    };
    const words = [join(projectRoot, 'ops/client.ts'), ...args];
    const { code, stdout, stderr } = await promisify(execFile)(process.execPath, words, { env }).then(
      (output) => ({ ...output, code: 0 }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
    return { code, stderr, json: (stdout === '' ? {} : JSON.parse(stdout)) as Shown };
  }
  async function isRight(clientId: unknown, secret: unknown): Promise<boolean> {
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
    assert.ok(await isRight(client_id, client_secret));

    const rotated = (await run(['rotate', String(client_id)], { SECRET_OVERLAP_SECONDS: '60' })).json;
    assert.ok(await isRight(client_id, client_secret));
    assert.ok(await isRight(client_id, rotated.client_secret));
    const again = await run(['rotate', String(client_id)]);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /2 live secrets/);

    const disabled = await run(['disable', String(client_id)]);
    assert.match(String(disabled.json.disabledAt), /Z$/);
    const [listed] = (await run(['list'])).json as unknown as Shown[];
    assert.deepEqual([listed?.client_id, listed?.disabledAt], [client_id, disabled.json.disabledAt]);
    assert.equal((listed?.secrets as Shown[] | undefined)?.length, 2);
    assert.ok(!JSON.stringify(listed).includes(String(client_secret)));
  });

  it('takes the settings that a running local stack has written', async () => {
    const local = temporaryDirectory('client');
    const settings = { MONGODB_URI: uri, CLIENT_SECRET_KEY: key.toString('base64') };
    writeFileSync(join(local, INSTALLATION_FILE), JSON.stringify(settings));
    const unset = { MONGODB_URI: '', CLIENT_SECRET_KEY: '' };
    assert.equal((await run(['list', '--local', local], unset)).code, 0);
    // One installation never completes another.
    writeFileSync(join(local, INSTALLATION_FILE), JSON.stringify({ MONGODB_URI: uri }));
    const half = await run(['list', '--local', local], { MONGODB_URI: '' });
    assert.equal(half.code, 2);
    assert.match(half.stderr, /set MONGODB_URI and CLIENT_SECRET_KEY/);
  });

  it('gives the operator’s own clients alone what administers', async () => {
    const mixed = ['create', '--name', 'All', '--organisation', '1000', '--scopes', 'orders:read clients:write'];
    const refused = await run(mixed);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /clients:write: is for the operator/);
    assert.equal((await run([...mixed, '--operator'])).code, 0);
  });

  it('says what is wrong in a sentence, and shows no key', async () => {
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
