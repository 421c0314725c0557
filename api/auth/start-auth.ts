/** Starts the authentication server: configuration → database → signing key → port. Callers: server.ts, api/servers.ts. */
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { AuditLog } from '../../activities/audit/audit-log.ts';
import { countUnrecordedActs } from '../../activities/audit/unrecorded-acts.ts';
import { DisabledListKeeper } from '../../activities/auth/disabled-list-keeper.ts';
import { SigningKeyFollower } from '../../activities/auth/signing-key-follower.ts';
import { keyEncryptionShape } from '../../activities/auth/signing-key-sealing.ts';
import { SigningKeyStore } from '../../activities/auth/signing-key-store.ts';
import { auditShape } from '../../activities/shared/audit.ts';
import type { ReadConfig } from '../../platform/area.ts';
import { environmentShape, mongoShape } from '../../platform/config.ts';
import { createLog } from '../../platform/log.ts';
import { createProcessRegistry } from '../../platform/metrics/process-metrics.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { checkMongo } from '../../platform/process/health.ts';
import type { Started } from '../../platform/process/run-process.ts';
import { startTracing } from '../../platform/tracing/tracing.ts';
import { createApp } from '../shared/app.ts';
import { AuditedCalls, auditedCallsShape } from '../shared/audited-calls.ts';
import { watchCertificate } from '../shared/certificate-metrics.ts';
import { httpServerShape, readHttpServerOptions } from '../shared/http-server-options.ts';
import { serve } from '../shared/serve.ts';
import { callerAddress } from '../shared/trusted-proxies.ts';
import { adminListenerShape, serveAdmin } from './admin-listener.ts';
import { composeAuth } from './compose.ts';
import { createTokenMetrics } from './token-metrics.ts';
import { countForeignLists, reportUntrustedKeys } from './untrusted-records.ts';

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
    ...auditShape,
    ...auditedCallsShape,
    TOKEN_LIFETIME_SECONDS: z.coerce.number().int().min(60).max(86_400).default(3600),
    ...httpServerShape(),
    /** Wrong credentials in ten minutes for one client. Above it, only addresses without failures may try. */
    CLIENT_FAILURES: failureCount.default(10),
    /** Wrong credentials in ten minutes from one address, for any client. Above it, the address may not try at all. */
    CLIENT_FAILURES_PER_ADDRESS: failureCount.default(100),
    ...adminListenerShape,
    /** How long a client's old secret stays valid after a new one is made. */
    SECRET_OVERLAP_SECONDS: z.coerce.number().int().min(60).max(2_592_000).default(86_400),
  });
  const log = createLog({ level: config.LOG_LEVEL, name: 'auth' });
  const serverOptions = readHttpServerOptions(config, log, { variable: 'ISSUER', url: config.ISSUER });
  await startTracing({ name: 'auth', revision: config.BUILD_REVISION }, config);
  const registry = createProcessRegistry({ name: 'auth', revision: config.BUILD_REVISION });
  const connection = await connectMongo(config.MONGODB_URI);
  const onUntrusted = reportUntrustedKeys(registry, log);
  const trail = new AuditLog({
    connection,
    keys: config.AUDIT_KEYS,
    log,
    onUnrecorded: countUnrecordedActs(registry),
  });
  const audit = { trail, actor: { kind: 'PROCESS', id: 'auth' } } as const;
  const keys = new SigningKeyStore({ connection, encryptionKeys: config.KEY_ENCRYPTION_KEY, onUntrusted, audit });
  await keys.ensureIndexes();
  await keys.markEarlierKeys();
  const signing = await SigningKeyFollower.start({ keys, lifetimeSeconds: config.TOKEN_LIFETIME_SECONDS, log });
  const secretKey = config.CLIENT_SECRET_KEY;
  const onForeign = countForeignLists(registry);
  const disabled = await DisabledListKeeper.start({ connection, log, secretKey, onForeign });
  const { area, adminArea, verifyToken } = await composeAuth({
    connection,
    keys,
    signingKey: signing.current,
    isDisabled: disabled.includes,
    issuer: config.ISSUER,
    audience: config.AUDIENCE,
    lifetimeSeconds: config.TOKEN_LIFETIME_SECONDS,
    secretKey,
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
    ...serverOptions.app,
    health: {
      mongodb: checkMongo(connection),
      signingKey: signing.current,
      signingKeyRecords: () => keys.checkRecords(),
    },
  });
  watchCertificate(registry, serverOptions.listen.certificate);
  const server = await serve(app, serverOptions.listen);
  const recorded = {
    trail,
    addressOf: (request: IncomingMessage) => callerAddress(request, config.TRUSTED_PROXIES),
    calls: new AuditedCalls(config.AUDITED_CALLS_PER_MINUTE),
  };
  const adminApp = createApp({ areas: [adminArea], log, verifyToken, audit: recorded });
  const admin = await serveAdmin(adminApp, config);
  const reloadBoth = () => {
    server.reload?.();
    admin?.reload?.();
  };
  return {
    log,
    url: server.url,
    reload: server.reload && reloadBoth,
    stop: [
      () => Promise.all([server.close(), admin?.close()]),
      () => Promise.all([signing.stop(), disabled.stop()]),
      () => connection.close(),
    ],
  };
}
