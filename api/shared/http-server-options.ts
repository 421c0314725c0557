/**
 * How callers get into an HTTP process: where it listens, with TLS or behind a proxy that has it, and what plain HTTP gets. Parsed from
 * the environment at start; callers: the three HTTP processes. Opens nothing itself.
 */
import { z } from 'zod';
import { ConfigError, type environmentShape, fields, listenShape } from '../../platform/config.ts';
import type { Logger } from '../../platform/log.ts';
import { HttpsRule } from './https-rule.ts';
import type { ServeOptions } from './serve.ts';
import { TlsCertificate } from './tls-certificate.ts';
import { trustedProxiesShape } from './trusted-proxies.ts';

const publicUrl = z
  .url({ protocol: /^https?$/ })
  .refine(isPlainBase, 'must be a URL without user, query and fragment')
  .transform((url) => url.replace(/\/$/, ''));

/** `trusted`: the proxies that are believed where nothing is said. */
export function httpServerShape(trusted = '') {
  return {
    ...listenShape,
    ...trustedProxiesShape(trusted),
    /** Both or neither; without them TLS ends at a proxy. */
    TLS_CERT_FILE: z.string().optional(),
    TLS_KEY_FILE: z.string().optional(),
    /** With TLS of our own: a plain port beside it, for redirects and probes. */
    HTTP_PORT: fields.port.optional(),
    /** Where callers reach the service; redirects go there. */
    PUBLIC_URL: publicUrl.optional(),
    /** Of redirects, where there is no `PUBLIC_URL`. */
    HTTPS_PORT: fields.port.min(1).optional(),
  };
}

type HttpServerConfig = z.infer<
  z.ZodObject<ReturnType<typeof httpServerShape> & Pick<typeof environmentShape, 'ENVIRONMENT'>>
>;

export interface HttpServerOptions {
  /** For `createApp`. */
  readonly https: HttpsRule;
  /** For `serve`. */
  readonly listen: ServeOptions;
}

/** `usualUrl` is the public URL where none is set: what the process knows under another variable's name. */
export function readHttpServerOptions(
  config: HttpServerConfig,
  log: Logger,
  usualUrl?: { ISSUER: string },
): HttpServerOptions {
  const { ENVIRONMENT, HTTP_PORT: plainPort, PORT, TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = config;
  const required = ENVIRONMENT !== 'development';
  checkTogether(config, required);
  const url = config.PUBLIC_URL ?? usualUrl?.ISSUER.replace(/\/$/, '');
  if (required && url === undefined) {
    log.warn('PUBLIC_URL is not set: plain HTTP is redirected to whatever name its caller has used');
  } else if (required && !url?.startsWith('https:')) {
    refuse(config.PUBLIC_URL === undefined ? 'ISSUER' : 'PUBLIC_URL', 'must start with https:// outside development');
  }
  const certificate = certFile && keyFile ? new TlsCertificate({ certFile, keyFile }) : undefined;
  return {
    https: new HttpsRule({
      ...{ required, trustedProxies: config.TRUSTED_PROXIES, strictTransport: ENVIRONMENT === 'production' },
      publicUrl: url,
      httpsPort: config.HTTPS_PORT ?? (certificate && PORT !== 0 ? PORT : 443),
    }),
    listen: {
      ...{ host: config.HOST, port: PORT, graceMs: config.SHUTDOWN_GRACE_MS, drainMs: required ? DRAIN_MS : 0 },
      ...(certificate && { certificate }),
      ...(plainPort !== undefined && { plainPort }),
    },
  };
}

/** Proxies use an idle connection some times a second where there is load, and the one of the composition looks for processes each second. */
const DRAIN_MS = 1_500;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

function checkTogether({ HOST, PORT, HTTP_PORT, ...files }: HttpServerConfig, required: boolean): void {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = files;
  if (!required && !LOOPBACK.test(HOST)) refuse('HOST', 'must be a loopback address in development');
  if (certFile === undefined && keyFile !== undefined) refuse('TLS_CERT_FILE', 'is needed with TLS_KEY_FILE');
  if (certFile !== undefined && keyFile === undefined) refuse('TLS_KEY_FILE', 'is needed with TLS_CERT_FILE');
  if (HTTP_PORT === undefined) return;
  if (certFile === undefined) refuse('HTTP_PORT', 'is for a process that has TLS_CERT_FILE');
  if (HTTP_PORT === PORT && PORT !== 0) refuse('HTTP_PORT', 'must not be PORT');
}

/** Of what is no URL at all something else has been said already. */
function isPlainBase(text: string): boolean {
  const url = URL.parse(text);
  return !url || `${url.username}${url.password}${url.search}${url.hash}` === '';
}

function refuse(variable: string, fault: string): never {
  throw new ConfigError([`${variable}: ${fault}`]);
}
