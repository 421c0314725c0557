/** Tests that fingerprints of requests depend on a key of the server, which can be replaced. */
import assert from 'node:assert/strict';
import { RequestFingerprints } from '../../platform/idempotency/request-fingerprints.ts';
import { parseKeyRing } from '../../platform/keys/key-ring.ts';

const keyOf = (keyId: string, byte: number) => `${keyId}:${Buffer.alloc(32, byte).toString('base64')}`;
const fingerprints = (...keys: string[]) => new RequestFingerprints(parseKeyRing(keys.join(','), 'IDEMPOTENCY_KEYS'));

describe('fingerprints of requests', () => {
  const old = keyOf('old', 1);
  const recent = keyOf('recent', 2);

  it('differ by key, scope and request', () => {
    const made = [
      fingerprints(old).of('scope', 'request'),
      fingerprints(recent).of('scope', 'request'),
      fingerprints(old).of('other', 'request'),
      fingerprints(old).of('scope', 'other'),
    ].flat();
    assert.equal(new Set(made).size, made.length);
    for (const each of made) assert.match(each, /^(old|recent):[0-9a-f]{64}$/);
  });

  it('are written under the first key and recognised under the others', () => {
    const [stored] = fingerprints(old).of('scope', 'request');
    const during = fingerprints(recent, old).of('scope', 'request');
    assert.equal(during[0], fingerprints(recent).of('scope', 'request')[0]);
    assert.ok(during.includes(stored));
    assert.ok(!fingerprints(recent).of('scope', 'request').includes(stored));
  });
});
