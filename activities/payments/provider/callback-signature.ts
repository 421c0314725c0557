/**
 * Checks a signature `t=<unix seconds>,v1=<hex HMAC-SHA256 of t.body>` over the bytes of a callback, in constant time. The
 * time keeps an old callback from being sent again.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

const WINDOW_SECONDS = 300;
const SHAPE = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;

export interface SignedBytes {
  readonly header: string | undefined;
  readonly body: Uint8Array;
  readonly secret: string;
  readonly now: Date;
}

export function isSignatureRight({ header = '', body, secret, now }: SignedBytes): boolean {
  const [, seconds = '', given = ''] = SHAPE.exec(header) ?? [];
  if (seconds === '') return false;
  const expected = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest();
  const isEqual = timingSafeEqual(expected, Buffer.from(given, 'hex'));
  return isEqual && Math.abs(now.getTime() / 1_000 - Number(seconds)) <= WINDOW_SECONDS;
}
