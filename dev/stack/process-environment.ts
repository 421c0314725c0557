/** The variables of the service's own processes in a local stack or a test. Caller: processes.ts. */
import { join } from 'node:path';
import type { WorkerRole } from '../../platform/area.ts';
import type { Environment } from '../../platform/config.ts';
import { formatPublicKeys, parseSigningKeys } from '../../platform/keys/signing-keys.ts';
import { cacheDirectory } from '../setup/cache.mjs';
import { xsdDirectory } from '../setup/resolve.mjs';
import type { HelperName, ProcessName, RunnableName } from './process-names.ts';
import type { ServiceSecrets } from './secrets.ts';

/** Mails of a local stack and of tests come from here. */
export const MAIL_FROM = 'Samferd <tickets@samferd.example>';

/** Addresses, folders and secrets of one stack. */
export interface ProcessSetting {
  /** Addresses and access of database, object store and Temporal. */
  readonly servers: Environment;
  /** The database of the keys that seal customers' data. */
  readonly customerKeysUri: string;
  readonly secrets: ServiceSecrets;
  readonly audience: string;
  /** The file of the keys that sign tickets. */
  readonly ticketKeys?: string;
  /** The address of the mail server, and from whom mails come. */
  readonly mail?: { readonly server: string; readonly from: string };
  /** Base URL of a process, without a trailing slash. */
  readonly url: (name: ProcessName | HelperName) => string;
  /** Port of the `/admin/clients` listener, which does not exist without it. */
  readonly authAdminPort?: number;
  readonly workflowBundle: string;
  /** Folder of the bundled planner. */
  readonly plannerBundle: string;
  /** Folder in which the planner keeps copies of snapshots. */
  readonly plannerCache: string;
  /** Folder of the built query page; the default is that of `npm run build:ide`. */
  readonly ideDirectory?: string;
  /** Origins of the Temporal UI's pages, comma-separated. */
  readonly temporalUiOrigins?: string;
  /** Node flags for every process, before its own. */
  readonly nodeFlags?: readonly string[];
  /** True: with the flags of the composition instead of those of a local stack. */
  readonly asComposed?: boolean;
  /** Over `servers`: as whom a process reaches databases and object store; unset values are taken away. */
  readonly accessOf?: (name: RunnableName) => Environment;
  /** Applied last to every process: grace periods, limits, a test's own values. */
  readonly overrides?: Environment;
}

/** Variables of every process, and of a stack's helper processes. No secret is among them. */
export function sharedEnvironment({ servers, audience, overrides }: ProcessSetting): Environment {
  return {
    ENVIRONMENT: 'development',
    HOST: '127.0.0.1',
    ...servers,
    AUDIENCE: audience,
    ...overrides,
  };
}

/** For a process that reads what Temporal stores. */
export function forTemporal({ secrets }: ProcessSetting): Environment {
  return { PAYLOAD_KEYS: secrets.payloadKeys };
}

/** For a process that makes, checks or serves the links of payment pages. */
export function forPaymentPages({ secrets, url }: ProcessSetting): Environment {
  return { PAYMENT_PAGE_KEYS: secrets.paymentPageKeys, PAYMENT_PAGE_URL: url('paymentPage') };
}

export function forCustomers({ customerKeysUri, secrets }: ProcessSetting): Environment {
  return {
    CUSTOMER_KEYS_MONGODB_URI: customerKeysUri,
    CUSTOMER_MASTER_KEYS: secrets.customerMasterKeys,
    CUSTOMER_SEARCH_KEY: secrets.customerSearchKey,
  };
}

/** For a process that calls the payment provider, or hears from it. */
export function forPayments({ url, secrets }: ProcessSetting): Environment {
  return {
    PAYMENT_PROVIDERS: 'SIMULATOR',
    PAYMENT_SIMULATOR_URL: url('providerSimulator'),
    PAYMENT_SIMULATOR_SECRET: secrets.paymentSimulatorSecret,
    PAYMENT_CALLBACK_URL: url('api'),
  };
}

/** Public halves of the keys that sign the planner's snapshots. */
export function plannerPublicKeys({ secrets }: ProcessSetting): string {
  return formatPublicKeys(parseSigningKeys(secrets.plannerSigningKeys, 'plannerSigningKeys'));
}

/** Selects the variables in a role's configuration, so that it gets no secret of another role. */
export function environmentOfRoles(roles: readonly WorkerRole[], setting: ProcessSetting): Environment {
  const given: Environment = {
    ...forCustomers(setting),
    ...forPaymentPages(setting),
    ...forPayments(setting),
    KEY_ENCRYPTION_KEY: setting.secrets.keyEncryptionKey,
    AUDIT_KEYS: setting.secrets.auditKeys,
    WEBHOOK_KEYS: setting.secrets.webhookKeys,
    PLANNER_PUBLIC_KEYS: plannerPublicKeys(setting),
    PLANNER_SIGNING_KEYS: setting.secrets.plannerSigningKeys,
    TICKET_SIGNING_KEYS: setting.ticketKeys,
    MAIL_SERVER: setting.mail?.server,
    MAIL_FROM: setting.mail?.from,
    NETEX_XSD_DIR: xsdDirectory(),
    NETEX_SCHEMA_IMAGES: join(cacheDirectory(), 'netex-schema-images'),
  };
  const named = new Set(roles.flatMap(({ config }) => Object.keys(config)));
  const hasQueue = roles.some(({ queue }) => queue !== undefined);
  return {
    ...(hasQueue && { WORKFLOW_BUNDLE: setting.workflowBundle, ...forTemporal(setting) }),
    ...Object.fromEntries(Object.entries(given).filter(([name]) => named.has(name))),
  };
}
