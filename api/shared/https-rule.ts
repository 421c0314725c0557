/**
 * Refuses plain HTTP in staging and production, before the token or the body is read: GET and HEAD are redirected (301), other
 * methods get 405. Health and metrics stay open, because orchestrators ask for them without TLS and they hold no private data.
 * Called by the app for each request. Never trusts headers of the caller, only those of trusted proxies.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Reply } from './operation.ts';
import { isProbe } from './probe-paths.ts';
import type { RequestContext } from './request-context.ts';
import { targetFault } from './target-fault.ts';
import { isSecure, isTrustedPeer, type TrustedProxies } from './trusted-proxies.ts';

export interface HttpsRuleOptions {
  readonly trustedProxies: TrustedProxies;
  /** False in development: plain HTTP is served. */
  readonly required: boolean;
  /** Base URL of redirects, without a trailing slash. Without it they go to the `Host` of the request. */
  readonly publicUrl?: string | undefined;
  /** Port of redirects to the `Host` of the request. */
  readonly httpsPort: number;
  /** Adds `Strict-Transport-Security` to answers. */
  readonly strictTransport: boolean;
}

/** Plain HTTP answers these, with a redirect. */
const PLAIN_METHODS: readonly string[] = ['GET', 'HEAD'];
/** One year. Without `includeSubDomains`: other names of the domain may belong to others. */
const STRICT_TRANSPORT = 'max-age=31536000';
const HOST = /^([A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

export class HttpsRule {
  readonly #options: HttpsRuleOptions;

  constructor(options: HttpsRuleOptions) {
    this.#options = options;
  }

  /** Base URL that callers know; undefined when none is configured. */
  get publicUrl(): string | undefined {
    return this.#options.publicUrl;
  }

  /** The redirect; undefined for a request that may pass. Throws METHOD_NOT_ALLOWED for all others. */
  check(context: RequestContext): Reply | undefined {
    const { request, response, path } = context;
    const { required, strictTransport, trustedProxies } = this.#options;
    if (isSecure(request, trustedProxies)) {
      if (strictTransport) response.setHeader('strict-transport-security', STRICT_TRANSPORT);
      return undefined;
    }
    if (!required || isProbe(path)) return undefined;
    context.operationId = 'plainHttp';
    if (PLAIN_METHODS.includes(request.method ?? ''))
      return { status: 301, headers: { location: this.#target(request) } };
    throw new ServiceError('METHOD_NOT_ALLOWED', 'Plain HTTP is not supported. Send the request again by HTTPS.', {
      headers: { allow: PLAIN_METHODS.join(', ') },
    });
  }

  /** The methods of plain HTTP, for requests that Node's parser refuses; undefined when those of the path apply. */
  allowedOn(socket: Socket): readonly string[] | undefined {
    const { required, trustedProxies } = this.#options;
    const mayBeSecure = 'encrypted' in socket || isTrustedPeer(socket, trustedProxies);
    return required && !mayBeSecure ? PLAIN_METHODS : undefined;
  }

  /** Appends texts: a URL parser would take `//elsewhere` for another host. */
  #target(request: IncomingMessage): string {
    return `${this.#options.publicUrl ?? this.#ownHost(request)}${pathAndQuery(request.url ?? '')}`;
  }

  #ownHost({ headers: { host } }: IncomingMessage): string {
    const name = HOST.exec(host ?? '')?.[1];
    if (name === undefined) throw targetFault('/header/Host', 'must be a host name, with a port or without');
    const { httpsPort } = this.#options;
    return `https://${name}${httpsPort === 443 ? '' : `:${httpsPort}`}`;
  }
}

/** The request target may be a whole URL (RFC 9112 §3.2.2). Node accepts printable ASCII only. */
function pathAndQuery(target: string): string {
  const whole = target.startsWith('/') ? undefined : URL.parse(target);
  const local = whole ? `${whole.pathname}${whole.search}` : target;
  if (!local.startsWith('/')) throw targetFault('/path', 'must be a path');
  return local;
}
