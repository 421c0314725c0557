/** Links of payment pages: the same while their key is kept, and nobody's without it. */
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { PageTokens } from '../../../activities/payment-page/page-tokens.ts';
import { ReturnLinks } from '../../../activities/payment-page/return-links.ts';
import { parseConfig } from '../../../platform/config.ts';
import { parseKeyRing } from '../../../platform/keys/key-ring.ts';
import type { OrderId, PaymentPageId } from '../../../workflows/shared/ids.ts';

const OLD = randomBytes(32);
const NEW = randomBytes(32);
const PAGE = {
  id: '6f0d2a3e-0f3c-8b11-9d4e-5a1f0f2d7c01' as PaymentPageId,
  orderId: 'K7QW2MXP' as OrderId,
  keyId: 'old',
  contentMark: 'content',
};

function tokensOf(keys: Readonly<Record<string, Buffer>>): PageTokens {
  const text = Object.entries(keys).map(([id, key]) => `${id}:${key.toString('base64')}`);
  return new PageTokens(parseKeyRing(text.join(), 'PAYMENT_PAGE_KEYS'), 'https://pay.example');
}

describe('links of payment pages', () => {
  const tokens = tokensOf({ old: OLD });
  const token = tokens.urlOf(PAGE).split('/').at(-1) ?? '';

  it('end with the first 128 bits of an HMAC over the page', () => {
    const mac = createHmac('sha256', OLD).update(PAGE.id).digest().subarray(0, 16);
    assert.equal(tokens.urlOf(PAGE), `https://pay.example/K7QW2MXP/${mac.toString('base64url')}`);
    assert.ok(tokens.isTokenOf(PAGE, token));
  });

  it('stay the same when another key comes first, and are new for new pages', () => {
    const rotated = tokensOf({ new: NEW, old: OLD });
    assert.equal(rotated.writingKeyId, 'new');
    assert.equal(rotated.urlOf(PAGE), tokens.urlOf(PAGE));
    assert.ok(rotated.isTokenOf(PAGE, token));
    assert.notEqual(rotated.urlOf({ ...PAGE, keyId: 'new' }), tokens.urlOf(PAGE));
    assert.ok(!rotated.isTokenOf({ ...PAGE, keyId: 'new' }, token));
  });

  it('end with their key', () => {
    const without = tokensOf({ new: NEW });
    assert.ok(!without.isTokenOf(PAGE, token));
    assert.ok(!without.isTokenOf(PAGE, ''));
    assert.throws(() => without.urlOf(PAGE), /PAYMENT_PAGE_KEYS lacks the key old/);
  });

  it('are where terminals send customers back to, in their language', () => {
    const env = { PAYMENT_PAGE_KEYS: `old:${OLD.toString('base64')}`, PAYMENT_PAGE_URL: 'https://pay.example/' };
    const links = new ReturnLinks((shape) => parseConfig(shape, env));
    const { id: pageId, orderId, keyId } = PAGE;
    assert.equal(links.returnUrlOf({ orderId, pageId, keyId }, 'nno'), `${tokens.urlOf(PAGE)}/return?lang=nn`);
    assert.throws(() => links.returnUrlOf({ orderId, pageId, keyId: 'new' }, 'nob'), /lacks the key new/);
  });

  it('are no others', () => {
    for (const wrong of ['', 'A', `${token}A`, token.slice(1), token.toUpperCase(), `${token}=`]) {
      assert.ok(!tokens.isTokenOf(PAGE, wrong), wrong);
    }
  });

  it('have forms that are bound to page, attempt and amount, and are no tokens', () => {
    const nonce = tokens.nonceOf(PAGE, { attempt: 3, amountMinor: 34_900 });
    assert.deepEqual(tokens.readNonce(PAGE, nonce), { attempt: 3, amountMinor: 34_900 });
    const other = { ...PAGE, id: '6f0d2a3e-0f3c-8b11-9d4e-5a1f0f2d7c02' as PaymentPageId };
    assert.equal(tokens.readNonce(other, nonce), undefined);
    assert.equal(tokens.readNonce({ ...PAGE, contentMark: 'other' }, nonce), undefined);
    for (const changed of [
      nonce.replace('3.', '4.'),
      nonce.replace('34900', '1'),
      `${nonce}A`,
      token,
      `3.34900.${token}`,
    ]) {
      assert.equal(tokens.readNonce(PAGE, changed), undefined, changed);
    }
  });
});
