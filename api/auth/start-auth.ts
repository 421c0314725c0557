/** Starts the authentication server: configuration → database → signing key → port. Callers: server.ts, api/servers.ts. */
import { z } from 'zod';
import { DisabledClients } from '../../activities/auth/disabled-clients.ts';
import { SigningKeyFollower } from '../../activities/auth/signing-key-follower.ts';
import { keyEncryptionShape } from '../../activities/auth/signing-key-sealing.ts';
import { SigningKeyStore } from '../../activities/auth/signing-key-store.ts';
import type { ReadConfig } from '../../platform/area.ts';
import { environmentShape, mongoShape } from '../../platform/config.ts';
import { createLog } from '../../platform/log.ts';
import { createProcessRegistry } from '../../platform/metrics/process-metrics.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { checkMongo } from '../../platform/process/health.ts';
import type { Started } from '../../platform/process/run-process.ts';
import { startTracing } from '../../platform/tracing/tracing.ts';
import { createApp } from '../shared/app.ts';
import { watchCertificate } from '../shared/certificate-metrics.ts';
import { httpServerShape, readHttpServerOptions } from '../shared/http-server-options.ts';
import { serve } from '../shared/serve.ts';
import { composeAuth } from './compose.ts';
import { createTokenMetrics } from './token-metrics.ts';

/** 32 random bytes in base64. */
const key = z
  .base64()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length === 32, 'must be 32 bytes in base64');

const failureCount = z.coerce.number().int().min(1).max(10_000);

export async function startAuth(readConfig: ReadConfig): Promise<Started> {
  const config = readConfig({
    ...environmentShape,
    ...mongoShape,
    ISSUER: z.url(),
    AUDIENCE: z.string(),
    ...keyEncryptionShape,
    CLIENT_SECRET_KEY: key,
    TOKEN_LIFETIME_SECONDS: z.coerce.number().int().min(60).max(86_400).default(3600),
    ...httpServerShape(),
    /** Wrong credentials in ten minutes for one client. Above it, only addresses without failures may try. */
    CLIENT_FAILURES: failureCount.default(10),
    /** Wrong credentials in ten minutes from one address, for any client. Above it, the address may not try at all. */
    CLIENT_FAILURES_PER_ADDRESS: failureCount.default(100),
    /** How long a client's old secret stays valid after a new one is made. */
    SECRET_OVERLAP_SECONDS: z.coerce.number().int().min(60).max(2_592_000).default(86_400),
  });
  const log = createLog({ level: config.LOG_LEVEL, name: 'auth' });
  const serverOptions = readHttpServerOptions(config, log, config.ISSUER);
  await startTracing({ name: 'auth', revision: config.BUILD_REVISION }, config);
  const registry = createProcessRegistry({ name: 'auth', revision: config.BUILD_REVISION });
  const connection = await connectMongo(config.MONGODB_URI);
  const keys = new SigningKeyStore({ connection, encryptionKeys: config.KEY_ENCRYPTION_KEY });
  await keys.ensureIndexes();
  const signing = await SigningKeyFollower.start({ keys, lifetimeSeconds: config.TOKEN_LIFETIME_SECONDS, log });
  const disabled = await DisabledClients.start({ connection, log });
  const { area, verifyToken } = await composeAuth({
    connection,
    keys,
    signingKey: signing.current,
    isDisabled: disabled.includes,
    issuer: config.ISSUER,
    audience: config.AUDIENCE,
    lifetimeSeconds: config.TOKEN_LIFETIME_SECONDS,
    secretKey: config.CLIENT_SECRET_KEY,
    overlapSeconds: config.SECRET_OVERLAP_SECONDS,
    limits: { perClient: config.CLIENT_FAILURES, perAddress: config.CLIENT_FAILURES_PER_ADDRESS },
    trustedProxies: config.TRUSTED_PROXIES,
    onOutcome: createTokenMetrics(registry),
  });
  const app = createApp({
    areas: [area],
    log,
    registry,
    verifyToken,
    https: serverOptions.https,
    health: { mongodb: checkMongo(connection), signingKey: signing.current },
  });
  watchCertificate(registry, serverOptions.listen.certificate);
  const server = await serve(app, serverOptions.listen);
  return {
    log,
    url: server.url,
    reload: server.reload,
    stop: [() => server.close(), () => Promise.all([signing.stop(), disabled.stop()]), () => connection.close()],
  };
}
