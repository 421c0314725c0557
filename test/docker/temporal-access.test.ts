/** Tests the files that the job makes for Temporal and its callers, and those that it keeps. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { makeTemporalAccess } from '../../docker/jobs/temporal-access.ts';
import { TemporalAccess } from '../../platform/temporal/temporal-access.ts';
import { temporaryDirectory } from '../support/folders.ts';

const callers = new Map([
  ['api', ['samferd:write']],
  ['temporal-ui', ['samferd:read', 'temporal-system:read']],
]);

describe('the job that prepares access to Temporal', () => {
  const folder = temporaryDirectory('temporal-access-job');
  const options = { folder, hosts: ['temporal', 'localhost'], callers };
  const path = (...names: string[]) => join(folder, ...names);
  const read = (...names: string[]) => readFileSync(path(...names), 'utf8');
  const certificate = (...names: string[]) => new X509Certificate(read(...names));
  const verify = (name: string) =>
    jwtVerify(read(name, 'token'), createLocalJWKSet(JSON.parse(read('temporal', 'keys.json'))));

  before(() => makeTemporalAccess(options));

  it('certifies the server by one authority and its callers by another', () => {
    const [cluster, clients] = [certificate('temporal', 'ca.pem'), certificate('temporal', 'clients-ca.pem')];
    const [server, api] = [certificate('temporal', 'cert.pem'), certificate('api', 'cert.pem')];
    assert.ok(server.verify(cluster.publicKey) && server.checkHost('temporal') === 'temporal');
    assert.ok(api.verify(clients.publicKey) && !api.verify(cluster.publicKey));
    assert.equal(api.subject, 'CN=samferd-api');
    assert.equal(read('api', 'ca.pem'), read('temporal', 'ca.pem'));
  });

  it('gives each caller a token with its own permissions', async () => {
    for (const [name, permissions] of callers) {
      const { payload } = await verify(name);
      assert.deepEqual([payload.sub, payload.permissions], [name, permissions]);
      assert.ok((payload.exp ?? 0) - (payload.iat ?? 0) === 365 * 86_400);
    }
  });

  it('gives callers what a process can use, and no private key of an authority', () => {
    assert.deepEqual(readdirSync(path('api')).sort(), ['ca.pem', 'cert.pem', 'key.pem', 'token']);
    assert.deepEqual(readdirSync(path('temporal')).sort(), [
      'ca.pem',
      'cert.pem',
      'clients-ca.pem',
      'key.pem',
      'keys.json',
    ]);
    for (const file of readdirSync(path('authority'))) assert.equal(statSync(path('authority', file)).mode & 0o077, 0);
    assert.ok(!read('temporal', 'keys.json').includes('"d"'));
    const access = new TemporalAccess({
      TEMPORAL_TLS_CA_FILE: path('api', 'ca.pem'),
      TEMPORAL_TLS_CERT_FILE: path('api', 'cert.pem'),
      TEMPORAL_TLS_KEY_FILE: path('api', 'key.pem'),
      TEMPORAL_AUTH_TOKEN_FILE: path('api', 'token'),
    });
    assert.equal(access.token(), read('api', 'token'));
  });

  it('leaves everything as it is at the next start, and makes a token anew for other permissions', async () => {
    assert.deepEqual(await makeTemporalAccess(options), []);
    const others = new Map([...callers, ['api', ['samferd:read']]]);
    assert.deepEqual(await makeTemporalAccess({ ...options, callers: others }), [
      'api: token for samferd:read, for 365 days',
    ]);
    assert.deepEqual((await verify('api')).payload.permissions, ['samferd:read']);
  });

  it('replaces everything when asked to: earlier certificates and tokens are worth nothing', async () => {
    const [token, api] = [read('api', 'token'), certificate('api', 'cert.pem')];
    assert.equal((await makeTemporalAccess({ ...options, replace: true })).length, 5);
    const keys = createLocalJWKSet(JSON.parse(read('temporal', 'keys.json')));
    await assert.rejects(jwtVerify(token, keys));
    assert.ok(!api.verify(certificate('temporal', 'clients-ca.pem').publicKey));
  });
});
