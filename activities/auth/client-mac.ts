/**
 * Proves that this service wrote a client: a MAC of its rights, secrets and keys, under a key derived from `CLIENT_SECRET_KEY`.
 * Callers: the client store, the authentication of clients.
 */

import { RecordMac } from '../../platform/keys/record-mac.ts';
import type { ClientDocument } from './client-types.ts';
import { ringOf } from './signing-key-sealing.ts';

/** Members that decide what a client may do, and how it proves itself. */
export type ProtectedClient = Pick<
  ClientDocument,
  '_id' | 'name' | 'organisationId' | 'codespaces' | 'scopes' | 'secrets' | 'jwks' | 'disabledAt'
>;

export class ClientMac {
  readonly #mac: RecordMac;

  /** `secretKey`: the 32 bytes of `CLIENT_SECRET_KEY`. */
  constructor(secretKey: Uint8Array) {
    this.#mac = new RecordMac(ringOf(secretKey), 'client');
  }

  make(client: ProtectedClient): string {
    return this.#mac.make(protectedMembers(client));
  }

  isTrusted(client: ProtectedClient & Pick<ClientDocument, 'mac'>): boolean {
    return this.#mac.isRight(protectedMembers(client), client.mac);
  }
}

function protectedMembers(client: ProtectedClient): readonly unknown[] {
  const { _id, name, organisationId, codespaces, scopes, secrets, jwks = [], disabledAt = null } = client;
  return [_id, name, organisationId, codespaces, scopes, secrets, jwks, disabledAt];
}
