/**
 * The internal listener of `/admin/clients`. Caller: the start of the authentication server. It must not be reached
 * from outside: no proxy leads to it.
 */
import type { Express } from 'express';
import { z } from 'zod';
import { ConfigError, fields } from '../../platform/config.ts';
import { isLoopback } from '../shared/http-server-options.ts';
import { type RunningServer, serve } from '../shared/serve.ts';
import { TlsCertificate } from '../shared/tls-certificate.ts';

export const adminListenerShape = {
  ADMIN_HOST: z.string().default('127.0.0.1'),
  /** Without a port there is no such listener. */
  ADMIN_PORT: fields.port.optional(),
};

interface AdminListenerConfig {
  readonly ENVIRONMENT: string;
  readonly ADMIN_HOST: string;
  readonly ADMIN_PORT?: number | undefined;
  readonly TLS_CERT_FILE?: string | undefined;
  readonly TLS_KEY_FILE?: string | undefined;
  readonly SHUTDOWN_GRACE_MS: number;
}

/** With a certificate it speaks TLS, else plain HTTP in every environment: no proxy with TLS stands in front of it. */
export async function serveAdmin(app: Express, config: AdminListenerConfig): Promise<RunningServer | undefined> {
  const { ENVIRONMENT, ADMIN_HOST: host, ADMIN_PORT: port, TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = config;
  if (port === undefined) return undefined;
  if (ENVIRONMENT === 'development' && !isLoopback(host)) {
    throw new ConfigError(['ADMIN_HOST: must be a loopback address in development']);
  }
  // Of its own: a certificate tells only one listener that its files have changed.
  const certificate = certFile && keyFile ? new TlsCertificate({ certFile, keyFile }) : undefined;
  return await serve(app, { host, port, graceMs: config.SHUTDOWN_GRACE_MS, ...(certificate && { certificate }) });
}
