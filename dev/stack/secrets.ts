/**
 * The secrets of a local stack: made at its first start, kept in `.local/secrets.json`, readable by its owner only. Tests make theirs
 * anew. Never used outside development, never printed.
 */
import { randomBytes } from 'node:crypto';
import type { LocalState } from './local-state.ts';

/** What the service's own processes share; who gets which stands in processes.ts. */
export interface ServiceSecrets {
  readonly payloadKeys: string;
  readonly keyEncryptionKey: string;
  readonly clientSecretKey: string;
  readonly minioSecretAccessKey: string;
  readonly plannerIdKey: string;
  readonly customerMasterKeys: string;
  readonly customerSearchKey: string;
}

export interface Secrets extends ServiceSecrets {
  /** By client name. */
  readonly clients: Readonly<Record<string, string>>;
}

const FILE = 'secrets.json';
const KEY_BYTES = 32;

/** Returns the kept secrets, having made those that are not there yet. */
export function ensureSecrets(state: LocalState, clientNames: readonly string[]): Secrets {
  const kept = (state.read(FILE) ?? {}) as Partial<Secrets>;
  const secrets: Secrets = {
    ...createServiceSecrets(kept),
    clients: {
      ...kept.clients,
      ...Object.fromEntries(clientNames.map((name) => [name, kept.clients?.[name] ?? newKey('base64url')])),
    },
  };
  if (JSON.stringify(secrets) !== JSON.stringify(kept)) state.write(FILE, secrets);
  return secrets;
}

export function createServiceSecrets(kept: Partial<ServiceSecrets> = {}): ServiceSecrets {
  return {
    payloadKeys: kept.payloadKeys ?? `local:${newKey('base64')}`,
    keyEncryptionKey: kept.keyEncryptionKey ?? newKey('base64'),
    clientSecretKey: kept.clientSecretKey ?? newKey('base64'),
    minioSecretAccessKey: kept.minioSecretAccessKey ?? newKey('base64url'),
    plannerIdKey: kept.plannerIdKey ?? newKey('base64'),
    customerMasterKeys: kept.customerMasterKeys ?? `local:${newKey('base64')}`,
    customerSearchKey: kept.customerSearchKey ?? newKey('base64'),
  };
}

function newKey(encoding: 'base64' | 'base64url'): string {
  return randomBytes(KEY_BYTES).toString(encoding);
}
