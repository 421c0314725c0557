/**
 * The secrets of a local stack. The first start makes them in `.local/secrets.json`, which only its owner can read.
 * Tests make their own. They are never used outside development and never printed.
 */
import { randomBytes } from 'node:crypto';
import type { LocalState } from './local-state.ts';

/** Secrets that the service's own processes share; processes.ts assigns them. */
export interface ServiceSecrets {
  readonly payloadKeys: string;
  readonly keyEncryptionKey: string;
  readonly clientSecretKey: string;
  readonly auditKeys: string;
  readonly minioSecretAccessKey: string;
  readonly plannerIdKey: string;
  readonly plannerSigningKeys: string;
  readonly customerMasterKeys: string;
  readonly customerSearchKey: string;
  readonly idempotencyKeys: string;
  readonly webhookKeys: string;
  readonly paymentPageKeys: string;
  readonly backupKeys: string;
  /** Signs the callbacks of the payment provider simulator. */
  readonly paymentSimulatorSecret: string;
}

export interface Secrets extends ServiceSecrets {
  /** The content of mongod's key file. */
  readonly mongodbKey: string;
  /** Passwords by account of databases and object store; see access.ts. */
  readonly accounts: Readonly<Record<string, string>>;
  /** By client name. */
  readonly clients: Readonly<Record<string, string>>;
}

export interface SecretNames {
  readonly clients: readonly string[];
  readonly accounts: readonly string[];
}

const FILE = 'secrets.json';
const KEY_BYTES = 32;

/** Returns the stored secrets, and makes the missing ones. */
export function ensureSecrets(state: LocalState, names: SecretNames): Secrets {
  const kept = (state.read(FILE) ?? {}) as Partial<Secrets>;
  const secrets: Secrets = {
    ...createServiceSecrets(kept),
    mongodbKey: kept.mongodbKey ?? newKey('base64'),
    accounts: completed(kept.accounts, names.accounts),
    clients: completed(kept.clients, names.clients),
  };
  if (JSON.stringify(secrets) !== JSON.stringify(kept)) state.write(FILE, secrets);
  return secrets;
}

function completed(
  kept: Readonly<Record<string, string>> = {},
  names: readonly string[],
): Readonly<Record<string, string>> {
  return { ...kept, ...Object.fromEntries(names.map((name) => [name, kept[name] ?? newKey('base64url')])) };
}

export function createServiceSecrets(kept: Partial<ServiceSecrets> = {}): ServiceSecrets {
  return {
    payloadKeys: kept.payloadKeys ?? `local:${newKey('base64')}`,
    keyEncryptionKey: kept.keyEncryptionKey ?? newKey('base64'),
    clientSecretKey: kept.clientSecretKey ?? newKey('base64'),
    auditKeys: kept.auditKeys ?? `local:${newKey('base64')}`,
    minioSecretAccessKey: kept.minioSecretAccessKey ?? newKey('base64url'),
    plannerIdKey: kept.plannerIdKey ?? newKey('base64'),
    plannerSigningKeys: kept.plannerSigningKeys ?? `local:${newKey('base64')}`,
    customerMasterKeys: kept.customerMasterKeys ?? `local:${newKey('base64')}`,
    customerSearchKey: kept.customerSearchKey ?? newKey('base64'),
    idempotencyKeys: kept.idempotencyKeys ?? `local:${newKey('base64')}`,
    webhookKeys: kept.webhookKeys ?? `local:${newKey('base64')}`,
    paymentPageKeys: kept.paymentPageKeys ?? `local:${newKey('base64')}`,
    backupKeys: kept.backupKeys ?? `local:${newKey('base64')}`,
    paymentSimulatorSecret: kept.paymentSimulatorSecret ?? newKey('base64url'),
  };
}

function newKey(encoding: 'base64' | 'base64url'): string {
  return randomBytes(KEY_BYTES).toString(encoding);
}
