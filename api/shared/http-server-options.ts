/**
 * Options of an HTTP server from the environment: listen address, TLS of its own or behind a proxy, and the rule for plain HTTP.
 * Callers: the HTTP processes at start. Opens no port.
 */
import { z } from 'zod';
import { ConfigError, type environmentShape, fields, listenShape } from '../../platform/config.ts';
import type { Logger } from '../../platform/log.ts';
import { HttpsRule } from './https-rule.ts';
import { OpenRequests } from './open-requests.ts';
import type { ServeOptions } from './serve.ts';
import { TlsCertificate } from './tls-certificate.ts';
import { trustedProxiesShape } from './trusted-proxies.ts';

const publicUrl = z
  .url({ protocol: /^https?$/ })
  .refine(isPlainBase, 'must be a URL without user, query and fragment')
  .transform((url) => url.replace(/\/$/, ''));

const count = z.coerce.number().int().positive();

export function httpServerShape() {
  return {
    ...listenShape,
    ...trustedProxiesShape,
    /** Set both or neither. Without them TLS ends at a proxy. */
    TLS_CERT_FILE: z.string().optional(),
    TLS_KEY_FILE: z.string().optional(),
    /** A plain port in addition to a TLS port, for redirects and probes. */
    HTTP_PORT: fields.port.optional(),
    /** Open connections of each port: all, and of one IPv4 address or IPv6 /64. */
    MAX_CONNECTIONS: count.default(15_000),
    MAX_CONNECTIONS_PER_ADDRESS: count.default(1_000),
    /**
     * Open requests of one IPv4 address or IPv6 /64, behind trusted proxies too. More than the slots of several clients
     * (event readers, uploads); so many bodies of 256 KiB are 128 MiB.
     */
    MAX_OPEN_REQUESTS_PER_ADDRESS: count.default(500),
    /** The base URL that callers use. Redirects go there. */
    PUBLIC_URL: publicUrl.optional(),
    /** Port of redirects when `PUBLIC_URL` is not set. */
    HTTPS_PORT: fields.port.min(1).optional(),
  };
}

type HttpServerConfig = z.infer<
  z.ZodObject<ReturnType<typeof httpServerShape> & Pick<typeof environmentShape, 'ENVIRONMENT'>>
>;

export interface HttpServerOptions {
  /** Options of `createApp`. */
  readonly app: {
    readonly https: HttpsRule;
    readonly openRequests: OpenRequests;
  };
  /** Options of `serve`. */
  readonly listen: ServeOptions;
}

/** The server's own URL by another variable: its public URL when `PUBLIC_URL` is not set. */
export interface OwnUrl {
  readonly variable: string;
  readonly url: string;
}

export function readHttpServerOptions(config: HttpServerConfig, log: Logger, own?: OwnUrl): HttpServerOptions {
  const { ENVIRONMENT, HTTP_PORT: plainPort, PORT, TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = config;
  const required = ENVIRONMENT !== 'development';
  checkTogether(config, required);
  const url = config.PUBLIC_URL ?? own?.url.replace(/\/$/, '');
  if (required && url === undefined) {
    log.warn('PUBLIC_URL is not set: plain HTTP is redirected to the host name of the request');
  } else if (required && !url?.startsWith('https:')) {
    refuse(
      config.PUBLIC_URL === undefined ? (own?.variable ?? 'PUBLIC_URL') : 'PUBLIC_URL',
      'must start with https:// outside development',
    );
  }
  const certificate = certFile && keyFile ? new TlsCertificate({ certFile, keyFile }) : undefined;
  return {
    app: {
      https: new HttpsRule({
        required,
        trustedProxies: config.TRUSTED_PROXIES,
        strictTransport: ENVIRONMENT === 'production',
        publicUrl: url,
        httpsPort: config.HTTPS_PORT ?? (certificate && PORT !== 0 ? PORT : 443),
      }),
      openRequests: new OpenRequests({
        perAddress: config.MAX_OPEN_REQUESTS_PER_ADDRESS,
        trustedProxies: config.TRUSTED_PROXIES,
      }),
    },
    listen: {
      host: config.HOST,
      port: PORT,
      graceMs: config.SHUTDOWN_GRACE_MS,
      drainMs: required ? DRAIN_MS : 0,
      ...(certificate && { certificate }),
      ...(plainPort !== undefined && { plainPort }),
      connections: {
        total: config.MAX_CONNECTIONS,
        perAddress: config.MAX_CONNECTIONS_PER_ADDRESS,
        trustedProxies: config.TRUSTED_PROXIES,
      },
    },
  };
}

/**
 * Under load, proxies use each idle connection within this time; the proxy of the composition looks for processes every
 * second.
 */
const DRAIN_MS = 1_500;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

function checkTogether({ HOST, PORT, HTTP_PORT, ...files }: HttpServerConfig, required: boolean): void {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = files;
  if (!required && !isLoopback(HOST)) refuse('HOST', 'must be a loopback address in development');
  if (certFile === undefined && keyFile !== undefined) refuse('TLS_CERT_FILE', 'is needed with TLS_KEY_FILE');
  if (certFile !== undefined && keyFile === undefined) refuse('TLS_KEY_FILE', 'is needed with TLS_CERT_FILE');
  if (HTTP_PORT === undefined) return;
  if (certFile === undefined) refuse('HTTP_PORT', 'needs TLS_CERT_FILE: without TLS there is only PORT');
  if (HTTP_PORT === PORT && PORT !== 0) refuse('HTTP_PORT', 'must differ from PORT');
}

/** True for a text that is no URL: the URL check has reported it. */
function isPlainBase(text: string): boolean {
  const url = URL.parse(text);
  return !url || `${url.username}${url.password}${url.search}${url.hash}` === '';
}

function refuse(variable: string, fault: string): never {
  throw new ConfigError([`${variable}: ${fault}`]);
}
