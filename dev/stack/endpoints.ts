/**
 * The addresses of a local stack: the user's own servers where their variables are set, else the servers it starts. It
 * also gives them as variables for the service's processes. It never starts anything.
 */
import type { Environment } from '../../platform/config.ts';
import {
  administratorLogin,
  CUSTOMER_KEYS_DATABASE,
  DATABASE,
  databaseAccess,
  type LocalAccess,
  objectAccess,
} from './access.ts';
import type { Ports } from './chosen-ports.ts';
import { isHelper, SIMULATOR_DATABASE } from './helper-processes.ts';
import type { RunnableName } from './process-names.ts';
import type { Secrets } from './secrets.ts';
import { besideUri, mongoUri } from './servers.ts';

export const AUDIENCE = 'samferd-development';
export const MINIO_ACCESS_KEY_ID = 'samferd';
const HOST = '127.0.0.1';

/** Returns the servers that the user provides. The stack neither starts nor stops these. */
export function ownServers(env: Environment) {
  return {
    mongodb: Boolean(env.MONGODB_URI),
    objectStore: Boolean(env.S3_ENDPOINT),
    temporal: Boolean(env.TEMPORAL_ADDRESS),
    mail: Boolean(env.MAIL_SERVER),
  };
}

/**
 * Content of `.local/endpoints.json` for other tools: base URLs without a trailing slash. A key appears once its part
 * exists. The database's URL has the administrator's login.
 */
export function listEndpoints(ports: Ports, secrets: Secrets, env: Environment): Readonly<Record<string, string>> {
  const own = ownServers(env);
  return {
    api: at(ports.api),
    auth: at(ports.auth),
    authAdmin: at(ports.authAdmin),
    paymentPage: at(ports.paymentPage),
    journeyPlanner: at(ports.journeyPlanner),
    provider: at(ports.providerSimulator),
    ...(own.mail ? {} : { mail: at(ports.mail) }),
    temporal: temporalAddress(ports, env),
    ...(own.temporal ? {} : { temporalUi: at(ports.temporalUi) }),
    mongodb: env.MONGODB_URI || mongoUri(ports.mongodb, DATABASE, administratorLogin(localAccess(ports, secrets, env))),
    minio: (env.S3_ENDPOINT || at(ports.minio)).replace(/\/+$/, ''),
  };
}

function temporalAddress(ports: Ports, env: Environment): string {
  return env.TEMPORAL_ADDRESS || `${HOST}:${ports.temporal}`;
}

/** The in-box, or the user's own mail server. */
export function mailServer(ports: Ports, env: Environment): string {
  return env.MAIL_SERVER || `smtp://${HOST}:${ports.smtp}`;
}

export function at(port: number): string {
  return `http://${HOST}:${port}`;
}

export function localAccess(ports: Ports, secrets: Secrets, env: Environment): LocalAccess {
  return {
    mongodbPort: ports.mongodb,
    mongodbKey: secrets.mongodbKey,
    bucket: env.S3_BUCKET || 'samferd',
    passwordOf: (account) => secrets.accounts[account] ?? '',
  };
}

/** Addresses of the servers. `accessEnvironment` adds a process's logins. */
export function serverEnvironment(ports: Ports, env: Environment): Environment {
  return {
    ...objectStorePlace(ports, env),
    TEMPORAL_ADDRESS: temporalAddress(ports, env),
    TEMPORAL_NAMESPACE: env.TEMPORAL_NAMESPACE || 'default',
  };
}

/**
 * A process's logins for databases and object store. A user's own server has one login, which all processes share.
 * Throws an error with one sentence if the user's object store lacks its keys.
 */
export function accessEnvironment(name: RunnableName, ports: Ports, secrets: Secrets, env: Environment): Environment {
  const access = localAccess(ports, secrets, env);
  const own = ownServers(env);
  const keys = env.CUSTOMER_KEYS_MONGODB_URI && { CUSTOMER_KEYS_MONGODB_URI: env.CUSTOMER_KEYS_MONGODB_URI };
  return {
    ...(own.mongodb
      ? { MONGODB_URI: ownDatabaseUri(name, env.MONGODB_URI ?? '') }
      : { ...databaseAccess(name, access), ...keys }),
    ...(own.objectStore ? objectStoreEnvironment(ports, secrets, env) : objectAccess(name, access)),
  };
}

function ownDatabaseUri(name: RunnableName, uri: string): string {
  return isHelper(name) ? besideUri(uri, SIMULATOR_DATABASE) : uri;
}

/** Settings of a running local stack for operators' commands, under the names of an environment's variables. */
export function listSettings(ports: Ports, secrets: Secrets, env: Environment): Environment {
  const { temporalUi } = listEndpoints(ports, secrets, env);
  const { MONGODB_URI } = databaseAccess('client', localAccess(ports, secrets, env));
  return {
    MONGODB_URI: env.MONGODB_URI || MONGODB_URI,
    TEMPORAL_ADDRESS: temporalAddress(ports, env),
    TEMPORAL_NAMESPACE: env.TEMPORAL_NAMESPACE || 'default',
    PAYLOAD_KEYS: env.PAYLOAD_KEYS || secrets.payloadKeys,
    CLIENT_SECRET_KEY: secrets.clientSecretKey,
    AUTH_ADMIN_URL: at(ports.authAdmin),
    AUDIT_KEYS: secrets.auditKeys,
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

function objectStorePlace(ports: Ports, env: Environment) {
  return {
    S3_ENDPOINT: env.S3_ENDPOINT || at(ports.minio),
    S3_REGION: env.S3_REGION || 'us-east-1',
    S3_BUCKET: env.S3_BUCKET || 'samferd',
  };
}

/** Includes the keys of the administrator, or those of the user's own object store. */
export function objectStoreEnvironment(ports: Ports, secrets: Secrets, env: Environment): ObjectStoreEnvironment {
  const place = objectStorePlace(ports, env);
  if (!env.S3_ENDPOINT) {
    return { ...place, S3_ACCESS_KEY_ID: MINIO_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: secrets.minioSecretAccessKey };
  }
  const { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env;
  if (!S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) {
    throw new Error(
      'S3_ENDPOINT is set: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY too, or unset it to use the local MinIO',
    );
  }
  return { ...place, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY };
}

/**
 * Returns the address of the customers' keys, first from the environment. With the user's own server it is a database
 * beside the data; otherwise it is the local server with the administrator's login.
 */
export function customerKeysUri(ports: Ports, secrets: Secrets, env: Environment): string {
  if (env.CUSTOMER_KEYS_MONGODB_URI) return env.CUSTOMER_KEYS_MONGODB_URI;
  if (!env.MONGODB_URI) {
    return mongoUri(ports.mongodb, CUSTOMER_KEYS_DATABASE, administratorLogin(localAccess(ports, secrets, env)));
  }
  return besideUri(env.MONGODB_URI, CUSTOMER_KEYS_DATABASE);
}
