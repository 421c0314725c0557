/** Signs a report as our own webhooks sign theirs: HMAC-SHA256 of `<t>.<body>`, over the bytes that are sent. */
import { createHmac } from 'node:crypto';

export const SIGNATURE_HEADER = 'Provider-Signature';

export function signatureOf(secret: string, body: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1_000);
  const hash = createHmac('sha256', secret).update(`${seconds}.`).update(body, 'utf8').digest('hex');
  return `t=${seconds},v1=${hash}`;
}
