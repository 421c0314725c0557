/**
 * Sends one signed event to a webhook. Outside development the agent connects to public addresses alone: it checks those that
 * the name resolved to, in the very connection that it opens, so a name that resolves anew cannot pass. Redirects are not
 * followed, and the answer's body is not kept.
 *
 * Caller: the runner of a webhook.
 */
import { createHmac } from 'node:crypto';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { findAddressFault } from '../../shared/public-address.ts';
import { createNameLookup } from './name-lookup.ts';
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

export interface WebhookRequestsOptions {
  /** In development: receivers are on this machine. */
  readonly open: boolean;
  /** As in `Service-Signature`. */
  readonly headerPrefix: string;
  readonly timeoutMs?: number;
  /** PEM; besides those of Node. */
  readonly authorities?: readonly string[];
  /** Resolves names; the guard checks what it answers. */
  readonly lookup?: LookupFunction;
  readonly now?: () => Date;
}

const TIMEOUT_MS = 10_000;
/** More of an answer is not read: the connection is closed. */
const MAX_ANSWER_BYTES = 65_536;
const IDLE_SOCKETS = 64;

export class WebhookRequests {
  readonly #options: WebhookRequestsOptions;
  readonly #agents: { readonly 'http:': RequestFilteringHttpAgent; readonly 'https:': RequestFilteringHttpsAgent };

  constructor(options: WebhookRequestsOptions) {
    this.#options = options;
    const { open, authorities } = options;
    // In development receivers have names of the file of hosts, as localhost.
    const lookup = options.lookup ?? (open ? undefined : createNameLookup());
    const rules = { allowPrivateIPAddress: open, allowMetaIPAddress: open };
    const sockets = { keepAlive: true, maxFreeSockets: IDLE_SOCKETS, ...(lookup && { lookup }) };
    this.#agents = {
      'http:': new RequestFilteringHttpAgent({ ...rules, ...sockets }),
      'https:': new RequestFilteringHttpsAgent({ ...rules, ...sockets, ...(authorities && { ca: [...authorities] }) }),
    };
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
      const status = await this.#post(new URL(url), headers, body, AbortSignal.any([signal, limit]));
      const delivered = status >= 200 && status < 300;
      return delivered ? { delivered } : { delivered, reason: 'STATUS', status };
    } catch (error) {
      signal.throwIfAborted();
      return { delivered: false, reason: limit.aborted ? 'TIMEOUT' : reasonOf(error) };
    }
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #post(url: URL, headers: Record<string, string | number>, body: string, signal: AbortSignal): Promise<number> {
    const secure = url.protocol === 'https:';
    // The agent knows fewer blocks that are not public.
    if (findAddressFault(url, this.#options.open)) throw new AddressRefused();
    const options = { method: 'POST', headers, signal, agent: this.#agents[secure ? 'https:' : 'http:'] };
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const request = (secure ? requestHttps : requestHttp)(url, options, (response) => {
      resolve(response.statusCode ?? 0);
      discard(response);
    });
    request.on('error', reject);
    request.end(body);
    return await promise;
  }
}

class AddressRefused extends Error {}

/** Reads a short body, so that the connection can be used again. */
function discard(response: IncomingMessage): void {
  let bytes = 0;
  response.on('error', () => undefined);
  response.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) response.destroy();
  });
}

/** What a receiver computes, too: HMAC-SHA256 of `<t>.<body>`. */
export function signatureOf(secret: Uint8Array, seconds: number, body: string): string {
  return createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
}

function reasonOf(error: unknown): FailureReason {
  const { code = '', message } = error as NodeJS.ErrnoException;
  // The library's errors have a text and no code.
  if (error instanceof AddressRefused || /is not allowed\. Because/.test(message)) return 'ADDRESS_REFUSED';
  if (/^(ENOTFOUND|EAI_)/.test(code)) return 'NAME_UNKNOWN';
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code)) return 'CERTIFICATE';
  return 'NO_CONNECTION';
}
