/** Secrets of webhooks at rest: unreadable without the key, and for no other webhook. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { WebhookSecrets } from '../../../../activities/events/webhooks/webhook-secrets.ts';
import { parseKeyRing } from '../../../../platform/keys/key-ring.ts';
import type { WebhookId } from '../../../../workflows/shared/ids.ts';
import { ONE, TWO } from '../support.ts';

const [k1, k2] = [1, 2].map((n) => `k${n}:${randomBytes(32).toString('base64')}`);
const secretsWith = (...keys: (string | undefined)[]) =>
  new WebhookSecrets(parseKeyRing(keys.join(','), 'WEBHOOK_KEYS'));
const owner = { _id: 'w1' as WebhookId, organisationId: ONE };

describe('the secret of a webhook', () => {
  const sealed = secretsWith(k1).seal(owner, 'secret of the receiver');

  it('is sealed, and opens for its webhook alone', () => {
    assert.ok(!Buffer.from(sealed.secret.buffer).includes('secret of'));
    assert.equal(
      secretsWith(k2, k1)
        .open({ ...owner, ...sealed })
        .toString(),
      'secret of the receiver',
    );
    assert.throws(() => secretsWith(k1).open({ ...owner, _id: 'w2' as WebhookId, ...sealed }));
    assert.throws(() => secretsWith(k1).open({ ...owner, organisationId: TWO, ...sealed }));
    assert.throws(() => secretsWith(k2).open({ ...owner, ...sealed }), /lacks the key k1/);
  });

  it('is sealed anew once another key writes', () => {
    assert.equal(secretsWith(k1, k2).renew({ ...owner, ...sealed }), undefined);
    const renewed = secretsWith(k2, k1).renew({ ...owner, ...sealed });
    assert.equal(renewed?.secretKeyId, 'k2');
    assert.ok(renewed);
    assert.equal(
      secretsWith(k2)
        .open({ ...owner, ...renewed })
        .toString(),
      'secret of the receiver',
    );
  });
});
