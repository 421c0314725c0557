/** The variables that the service's own processes get in a local stack or a test. Caller: processes.ts. */
import { join } from 'node:path';
import type { WorkerRole } from '../../platform/area.ts';
import type { Environment } from '../../platform/config.ts';
import { cacheDirectory } from '../setup/cache.mjs';
import { xsdDirectory } from '../setup/resolve.mjs';
import type { ProcessName } from './process-names.ts';
import type { ServiceSecrets } from './secrets.ts';

/** Addresses, folders and secrets of one stack. */
export interface ProcessSetting {
  /** Addresses and access of database, object store, Temporal and mail. */
  readonly servers: Environment;
  /** The database of the keys that customers' data is sealed with. */
  readonly customerKeysUri: string;
  readonly secrets: ServiceSecrets;
  readonly audience: string;
  /** Base URL of a process, without a trailing slash. */
  readonly url: (name: ProcessName) => string;
  readonly workflowBundle: string;
  /** Folder of the bundled planner. */
  readonly plannerBundle: string;
  /** Folder in which the planner keeps copies of snapshots. */
  readonly plannerCache: string;
  /** Folder of the built query page; none: where `npm run build:ide` puts it. */
  readonly ideDirectory?: string;
  /** Origins of the Temporal UI's pages, comma-separated. */
  readonly temporalUiOrigins?: string;
  /** For every process, before its own flags. */
  readonly nodeFlags?: readonly string[];
  /** For every process, over all else: grace periods, limits, a test's own values. */
  readonly overrides?: Environment;
}

/** Variables of every process; also of helpers that belong to a stack. */
export function sharedEnvironment({ servers, secrets, audience, overrides }: ProcessSetting): Environment {
  return {
    ENVIRONMENT: 'development',
    HOST: '127.0.0.1',
    ...servers,
    PAYLOAD_KEYS: secrets.payloadKeys,
    AUDIENCE: audience,
    ...overrides,
  };
}

export function forCustomers({ customerKeysUri, secrets }: ProcessSetting): Environment {
  return {
    CUSTOMER_KEYS_MONGODB_URI: customerKeysUri,
    CUSTOMER_MASTER_KEYS: secrets.customerMasterKeys,
    CUSTOMER_SEARCH_KEY: secrets.customerSearchKey,
  };
}

/** Those variables of the stack that a role's configuration names, so that a role gets no secret of another. */
export function environmentOfRoles(roles: readonly WorkerRole[], setting: ProcessSetting): Environment {
  const given: Environment = {
    ...forCustomers(setting),
    KEY_ENCRYPTION_KEY: setting.secrets.keyEncryptionKey,
    NETEX_XSD_DIR: xsdDirectory(),
    NETEX_SCHEMA_IMAGES: join(cacheDirectory(), 'netex-schema-images'),
  };
  const named = new Set(roles.flatMap(({ config }) => Object.keys(config)));
  const hasQueue = roles.some(({ queue }) => queue !== undefined);
  return {
    ...(hasQueue && { WORKFLOW_BUNDLE: setting.workflowBundle }),
    ...Object.fromEntries(Object.entries(given).filter(([name]) => named.has(name))),
  };
}
