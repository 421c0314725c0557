/**
 * The secrets of a page's link and of its forms. They are computed whenever they are needed and stored nowhere: each is the start
 * of an HMAC over the page's id under a key of the ring. A page keeps the id of its key, so its link stays the same when the
 * ring gets a new first key. Callers: the creation of pages, the server of the pages.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyRing } from '../../platform/keys/key-ring.ts';
import type { PaymentPage } from '../../workflows/payment-page/rules/page.ts';
import type { PageKeyId } from './page-document.ts';

type Linked = Pick<PaymentPage, 'id' | 'orderId'> & { readonly keyId: PageKeyId };
type Shown = Linked & Pick<PaymentPage, 'contentMark'>;

/** What a form was made for. */
export interface FormFacts {
  readonly attempt: number;
  readonly amountMinor: number;
}

/** 128 bits. */
const TOKEN_BYTES = 16;
const NONCE = /^(\d{1,9})\.(\d{1,15})\.([\w-]{22})$/;

export class PageTokens {
  readonly #keys: KeyRing;
  readonly #base: string;

  /** `base`: the address of the pages, without a slash at its end. */
  constructor(keys: KeyRing, base: string) {
    this.#keys = keys;
    this.#base = base;
  }

  get writingKeyId(): PageKeyId {
    return this.#keys.writingKeyId;
  }

  /** Its holder may see the page and pay: never logged. Throws where the key is gone from the ring. */
  urlOf(page: Linked): string {
    const token = this.#mac(page.keyId, page.id);
    if (!token) throw new Error(`PAYMENT_PAGE_KEYS lacks the key ${page.keyId}`);
    return `${this.#base}/${page.orderId}/${token.toString('base64url')}`;
  }

  /** Takes the same time for every token. */
  isTokenOf(page: Linked, token: string): boolean {
    return isEqual(this.#mac(page.keyId, page.id), token);
  }

  /** Bound to what the page shows: another content, even at the same price, needs another form. */
  nonceOf(page: Shown, { attempt, amountMinor }: FormFacts): string {
    const facts = `${attempt}.${amountMinor}`;
    const mac = this.#mac(page.keyId, formText(page, facts));
    if (!mac) throw new Error(`PAYMENT_PAGE_KEYS lacks the key ${page.keyId}`);
    return `${facts}.${mac.toString('base64url')}`;
  }

  /** Undefined for a nonce that this page has never had with its present content. */
  readNonce(page: Shown, nonce: string): FormFacts | undefined {
    const [, attempt = '', amountMinor = '', mac = ''] = NONCE.exec(nonce) ?? [];
    const isOurs = isEqual(this.#mac(page.keyId, formText(page, `${attempt}.${amountMinor}`)), mac);
    return isOurs ? { attempt: Number(attempt), amountMinor: Number(amountMinor) } : undefined;
  }

  #mac(keyId: PageKeyId, text: string): Buffer | undefined {
    const key = this.#keys.keys.get(keyId);
    return key && createHmac('sha256', key).update(text).digest().subarray(0, TOKEN_BYTES);
  }
}

function formText({ id, contentMark }: Shown, facts: string): string {
  return `form/${id}/${facts}/${contentMark}`;
}

/** Hashes first, so that texts of any length compare in constant time. */
function isEqual(mac: Buffer | undefined, text: string): boolean {
  const expected = hash(mac?.toString('base64url') ?? '');
  return timingSafeEqual(expected, hash(text)) && mac !== undefined;
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
