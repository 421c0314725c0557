/**
 * Anything but HTTPS is refused in staging and production: GET and HEAD are sent to the same address by 301, everything else gets 405,
 * before its token is looked at or its body read. Health and metrics are left out: whoever runs the service asks for them inside, without
 * TLS, and they tell nothing private. Caller: the app, at each request. Never trusts what a caller says of himself.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Reply } from './operation.ts';
import type { RequestContext } from './request-context.ts';
import { targetFault } from './target-fault.ts';
import { isSecure, isTrustedPeer, type TrustedProxies } from './trusted-proxies.ts';

export interface HttpsRuleOptions {
  readonly trustedProxies: TrustedProxies;
  /** False in development: plain HTTP is served. */
  readonly required: boolean;
  /** Base URL that callers know, without a trailing slash: redirects go there, whatever name the request was sent to. */
  readonly publicUrl?: string | undefined;
  /** Of redirects where there is no such base URL. */
  readonly httpsPort: number;
  /** Whether callers are told to use nothing but HTTPS from now on. */
  readonly strictTransport: boolean;
}

/** What can be asked without TLS, which is for redirects only. */
const PLAIN_METHODS: readonly string[] = ['GET', 'HEAD'];
const OPEN_PATH = /^\/(health\/(live|ready)|metrics)\/?$/;
/** A year, as is usual; other names of the same domain are none of our business. */
const STRICT_TRANSPORT = 'max-age=31536000';
const HOST = /^([A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

export class HttpsRule {
  readonly #options: HttpsRuleOptions;

  constructor(options: HttpsRuleOptions) {
    this.#options = options;
  }

  /** The redirect; undefined for what may pass. Throws for what must not. */
  check(context: RequestContext): Reply | undefined {
    const { request, response, path } = context;
    const { required, strictTransport, trustedProxies } = this.#options;
    if (isSecure(request, trustedProxies)) {
      if (strictTransport) response.setHeader('strict-transport-security', STRICT_TRANSPORT);
      return undefined;
    }
    if (!required || OPEN_PATH.test(path)) return undefined;
    context.operationId = 'plainHttp';
    if (PLAIN_METHODS.includes(request.method ?? ''))
      return { status: 301, headers: { location: this.#target(request) } };
    throw new ServiceError('METHOD_NOT_ALLOWED', 'Plain HTTP is not supported. Use HTTPS.', {
      headers: { allow: PLAIN_METHODS.join(', ') },
    });
  }

  /** For requests that never become one: methods that whoever is at the other end of the connection may use, if not those of the path. */
  allowedOn(socket: Socket): readonly string[] | undefined {
    const { required, trustedProxies } = this.#options;
    const mayBeSecure = 'encrypted' in socket || isTrustedPeer(socket, trustedProxies);
    return required && !mayBeSecure ? PLAIN_METHODS : undefined;
  }

  /** Text is put behind text: a URL parser would take `//elsewhere` for another host. */
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

/** Of the request target, which may be a whole URL (RFC 9112 §3.2.2). Node lets nothing but printable ASCII come here. */
function pathAndQuery(target: string): string {
  const whole = target.startsWith('/') ? undefined : URL.parse(target);
  const local = whole ? `${whole.pathname}${whole.search}` : target;
  if (!local.startsWith('/')) throw targetFault('/path', 'must be a path');
  return local;
}
