/**
 * Starts the server that decodes payloads for the Temporal UI and the `temporal` command. It holds the keys of
 * PAYLOAD_KEYS and no data. Run it in the operators' network, out of partners' reach. Callers: server.ts,
 * api/servers.ts.
 */
import { z } from 'zod';
import { DisabledClients } from '../../activities/auth/disabled-clients.ts';
import type { ReadConfig } from '../../platform/area.ts';
import { environmentShape, mongoShape } from '../../platform/config.ts';
import { createLog } from '../../platform/log.ts';
import { createProcessRegistry } from '../../platform/metrics/process-metrics.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { checkMongo } from '../../platform/process/health.ts';
import type { Started } from '../../platform/process/run-process.ts';
import { parsePayloadKeys } from '../../platform/temporal/payload-codec.ts';
import { startTracing } from '../../platform/tracing/tracing.ts';
import { createApp } from '../shared/app.ts';
import { watchCertificate } from '../shared/certificate-metrics.ts';
import { httpServerShape, readHttpServerOptions } from '../shared/http-server-options.ts';
import { checkIssuer, issuerShape } from '../shared/issuer.ts';
import { KeySet, remoteKeys } from '../shared/key-set.ts';
import { serve } from '../shared/serve.ts';
import { createTokenCheck } from '../shared/token-check.ts';
import { createCodecRouter } from './codec-router.ts';

const origins = z
  .string()
  .default('')
  .transform((text) => text.split(',').filter((item) => item !== ''));

export async function startCodec(readConfig: ReadConfig): Promise<Started> {
  const config = readConfig({
    ...environmentShape,
    ...mongoShape,
    ...httpServerShape(),
    PAYLOAD_KEYS: z.string(),
    ...issuerShape,
    /** Origins of the Temporal UI, comma-separated. */
    CODEC_ORIGINS: origins,
  });
  const keys = parsePayloadKeys(config.PAYLOAD_KEYS);
  const log = createLog({ level: config.LOG_LEVEL, name: 'codec' });
  const serverOptions = readHttpServerOptions(checkIssuer(config), log);
  await startTracing({ name: 'codec', revision: config.BUILD_REVISION }, config);
  const registry = createProcessRegistry({ name: 'codec', revision: config.BUILD_REVISION });
  const connection = await connectMongo(config.MONGODB_URI);
  const tokenKeys = new KeySet({ fetchKeys: remoteKeys(config.AUTH_ISSUER) });
  const disabled = await DisabledClients.start({ connection, log, registry, getKey: tokenKeys.getKey });
  const verifyToken = createTokenCheck({
    issuer: config.AUTH_ISSUER,
    audience: config.AUDIENCE,
    keys: tokenKeys,
    isDisabled: disabled.includes,
  });
  const allowedOrigins = new Set(config.CODEC_ORIGINS);
  const trustsUi = config.ENVIRONMENT === 'development';
  const app = createApp({
    areas: [],
    routers: [createCodecRouter({ keys, allowedOrigins, verifyToken, trustsUi })],
    log,
    registry,
    ...serverOptions.app,
    allowedOrigins: config.CODEC_ORIGINS,
    health: { mongodb: checkMongo(connection) },
  });
  watchCertificate(registry, serverOptions.listen.certificate);
  const server = await serve(app, serverOptions.listen);
  return {
    log,
    url: server.url,
    reload: server.reload,
    stop: [() => server.close(), () => disabled.stop(), () => connection.close()],
  };
}
