/** Tests that operations are recorded, and that the audit log is read over HTTP by those who may. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Connection } from 'mongoose';
import { AuditLog } from '../../../activities/audit/audit-log.ts';
import { createAuditArea } from '../../../api/audit/routes.ts';
import { createApp } from '../../../api/shared/app.ts';
import { AuditedCalls } from '../../../api/shared/audited-calls.ts';
import { loadDocument } from '../../../api/shared/openapi-document.ts';
import { type RunningServer, serve } from '../../../api/shared/serve.ts';
import { projectRoot } from '../../../dev/setup/resolve.mjs';
import type { ServiceError } from '../../../workflows/shared/service-error.ts';
import { catalogue, openCatalogue } from '../../activities/catalogue/support.ts';
import { AUDITED_CALLS, CLIENT, startAuth } from '../support/auth.ts';
import { catalogueArea } from '../support/catalogue-area.ts';
import { readPlainToken, silentLog } from '../support/parcels.ts';

interface Shown {
  readonly sequence: number;
  readonly action: string;
  readonly outcome: string;
  readonly actor: Record<string, unknown>;
  readonly resource: Record<string, unknown>;
  readonly address: string;
  readonly correlationId: string;
}

const as = (organisation: number, scopes: string) => ({
  authorization: `Bearer c${organisation}/${organisation}/${scopes}`,
});
const OPERATOR = as(1000, 'catalogue:write,audit:read,organisation:any');

describe('the audit log over HTTP', () => {
  let connection: Connection;
  let auditLog: AuditLog;
  let server: RunningServer;
  beforeEach(async () => {
    const opened = await openCatalogue();
    connection = opened.connection;
    const keys = { writingKeyId: 'a', keys: new Map([['a', randomBytes(32)]]) };
    auditLog = new AuditLog({ connection, keys, log: silentLog });
    const { area, findChannel } = catalogueArea(connection, opened.store);
    const app = createApp({
      areas: [area, createAuditArea({ auditLog })],
      log: silentLog,
      verifyToken: readPlainToken,
      findChannel,
      audit: { trail: auditLog, addressOf: () => '192.0.2.7', calls: new AuditedCalls(60) },
    });
    server = await serve(app, { host: '127.0.0.1', port: 0, graceMs: 1_000 });
  });
  afterEach(async () => {
    await server.close();
    await connection.dropDatabase();
    await connection.close();
  });

  const put = async (headers: Record<string, string>, content: unknown = catalogue()) => {
    const body = JSON.stringify(content);
    const sent = { ...headers, 'content-type': 'application/json' };
    return (await fetch(`${server.url}/v1/catalogue`, { method: 'PUT', headers: sent, body })).status;
  };
  const list = async (query = '', headers: Record<string, string> = OPERATOR) => {
    const response = await fetch(`${server.url}/v1/audit/entries${query}`, { headers });
    const body = (await response.json()) as { readonly entries: readonly Shown[]; readonly nextAfter: number };
    return { status: response.status, ...body };
  };

  it('records a change with its caller, address and correlation id', async () => {
    const correlationId = randomUUID();
    assert.equal(await put({ ...OPERATOR, 'x-correlation-id': correlationId }), 200);
    const { entries, nextAfter } = await list();
    assert.deepEqual(
      entries.map(({ sequence, action, outcome }) => [sequence, action, outcome]),
      [
        [1, 'catalogue.replace', 'ATTEMPTED'],
        [2, 'catalogue.replace', 'DONE'],
      ],
    );
    const { actor, resource, address, ...done } = entries[1] as Shown;
    assert.deepEqual(actor, { kind: 'CLIENT', id: 'c1000', organisationId: 1000 });
    assert.deepEqual([resource, address, done.correlationId], [{ type: 'catalogue' }, '192.0.2.7', correlationId]);
    assert.equal(nextAfter, 2);
  });

  it('records a change that is refused for its content, and not one that lacks the scope', async () => {
    assert.equal(await put(OPERATOR, catalogue({ organisations: [] })), 422);
    assert.equal(await put(as(1, 'offers:search')), 403);
    const { entries } = await list();
    assert.deepEqual(
      entries.map(({ outcome }) => outcome),
      ['ATTEMPTED', 'REFUSED'],
    );
  });

  it('refuses a change that it cannot record', async () => {
    await connection.collection('audit_entries').insertOne({ _id: 1 as never });
    await connection.db?.command({ collMod: 'audit_entries', validator: { never: true }, validationLevel: 'strict' });
    assert.equal(await put(OPERATOR), 500);
    assert.equal(await connection.collection('catalogue').countDocuments(), 0);
  });

  it('shows an organisation its own entries alone, and needs the scope', async () => {
    await put(OPERATOR);
    await put(as(7, 'catalogue:write'), catalogue({ distributionChannels: [] }));
    assert.equal((await list('', as(7, 'offers:search'))).status, 403);
    const { entries } = await list('', as(7, 'audit:read'));
    assert.deepEqual(
      entries.map(({ sequence, actor }) => [sequence, actor.id]),
      [
        [3, 'c7'],
        [4, 'c7'],
      ],
    );
  });

  it('filters by time, actor, action and resource, and continues after a sequence', async () => {
    await put(OPERATOR);
    await put(as(7, 'catalogue:write'), catalogue({ distributionChannels: [] }));
    const sequences = async (query: string) => (await list(query)).entries.map(({ sequence }) => sequence);
    assert.deepEqual(await sequences('?limit=3'), [1, 2, 3]);
    assert.deepEqual(await sequences('?after=3'), [4]);
    assert.deepEqual(await sequences('?actor=c7'), [3, 4]);
    assert.deepEqual(await sequences('?action=client.create'), []);
    assert.deepEqual(await sequences('?resourceType=catalogue&limit=1'), [1]);
    assert.deepEqual(await sequences('?to=2020-01-01T00:00:00Z'), []);
    assert.deepEqual(await sequences('?from=2020-01-01T00:00:00Z&limit=1'), [1]);
    assert.equal((await list('?from=yesterday')).status, 400);
  });
});

describe('the administration of clients without an audit log', () => {
  it('disables and deletes clients, and does nothing else', async () => {
    const keys = { writingKeyId: 'a', keys: new Map([['a', randomBytes(32)]]) };
    const auth = await startAuth({}, (connection) => new AuditLog({ connection, keys, log: silentLog }));
    try {
      const authorization = `Bearer ${await auth.operatorToken()}`;
      const call = async (method: string, path: string) => {
        const response = await fetch(`${auth.adminUrl}/admin/clients/${path}`, { method, headers: { authorization } });
        await response.arrayBuffer();
        return response.status;
      };
      assert.equal(await call('POST', `${CLIENT.client_id}/enable`), 200);
      await auth.connection.db?.command({ collMod: 'audit_entries', validator: { never: true } });
      assert.equal(await call('POST', `${CLIENT.client_id}/disable`), 200);
      assert.equal(await call('POST', `${CLIENT.client_id}/enable`), 500);
      assert.ok((await auth.clients.get(CLIENT.client_id)).disabledAt);
      assert.equal(await call('DELETE', CLIENT.client_id), 204);
      await assert.rejects(auth.clients.get(CLIENT.client_id), /no such client/);
    } finally {
      await auth.close();
    }
  });
});

describe('the recorded calls of one client', () => {
  it('are limited, but not those that stop harm, and not those of another client', async () => {
    const keys = { writingKeyId: 'a', keys: new Map([['a', randomBytes(32)]]) };
    const auth = await startAuth({}, (connection) => new AuditLog({ connection, keys, log: silentLog }));
    try {
      const authorization = `Bearer ${await auth.operatorToken()}`;
      const call = async (method: string, path: string) => {
        const response = await fetch(`${auth.adminUrl}/admin/clients/${path}`, { method, headers: { authorization } });
        await response.arrayBuffer();
        return response;
      };
      const count = async () => await auth.connection.collection('audit_entries').countDocuments();
      for (const path of ['nobody/enable', `${CLIENT.client_id}/secrets/${randomUUID()}`]) {
        assert.equal((await call(path.endsWith('enable') ? 'POST' : 'DELETE', path)).status, 404);
      }
      assert.equal(await count(), 0);
      for (let made = 0; made < AUDITED_CALLS; made += 1) {
        assert.equal((await call('POST', `${CLIENT.client_id}/enable`)).status, 200);
      }
      const refused = await call('POST', `${CLIENT.client_id}/enable`);
      assert.equal(refused.status, 429);
      const wait = Number(refused.headers.get('retry-after'));
      assert.ok(wait >= 1 && wait <= 60 / AUDITED_CALLS, `${wait}`);
      assert.equal(await count(), 2 * AUDITED_CALLS);
      assert.equal((await call('POST', `${CLIENT.client_id}/disable`)).status, 200);
      assert.equal((await call('DELETE', CLIENT.client_id)).status, 204);
      assert.equal(await count(), 2 * AUDITED_CALLS + 4);
    } finally {
      await auth.close();
    }
  });

  it('come back evenly with time, for each client by itself', () => {
    let now = 0;
    const calls = new AuditedCalls(60, () => now);
    const refusal = (client: string) => {
      try {
        calls.take(client);
        return undefined;
      } catch (error) {
        return (error as ServiceError).headers['retry-after'];
      }
    };
    for (let made = 0; made < 60; made += 1) assert.equal(refusal('a'), undefined);
    assert.deepEqual([refusal('a'), refusal('b')], ['1', undefined]);
    now += 999;
    assert.equal(refusal('a'), '1');
    now += 1;
    assert.deepEqual([refusal('a'), refusal('a')], [undefined, '1']);
    now += 3_600_000;
    for (let made = 0; made < 60; made += 1) assert.equal(refusal('a'), undefined);
    assert.equal(refusal('a'), '1');
  });
});

describe('operations with the power of an operator', () => {
  const POWERS = ['clients:write', 'codespaces:write', 'catalogue:write'];

  it('are recorded, each one that changes something', () => {
    const areas = readdirSync(join(projectRoot, 'api'), { recursive: true, encoding: 'utf8' });
    const documents = areas.filter((file) => /^[a-z-]+\/([a-z-]+\.)?openapi\.yaml$/.test(file));
    const changing = documents.flatMap((file) => {
      const { operations } = loadDocument(pathToFileURL(join(projectRoot, 'api', file)), 'Service');
      return operations.filter(
        ({ method, scopes }) => method !== 'GET' && scopes?.some((each) => POWERS.includes(each)),
      );
    });
    assert.ok(changing.length >= 10);
    assert.deepEqual(
      changing.filter(({ audit }) => audit === undefined).map(({ operationId }) => operationId),
      [],
    );
    assert.deepEqual(
      changing.flatMap(({ audit, operationId }) => (audit?.evenUnrecorded ? [operationId] : [])).sort(),
      ['deleteClient', 'disableClient'],
    );
    for (const { audit, path, operationId } of changing) {
      assert.ok(audit?.id === undefined || path.includes(`{${audit.id}}`), operationId);
    }
  });
});
