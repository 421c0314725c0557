/**
 * Starts the simulator of a payment provider. It keeps its books in a database of its own and is refused in production.
 * Callers: server.ts, tests.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { ReadConfig } from '../../platform/area.ts';
import { ConfigError, environmentShape, fields, listenShape, mongoShape } from '../../platform/config.ts';
import { createLog } from '../../platform/log.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { connectPatiently } from '../../platform/process/connect.ts';
import type { Started } from '../../platform/process/run-process.ts';
import { createSimulatorApp } from './app.ts';
import { FAULTS, FaultStore } from './faults.ts';
import { Reporter } from './reporter.ts';
import { SESSIONS, SessionStore } from './session-store.ts';

export const simulatorConfigShape = {
  ...environmentShape,
  ...mongoShape,
  ...listenShape,
  /** How customers' browsers reach it; the address that it listens on where it is absent. */
  SIMULATOR_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Further names by which callers reach it, comma-separated. */
  SIMULATOR_HOSTS: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((name) => name !== '')),
  /** Signs the callbacks. */
  PAYMENT_SIMULATOR_SECRET: z.string().min(32),
  /** How long a customer may take. */
  SIMULATOR_SESSION_MS: fields.milliseconds.default(3_600_000),
};

export async function startSimulator(readConfig: ReadConfig): Promise<Started> {
  const config = readConfig(simulatorConfigShape);
  if (config.ENVIRONMENT === 'production') {
    throw new ConfigError(['ENVIRONMENT: the payment provider simulator never runs in production']);
  }
  const log = createLog({ level: config.LOG_LEVEL, name: 'provider-simulator' });
  const mongo = await connectPatiently('mongodb', log, () => connectMongo(config.MONGODB_URI));
  await Promise.all([SESSIONS.ensureIndexes(mongo), FAULTS.ensureIndexes(mongo)]);
  const [sessions, faults] = [new SessionStore(mongo), new FaultStore(mongo)];
  const reporter = new Reporter({ sessions, faults, secret: config.PAYMENT_SIMULATOR_SECRET, log });
  let url = '';
  const app = createSimulatorApp({
    sessions,
    faults,
    url: () => config.SIMULATOR_PUBLIC_URL?.replace(/\/+$/, '') ?? url,
    hosts: config.SIMULATOR_HOSTS,
    sessionMs: config.SIMULATOR_SESSION_MS,
    wake: reporter.wake,
    log,
    isReady: async () =>
      await mongo
        .getClient()
        .db()
        .command({ ping: 1 })
        .then(
          () => true,
          () => false,
        ),
  });
  const server = createServer(app).listen(config.PORT, config.HOST);
  await once(server, 'listening');
  url = `http://${config.HOST}:${(server.address() as AddressInfo).port}`;
  reporter.start();
  const close = async (): Promise<void> => {
    server.close();
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), config.SHUTDOWN_GRACE_MS / 2).unref();
    await once(server, 'close');
  };
  return { log, url, stop: [close, () => reporter.stop(), () => mongo.close()] };
}
