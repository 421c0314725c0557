/** Tests the header that names a distribution channel: which requests it stops, in which order, and what handlers get. */
import assert from 'node:assert/strict';
import { createApp } from '../../api/shared/app.ts';
import { channelOrDefault } from '../../api/shared/distribution-channel.ts';
import { loadDocument } from '../../api/shared/openapi-document.ts';
import type { Area, Operation, OperationTypes } from '../../api/shared/operation.ts';
import { type RunningServer, serve } from '../../api/shared/serve.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { channel, ONE, PAGE, TWO } from '../activities/catalogue/support.ts';
import { readPlainToken, silentLog } from './support/parcels.ts';

type Taking<Use extends 'required' | 'optional'> = Operation<OperationTypes & { readonly channel: Use }>;

const DOCUMENT = new URL('./support/channels.openapi.yaml', import.meta.url);
const OF_TWO = 'SVC:DistributionChannel:Two';
const CHANNELS = [channel(), channel({ id: OF_TWO, organisationIds: [TWO] })];
const OF_ONE = 'Bearer shop/1/kiosks:write';

const listKiosks: Taking<'optional'> = async (context) => ({ status: 200, json: { channel: context.channel?.id } });
const putKiosk: Taking<'required'> = async (context) => ({ status: 200, json: { channel: context.channel.id } });
const area: Area = {
  name: 'channels',
  document: DOCUMENT,
  operations: { listKiosks, putKiosk },
  finds: {
    putKiosk: async ({ path }: { readonly path: Readonly<Record<string, string>> }) => {
      if (path.kioskId === 'absent') throw new ServiceError('NOT_FOUND', 'There is no such kiosk.');
    },
  },
};

interface Body {
  readonly channel?: string;
  readonly code?: string;
  readonly errors?: readonly { readonly pointer: string }[];
}

describe('The distribution channel of a request', () => {
  let server: RunningServer;
  const start = async (headerPrefix = 'Service'): Promise<RunningServer> => {
    const app = createApp({
      areas: [area],
      log: silentLog,
      verifyToken: readPlainToken,
      findChannel: async (id) => CHANNELS.find((each) => each.id === id),
      findSettlement: async () => undefined,
      headerPrefix,
    });
    return await serve(app, { host: '127.0.0.1', port: 0, graceMs: 1_000 });
  };
  beforeEach(async () => {
    server = await start();
  });
  afterEach(async () => await server.close());

  const list = async (headers: Record<string, string>) =>
    await answerOf(await fetch(`${server.url}/kiosks`, { headers: { authorization: OF_ONE, ...headers } }));
  const put = async (headers: Record<string, string>, { kiosk = 'harbour', body = '{"street":"Quay 1"}' } = {}) =>
    await answerOf(
      await fetch(`${server.url}/kiosks/${kiosk}`, {
        method: 'PUT',
        headers: { authorization: OF_ONE, 'content-type': 'application/json', ...headers },
        body,
      }),
    );
  const answerOf = async (response: Response) => {
    const { channel: id, code, errors } = (await response.json()) as Body;
    return { status: response.status, answer: id ?? code, pointers: errors?.map(({ pointer }) => pointer) };
  };
  const named = (id: string) => ({ 'service-distribution-channel': id });
  const pointers = ['/header/Service-Distribution-Channel'];

  it('is given to the handler', async () => {
    assert.deepEqual(await put(named(PAGE)), { status: 200, answer: PAGE, pointers: undefined });
    assert.deepEqual(await list(named(PAGE)), { status: 200, answer: PAGE, pointers: undefined });
  });

  it('may be absent where it is optional', async () => {
    assert.deepEqual(await list({}), { status: 200, answer: undefined, pointers: undefined });
    assert.deepEqual(await put({}), { status: 400, answer: 'MISSING_HEADER', pointers });
  });

  for (const id of ['SVC:DistributionChannel:Nowhere', 'nonsense', `${PAGE}, ${PAGE}`, '']) {
    it(`is unknown as "${id}"`, async () => {
      for (const call of [put, list]) {
        assert.deepEqual(await call(named(id)), { status: 400, answer: 'UNKNOWN_DISTRIBUTION_CHANNEL', pointers });
      }
    });
  }

  it('must be granted to the organisation', async () => {
    for (const call of [put, list]) {
      const { status, answer } = await call(named(OF_TWO));
      assert.deepEqual([status, answer], [403, 'DISTRIBUTION_CHANNEL_FORBIDDEN']);
    }
    const authorization = 'Bearer operator/1/kiosks:write,organisation:any';
    assert.equal((await put({ ...named(OF_TWO), authorization })).answer, OF_TWO);
  });

  it('is checked after token, scope and resource, and before the body', async () => {
    const absent = { kiosk: 'absent' };
    assert.equal((await put({ ...named(OF_TWO), authorization: '' }, absent)).status, 401);
    assert.equal((await put({ authorization: 'Bearer shop/1/other' }, absent)).answer, 'INSUFFICIENT_SCOPE');
    for (const headers of [{}, named('nonsense'), named(OF_TWO)]) {
      assert.equal((await put(headers, absent)).answer, 'NOT_FOUND');
    }
    assert.equal((await put({}, { body: '{}' })).answer, 'MISSING_HEADER');
    assert.equal((await put(named(PAGE), { body: '{}' })).answer, 'VALIDATION_FAILED');
  });

  it("has the operator's prefix", async () => {
    await server.close();
    server = await start('Acme');
    assert.equal((await put({ 'acme-distribution-channel': PAGE })).answer, PAGE);
    assert.deepEqual(await put(named(PAGE)), {
      status: 400,
      answer: 'MISSING_HEADER',
      pointers: ['/header/Acme-Distribution-Channel'],
    });
  });

  it('is described where it is taken', () => {
    const { operations } = loadDocument(DOCUMENT, 'Acme');
    const headers = operations.map(({ operationId, parameters }) => {
      const found = parameters.find(({ name }) => name === 'Acme-Distribution-Channel');
      return [operationId, found?.required];
    });
    assert.deepEqual(headers, [
      ['listKiosks', false],
      ['putKiosk', true],
    ]);
  });

  it('needs a server that knows channels', () => {
    assert.throws(
      () => createApp({ areas: [area], log: silentLog, verifyToken: readPlainToken }),
      /listKiosks takes a distribution channel/,
    );
  });

  it('is else the default of the organisation, if it has one', async () => {
    const caller = await readPlainToken({ request: { headers: { authorization: OF_ONE } } });
    const given = channel({ id: OF_TWO });
    const catalogue = { findDefaultChannel: async (id: number) => (id === ONE ? channel() : undefined) };
    assert.equal((await channelOrDefault({ channel: given, caller }, catalogue)).id, OF_TWO);
    assert.equal((await channelOrDefault({ channel: undefined, caller }, catalogue)).id, PAGE);
    await assert.rejects(
      channelOrDefault({ channel: undefined, caller: { ...caller, organisationId: TWO } }, catalogue),
      {
        code: 'DISTRIBUTION_CHANNEL_FORBIDDEN',
      },
    );
  });
});
