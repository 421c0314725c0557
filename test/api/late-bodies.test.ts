/**
 * When a token expires before the body has arrived, every route with a body must answer 408. The routes come from the
 * documents. Tokens and sockets are real; each body arrives in two parts, with the end of the token between them.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { createTokenSigner } from '../../api/auth/access-token.ts';
import { createApp } from '../../api/shared/app.ts';
import { loadDocument, type OperationEntry } from '../../api/shared/openapi-document.ts';
import { type RunningServer, serve } from '../../api/shared/serve.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { useMongo } from '../support/stack.ts';
import { createSignedTokens, type SignedTokens } from './customers/signed-tokens.ts';
import { type CustomersServer, newProfile, startCustomers } from './customers/support.ts';
import { AUDIENCE, type AuthServer, LIFETIME_SECONDS, OPERATOR, startAuth } from './support/auth.ts';
import { catalogueArea } from './support/catalogue-area.ts';
import { keyedRequests } from './support/keyed-requests.ts';
import { silentLog } from './support/parcels.ts';
import { form, startTimetable, type TimetableServer } from './timetable/support.ts';

const AREAS = ['customers', 'timetable', 'catalogue', 'auth'] as const;
type AreaName = (typeof AREAS)[number];

/** The clock tolerance of the token check; tokens live long enough to begin all requests on a busy machine. */
const TOLERANCE_SECONDS = 30;
const LEFT_SECONDS = 8;
const PATH: Readonly<Record<string, string>> = {
  customerIdentifier: '4837201956',
  customerNumber: '4837201956',
  id: randomUUID(),
  key: 'seat',
  codespace: 'dem',
  clientId: 'partner',
};
const ARCHIVE = form([{ bytes: Buffer.alloc(300_000, 'x') }]);

const documentOf = (area: AreaName) => new URL(`../../api/${area}/openapi.yaml`, import.meta.url);
const routes = AREAS.flatMap((area) =>
  loadDocument(documentOf(area), 'Service')
    .operations.filter(({ body, scopes }) => body.size > 0 && scopes)
    .map((operation) => ({ area, operation, name: `${operation.method} ${operation.path}` })),
);
const scopesOf = (area: AreaName) => [
  ...new Set(routes.flatMap(({ area: each, operation }) => (each === area ? (operation.scopes ?? []) : []))),
];

/** A request of which the server has received the head and half of the body. */
interface Begun {
  readonly socket: Socket;
  readonly rest: Buffer;
}

