/** Tests the header that names a settlement: which requests it stops, and what handlers get. */
import assert from 'node:assert/strict';
import { createApp } from '../../api/shared/app.ts';
import type { IdempotencyParts } from '../../api/shared/idempotency.ts';
import { loadDocument } from '../../api/shared/openapi-document.ts';
import type { Area, Operation, OperationTypes } from '../../api/shared/operation.ts';
import { type RunningServer, serve } from '../../api/shared/serve.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import type { DistributionChannelId, SettlementId } from '../../workflows/shared/ids.ts';
import { channel, PAGE } from '../activities/catalogue/support.ts';
import { useMongo } from '../support/stack.ts';
import { keyedRequests } from './support/keyed-requests.ts';
import { readPlainToken, silentLog } from './support/parcels.ts';

const DOCUMENT = new URL('./support/channels.openapi.yaml', import.meta.url);
const OTHER = 'SVC:DistributionChannel:Other';
const OPEN = new Map([
  ['1/4711', PAGE],
  ['1/4712', OTHER],
  ['2/4713', PAGE],
]);

const put: Operation<OperationTypes> = async ({ settlementId }) => ({ status: 200, json: { settlementId } });
const list: Operation<OperationTypes> = async ({ settlementId }) => ({ status: 200, json: { settlementId } });
const area: Area = {
  name: 'channels',
  document: DOCUMENT,
  operations: { listKiosks: list, putKiosk: put },
  finds: { putKiosk: async () => undefined },
};

describe('The settlement of a request', () => {
  let server: RunningServer;
  const start = async (headerPrefix = 'Service', idempotency?: IdempotencyParts) => {
    const app = createApp({
      ...{ areas: [area], log: silentLog, verifyToken: readPlainToken, headerPrefix },
      ...(idempotency && { idempotency }),
      findChannel: async (id) => [channel(), channel({ id: OTHER })].find((each) => each.id === id),
      findSettlement: async (organisation, id) => {
        const distributionChannelId = OPEN.get(`${organisation}/${id}`) as DistributionChannelId | undefined;
        return distributionChannelId && { id: id as SettlementId, distributionChannelId };
      },
    });
    return await serve(app, { host: '127.0.0.1', port: 0, graceMs: 1_000 });
  };
  beforeEach(async () => {
    server = await start();
  });
  afterEach(async () => await server.close());

  const send = async (headers: Record<string, string>, { method = 'PUT', path = '/kiosks/harbour' } = {}) => {
    const common = { authorization: 'Bearer shop/1/kiosks:write', 'service-distribution-channel': PAGE };
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { ...common, ...headers, ...(method === 'PUT' && { 'content-type': 'application/json' }) },
      ...(method === 'PUT' && { body: '{"street":"Quay 1"}' }),
    });
    const { settlementId, code, errors } = (await response.json()) as {
      readonly settlementId?: string;
      readonly code?: string;
      readonly errors?: readonly { readonly pointer: string }[];
    };
    return [response.status, settlementId ?? code, ...(errors ?? []).map(({ pointer }) => pointer)];
  };
  const named = (id: string) => ({ 'service-settlement-id': id });

  it('is given to the handler, and may be absent', async () => {
    assert.deepEqual(await send(named('4711')), [200, '4711']);
    assert.deepEqual(await send({}), [200, undefined]);
  });

  for (const [what, id] of [
    ['no number', 'abc'],
    ['too long', '1234567890123456789'],
    ['empty', ''],
    ['unknown or closed', '9'],
    ["another channel's", '4712'],
    ["another organisation's", '4713'],
  ] as const) {
    it(`is refused when it is ${what}`, async () => {
      assert.deepEqual(await send(named(id)), [400, 'INVALID_SETTLEMENT_ID', '/header/Service-Settlement-Id']);
    });
  }

  it('is no matter for a repeat, which gets its answer also when the settlement was closed since', async () => {
    const connection = await connectMongo((await useMongo()).uri('settlement-header'));
    try {
      const idempotency = keyedRequests(connection);
      await idempotency.store.ensureIndexes();
      await server.close();
      server = await start('Service', idempotency);
      const keyed = (key: string) => ({ ...named('4714'), 'idempotency-key': key });
      OPEN.set('1/4714', PAGE);
      assert.deepEqual(await send(keyed('first')), [200, '4714']);
      OPEN.delete('1/4714');
      assert.deepEqual(await send(keyed('first')), [200, '4714']);
      assert.deepEqual((await send(keyed('second'))).slice(0, 2), [400, 'INVALID_SETTLEMENT_ID']);
      OPEN.set('1/4714', PAGE);
      assert.deepEqual(await send(keyed('second')), [200, '4714']);
    } finally {
      OPEN.delete('1/4714');
      await connection.close();
    }
  });

  it('is ignored where an operation takes none', async () => {
    assert.deepEqual(await send(named('abc'), { method: 'GET', path: '/kiosks' }), [200, undefined]);
  });

  it("has the operator's prefix", async () => {
    await server.close();
    server = await start('Acme');
    const channelHeader = { 'acme-distribution-channel': PAGE };
    assert.deepEqual(await send({ ...channelHeader, 'acme-settlement-id': '4711' }), [200, '4711']);
    assert.deepEqual(await send({ ...channelHeader, 'acme-settlement-id': '9' }), [
      ...[400, 'INVALID_SETTLEMENT_ID'],
      '/header/Acme-Settlement-Id',
    ]);
  });

  it('is described where it is taken', async () => {
    const { operations } = loadDocument(DOCUMENT, 'Service');
    const takes = (id: string) => {
      const parameters = operations.find(({ operationId }) => operationId === id)?.parameters ?? [];
      return parameters.some(({ name }) => name === 'Service-Settlement-Id');
    };
    assert.deepEqual([takes('putKiosk'), takes('listKiosks')], [true, false]);
  });
});
