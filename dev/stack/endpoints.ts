/**
 * The addresses of a local stack: the user's own servers where their variables are set, else the ones started here. Also as the
 * variables that the processes of the service get. Never starts anything.
 */
import type { Environment } from '../../platform/config.ts';
import type { Ports } from './chosen-ports.ts';
import type { Secrets } from './secrets.ts';
import { mongoUri } from './servers.ts';

export const AUDIENCE = 'samferd-development';
export const MINIO_ACCESS_KEY_ID = 'samferd';
const DATABASE = 'samferd';
/** Of the keys that customers' data is sealed with: never in a backup of the other. */
const CUSTOMER_KEYS_DATABASE = 'samferd_customer_keys';
const HOST = '127.0.0.1';

/** Says which servers the user brings; those are neither started nor stopped. */
export function ownServers(env: Environment) {
  return {
    mongodb: Boolean(env.MONGODB_URI),
    objectStore: Boolean(env.S3_ENDPOINT),
    temporal: Boolean(env.TEMPORAL_ADDRESS),
    mail: Boolean(env.SMTP_URL),
  };
}

export type OwnServers = ReturnType<typeof ownServers>;

/** What other tools read from `.local/endpoints.json`: base URLs without a trailing slash; a key appears when its part exists. */
export function listEndpoints(ports: Ports, env: Environment): Readonly<Record<string, string>> {
  const own = ownServers(env);
  return {
    api: at(ports.api),
    auth: at(ports.auth),
    journeyPlanner: at(ports.journeyPlanner),
    ...(own.mail ? {} : { mail: at(ports.mail) }),
    temporal: env.TEMPORAL_ADDRESS || `${HOST}:${ports.temporal}`,
    ...(own.temporal ? {} : { temporalUi: at(ports.temporalUi) }),
    mongodb: env.MONGODB_URI || mongoUri(ports.mongodb, DATABASE),
    minio: (env.S3_ENDPOINT || at(ports.minio)).replace(/\/+$/, ''),
  };
}

export function at(port: number): string {
  return `http://${HOST}:${port}`;
}

/** Where the servers are. Throws one sentence when the user's own object store comes without its keys. */
export function serverEnvironment(ports: Ports, secrets: Secrets, env: Environment): Environment {
  const endpoints = listEndpoints(ports, env);
  return {
    MONGODB_URI: endpoints.mongodb,
    ...objectStoreEnvironment(ports, secrets, env),
    TEMPORAL_ADDRESS: endpoints.temporal,
    TEMPORAL_NAMESPACE: env.TEMPORAL_NAMESPACE || 'default',
    SMTP_URL: env.SMTP_URL || `smtp://${HOST}:${ports.smtp}`,
  };
}

/** What operators' commands read of a running local stack: the settings that an environment would give them. */
export function listSettings(ports: Ports, secrets: Secrets, env: Environment): Environment {
  const { temporalUi } = listEndpoints(ports, env);
  return {
    ...serverEnvironment(ports, secrets, env),
    CUSTOMER_KEYS_MONGODB_URI: customerKeysUri(ports, env),
    PAYLOAD_KEYS: env.PAYLOAD_KEYS || secrets.payloadKeys,
    CLIENT_SECRET_KEY: secrets.clientSecretKey,
    TEMPORAL_UI_URL: temporalUi,
  };
}

export interface ObjectStoreEnvironment {
  readonly S3_ENDPOINT: string;
  readonly S3_REGION: string;
  readonly S3_BUCKET: string;
  readonly S3_ACCESS_KEY_ID: string;
  readonly S3_SECRET_ACCESS_KEY: string;
}

export function objectStoreEnvironment(ports: Ports, secrets: Secrets, env: Environment): ObjectStoreEnvironment {
  const place = { S3_REGION: env.S3_REGION || 'us-east-1', S3_BUCKET: env.S3_BUCKET || 'samferd' };
  if (!env.S3_ENDPOINT) {
    const keys = { S3_ACCESS_KEY_ID: MINIO_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: secrets.minioSecretAccessKey };
    return { S3_ENDPOINT: at(ports.minio), ...place, ...keys };
  }
  const { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env;
  if (!S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) {
    throw new Error(
      'S3_ENDPOINT is set: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY too, or unset it to use the local MinIO',
    );
  }
  return { S3_ENDPOINT: env.S3_ENDPOINT, ...place, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY };
}

/** On the user's own server beside the data, unless he says otherwise. */
export function customerKeysUri(ports: Ports, env: Environment): string {
  if (env.CUSTOMER_KEYS_MONGODB_URI) return env.CUSTOMER_KEYS_MONGODB_URI;
  if (!env.MONGODB_URI) return mongoUri(ports.mongodb, CUSTOMER_KEYS_DATABASE);
  const [before, query] = env.MONGODB_URI.split('?', 2) as [string, string?];
  const server = /^mongodb(?:\+srv)?:\/\/[^/]+/.exec(before)?.[0] ?? before;
  return `${server}/${CUSTOMER_KEYS_DATABASE}${query === undefined ? '' : `?${query}`}`;
}
