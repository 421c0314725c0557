/**
 * Posts to addresses that clients have given. Outside development the agent connects to public addresses alone: it checks
 * those that the name resolved to, in the very connection that it opens, so a name that resolves anew cannot pass. Redirects
 * are not followed, and the answer's body is not kept. Callers: webhooks, callbacks of payments.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { createNameLookup } from './name-lookup.ts';
import { findAddressFault } from './public-address.ts';

export interface GuardedPostOptions {
  /** In development: receivers are on this machine. */
  readonly open: boolean;
  /** PEM; besides those of Node. */
  readonly authorities?: readonly string[];
  /** Resolves names; the guard checks what it answers. */
  readonly lookup?: LookupFunction;
  /** How long a connection is kept that nothing is sent on. */
  readonly idleMs?: number;
}

/** What the guard refuses: the address is private, or not of HTTPS. */
export class AddressRefused extends Error {}

/** More of an answer is not read: the connection is closed. */
const MAX_ANSWER_BYTES = 65_536;
/** Of one receiver. */
const IDLE_SOCKETS = 64;
/** A client may name any number of receivers, and each could keep its connection open. */
const IDLE_MS = 30_000;

export class GuardedPost {
  readonly #open: boolean;
  readonly #agents: { readonly 'http:': RequestFilteringHttpAgent; readonly 'https:': RequestFilteringHttpsAgent };

  constructor({ open, authorities, lookup: given, idleMs: timeout = IDLE_MS }: GuardedPostOptions) {
    this.#open = open;
    // In development receivers have names of the file of hosts, as localhost.
    const lookup = given ?? (open ? undefined : createNameLookup());
    const rules = { allowPrivateIPAddress: open, allowMetaIPAddress: open };
    const sockets = { keepAlive: true, maxFreeSockets: IDLE_SOCKETS, timeout, ...(lookup && { lookup }) };
    this.#agents = {
      'http:': new RequestFilteringHttpAgent({ ...rules, ...sockets }),
      'https:': new RequestFilteringHttpsAgent({ ...rules, ...sockets, ...(authorities && { ca: [...authorities] }) }),
    };
  }

  /** Answers the status. Throws AddressRefused, and what the connection throws. */
  async post(url: URL, headers: Record<string, string | number>, body: string, signal: AbortSignal): Promise<number> {
    const secure = url.protocol === 'https:';
    // Also what the agent takes for public: an address of IPv6 that holds one of IPv4.
    if (findAddressFault(url, this.#open)) throw new AddressRefused();
    const options = { method: 'POST', headers, signal, agent: this.#agents[secure ? 'https:' : 'http:'] };
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const request = (secure ? requestHttps : requestHttp)(url, options, (response) => {
      resolve(response.statusCode ?? 0);
      discard(response);
    });
    request.on('error', (error) => reject(isRefused(error) ? new AddressRefused('', { cause: error }) : error));
    request.end(body);
    return await promise;
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

/** The library's errors have a text and no code. */
function isRefused({ message }: Error): boolean {
  return /is not allowed\. Because/.test(message);
}

/** Reads a short body, so that the connection can be used again. */
function discard(response: IncomingMessage): void {
  let bytes = 0;
  response.on('error', () => undefined);
  response.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) response.destroy();
  });
}
