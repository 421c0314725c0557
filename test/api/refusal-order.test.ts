/** A request with several faults must be refused in this order: token, path and method, scope, existence, content. */
import assert from 'node:assert/strict';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { startParcels, type TestServer, TOKEN } from './support/parcels.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const READER = { authorization: 'Bearer reader/1/parcels:read' };

describe('the order of refusals', () => {
  let server: TestServer;
  let lookUps = 0;

  before(async () => {
    server = await startParcels({
      finds: {
        patchParcel: async ({ path, caller }) => {
          lookUps += 1;
          if (path.parcelId === 'bad') throw new Error('the database is away');
          if (path.parcelId !== 'own' || caller.organisationId !== 1) throw new ServiceError('NOT_FOUND', 'No parcel.');
        },
      },
      replaced: {
        patchParcel: async () => {
          throw new ServiceError('VALIDATION_FAILED', 'The note means nothing.', { status: 422 });
        },
      },
    });
  });
  after(async () => {
    await server.close();
  });

  async function codeOf(path: string, init: RequestInit = {}): Promise<string> {
    const response = await fetch(`${server.url}${path}`, init);
    const { code } = (await response.json()) as { code: string };
    return `${response.status} ${code}`;
  }
  const patch = (parcelId: string, body: string, headers: Record<string, string> = {}) =>
    codeOf(`/v1/parcels/${parcelId}`, { method: 'PATCH', headers: { ...TOKEN, ...JSON_TYPE, ...headers }, body });

  it('starts with the token, below a path that needs one', async () => {
    assert.equal(await codeOf('/v1/labels/nothing?x=y'), '401 MISSING_TOKEN');
    assert.equal(await codeOf('/v1/labels', { method: 'DELETE' }), '401 MISSING_TOKEN');
    assert.equal(await codeOf('/v1/labels/%ff'), '401 MISSING_TOKEN');
    assert.equal(await codeOf('/v1/parcels/ABC', { method: 'PATCH', body: 'x' }), '401 MISSING_TOKEN');
    assert.equal(await codeOf('/v1/labelsandmore'), '404 NOT_FOUND');
  });

  it('continues with path and method, then scope, then the path parameters', async () => {
    assert.equal(await codeOf('/v1/labels/nothing', { headers: READER }), '404 NOT_FOUND');
    assert.equal(await codeOf('/v1/labels', { method: 'DELETE', headers: READER }), '405 METHOD_NOT_ALLOWED');
    assert.equal(await patch('OWN', '', READER), '403 INSUFFICIENT_SCOPE');
    assert.equal(await patch('OWN', ''), '400 INVALID_IDENTIFIER');
  });

  it('has existence before the content of the request', async () => {
    for (const [body, headers, code] of [
      ['{', {}, '400 MALFORMED_JSON'],
      ['{"colour":1}', {}, '400 VALIDATION_FAILED'],
      ['{}', {}, '422 VALIDATION_FAILED'],
      ['{}', { 'content-type': 'text/plain' }, '415 UNSUPPORTED_MEDIA_TYPE'],
      ['{}', { accept: 'image/png' }, '406 NOT_ACCEPTABLE'],
      ['{}', { 'x-correlation-id': 'mine' }, '400 VALIDATION_FAILED'],
      [`"${'x'.repeat(262_144)}"`, {}, '413 PAYLOAD_TOO_LARGE'],
    ] as const) {
      assert.equal(await patch('own', body, headers), code);
      assert.equal(await patch('abc', body, headers), '404 NOT_FOUND', code);
      assert.equal(
        await patch('own', body, { ...headers, authorization: 'Bearer x/2/parcels:write' }),
        '404 NOT_FOUND',
      );
    }
  });

  it('does not change when the look-up fails for another reason, and makes no needless look-up', async () => {
    assert.equal(await patch('bad', '{'), '400 MALFORMED_JSON');
    lookUps = 0;
    await patch('OWN', '{');
    await patch('own', '{', { authorization: 'Bearer x/1/parcels:read' });
    assert.equal(lookUps, 0);
  });
});
