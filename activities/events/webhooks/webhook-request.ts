/** Sends one signed event to a webhook, by the guarded client. Caller: the runner of a webhook. */
import { createHmac } from 'node:crypto';
import { AddressRefused, GuardedPost, type GuardedPostOptions } from '../../shared/guarded-post.ts';
import type { FailureReason } from './webhook-document.ts';

export interface DeliveryRequest {
  readonly url: string;
  readonly secret: Uint8Array;
  readonly body: string;
  /** Ends the delivery; it is then as if it had not begun. */
  readonly signal: AbortSignal;
}

export type DeliveryOutcome =
  | { readonly delivered: true }
  | { readonly delivered: false; readonly reason: FailureReason; readonly status?: number };

export interface WebhookRequestsOptions extends GuardedPostOptions {
  /** As in `Service-Signature`. */
  readonly headerPrefix: string;
  readonly timeoutMs?: number;
  readonly now?: () => Date;
}

const TIMEOUT_MS = 10_000;

export class WebhookRequests {
  readonly #options: WebhookRequestsOptions;
  readonly #guarded: GuardedPost;

  constructor(options: WebhookRequestsOptions) {
    this.#options = options;
    this.#guarded = new GuardedPost(options);
  }

  /** Throws only when `signal` was aborted. */
  async send({ url, secret, body, signal }: DeliveryRequest): Promise<DeliveryOutcome> {
    const { headerPrefix, timeoutMs = TIMEOUT_MS, now = () => new Date() } = this.#options;
    const limit = AbortSignal.timeout(timeoutMs);
    const seconds = Math.floor(now().getTime() / 1_000);
    const headers = {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Samferd-Webhooks',
      [`${headerPrefix}-Signature`]: `t=${seconds},v1=${signatureOf(secret, seconds, body)}`,
    };
    try {
      const status = await this.#guarded.post(new URL(url), headers, body, AbortSignal.any([signal, limit]));
      const delivered = status >= 200 && status < 300;
      return delivered ? { delivered } : { delivered, reason: 'STATUS', status };
    } catch (error) {
      signal.throwIfAborted();
      return { delivered: false, reason: limit.aborted ? 'TIMEOUT' : reasonOf(error) };
    }
  }

  close(): void {
    this.#guarded.close();
  }
}

/** What a receiver computes, too: HMAC-SHA256 of `<t>.<body>`. */
export function signatureOf(secret: Uint8Array, seconds: number, body: string): string {
  return createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
}

function reasonOf(error: unknown): FailureReason {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (error instanceof AddressRefused) return 'ADDRESS_REFUSED';
  if (/^(ENOTFOUND|EAI_)/.test(code)) return 'NAME_UNKNOWN';
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code)) return 'CERTIFICATE';
  return 'NO_CONNECTION';
}