describe('a body that arrives after its token expired', () => {
  let tokens: SignedTokens;
  let customers: CustomersServer;
  let timetable: TimetableServer;
  let catalogue: RunningServer;
  let connection: Connection;
  let auth: AuthServer;
  const answers = new Map<string, string>();
  let customersBefore: number;
  const uploadKey = randomUUID();

  before(async () => {
    tokens = await createSignedTokens();
    const { verifyToken } = tokens;
    customers = await startCustomers({ verifyToken });
    timetable = await startTimetable({ verifyToken });
    connection = await connectMongo((await useMongo()).uri(`late-${randomUUID().slice(0, 8)}`));
    const { area, findChannel } = catalogueArea(connection);
    const idempotency = keyedRequests(connection);
    const app = createApp({ areas: [area], log: silentLog, verifyToken, idempotency, findChannel });
    catalogue = await serve(app, { host: '127.0.0.1', port: 0, graceMs: 1_000 });
    auth = await startAuth();
    await makeCodespace();
    customersBefore = await countDocuments(customers.connection);
    const expired = delay(LEFT_SECONDS * 1000 + 1500);
    const late = new Map(await Promise.all(AREAS.map(async (area) => [area, await lateToken(area)] as const)));
    const begun = await Promise.all(
      routes.map(async ({ area, operation, name }) => ({
        name,
        ...(await begin(urlOf(area), operation, late.get(area) ?? '')),
      })),
    );
    await expired;
    await Promise.all(begun.map(async ({ name, ...request }) => answers.set(name, await finish(request))));
  });
  after(async () => {
    await Promise.all([customers, timetable, catalogue, auth].map((server) => server?.close()));
    await connection?.dropDatabase();
    await connection?.close();
  });

  const urlOf = (area: AreaName) => ({ customers, timetable, catalogue, auth })[area].url;

  async function makeCodespace(): Promise<void> {
    const { status } = await timetable.call('/timetable/v1/codespaces/dem', {
      method: 'PUT',
      token: await tokens.sign({ organisationId: 1, scopes: ['codespaces:write'], codespaces: ['*'] }),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Demo', ownerOrganisationId: 1 }),
    });
    assert.ok(status < 300);
  }

  async function lateToken(area: AreaName): Promise<string> {
    const livesSeconds = LEFT_SECONDS - TOLERANCE_SECONDS;
    const scopes = scopesOf(area);
    if (area !== 'auth') return await tokens.sign({ organisationId: 1, scopes, codespaces: ['*'], livesSeconds });
    const issuedAt = new Date(Date.now() + (livesSeconds - LIFETIME_SECONDS) * 1000);
    const sign = createTokenSigner({
      issuer: auth.url,
      audience: AUDIENCE,
      lifetimeSeconds: LIFETIME_SECONDS,
      now: () => issuedAt,
      signingKey: async () => auth.signingKey,
    });
    return await sign(await auth.clients.get(OPERATOR.client_id), scopes.join(' '));
  }

  /** The server sends `100 Continue` once it has accepted head and token. */
  async function begin(url: string, operation: OperationEntry, token: string): Promise<Begun> {
    const { streamedBody } = operation;
    const content = operation.operationId === 'createProfile' ? newProfile() : {};
    const body = streamedBody ? ARCHIVE.body : Buffer.from(JSON.stringify(content));
    const type = streamedBody ? ARCHIVE.headers['content-type'] : 'application/json';
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => PATH[name] ?? name);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const head = [`${operation.method} ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`];
    head.push(`Content-Type: ${type}`, `Content-Length: ${body.length}`, 'Expect: 100-continue', 'Connection: close');
    if (operation.takesIdempotencyKey) head.push(`Idempotency-Key: ${uploadKey}`);
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    assert.match(String(answer), /^HTTP\/1\.1 100 Continue\r\n\r\n$/, path);
    const half = Math.floor(body.length / 2);
    socket.write(body.subarray(0, half));
    return { socket, rest: body.subarray(half) };
  }

  async function finish({ socket, rest }: Begun): Promise<string> {
    socket.write(rest);
    let text = '';
    for await (const chunk of socket as AsyncIterable<Buffer>) text += chunk;
    return text;
  }

  for (const { name } of routes) {
    it(`gets 408 from ${name}`, () => {
      const [head = '', body = ''] = (answers.get(name) ?? '').split('\r\n\r\n');
      assert.match(head, /^HTTP\/1\.1 408 /);
      assert.match(head, /^content-type: application\/problem\+json$/im);
      const { status, code, detail } = JSON.parse(body) as Record<string, unknown>;
      assert.deepEqual([status, code], [408, 'TOKEN_EXPIRED_DURING_REQUEST']);
      assert.match(String(detail), /Get a new one and send the request again/);
    });
  }

  it('has no effect', async () => {
    assert.equal(await countDocuments(customers.connection), customersBefore);
    assert.equal(await countDocuments(connection), 0);
    assert.equal(await timetable.countImports(), 0);
    assert.deepEqual(await timetable.listObjects(), []);
  });

  it('is accepted under the same idempotency key with a new token', async () => {
    const token = await tokens.sign({ organisationId: 1, scopes: ['timetable:write'], codespaces: ['*'] });
    const answer = await timetable.upload(ARCHIVE, { token, headers: { 'idempotency-key': uploadKey } });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['idempotency-replayed'], undefined);
    assert.equal(await timetable.countImports(), 1);
  });
});

async function countDocuments({ db }: Connection): Promise<number> {
  const collections = (await db?.collections()) ?? [];
  const counts = await Promise.all(collections.map((collection) => collection.countDocuments()));
  return counts.reduce((sum, count) => sum + count, 0);
}
