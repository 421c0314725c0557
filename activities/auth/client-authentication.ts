/**
 * Authenticates a client by secret or by assertion, within the limits of failures. Caller: the token endpoint. Every refusal does
 * the same reads, cryptography and writes, so neither the answer nor its time reveals what was wrong.
 */
import type { Connection } from 'mongoose';
import { type AssertionAudience, prepareStandIns, verifyAssertion } from './client-assertion.ts';
import { ClientAssertionStore } from './client-assertion-store.ts';
import { ClientFailures, type FailureCounts, type FailureLimits } from './client-failures.ts';
import { ClientMac } from './client-mac.ts';
import { ClientSecrets } from './client-secrets.ts';
import { CLIENTS, type ClientDocument, type ClientRecord, liveSecrets, toRecord } from './client-types.ts';

export type Credential = { readonly secret: string } | { readonly assertion: string };

/** Why a client was not authenticated: for the log only. */
export type ClientRefusal =
  | 'unknown client'
  | 'disabled client'
  | 'untrusted client'
  | 'wrong secret'
  | 'wrong assertion'
  | 'unfit assertion'
  | 'assertion used before'
  | 'too many failures';

export type ClientOutcome =
  | { readonly client: ClientRecord }
  | {
      readonly refusal: ClientRefusal;
      /** The fault of an assertion: for the log only. */
      readonly detail?: string;
      /** Present only after too many failures. */
      readonly retryAfterSeconds?: number;
    };

interface Refused {
  readonly refusal: ClientRefusal;
  readonly detail?: string;
}

export interface ClientAuthenticationOptions {
  readonly connection: Connection;
  /** The 32 bytes of `CLIENT_SECRET_KEY`. */
  readonly secretKey: Uint8Array;
  readonly limits: FailureLimits;
  readonly audience: AssertionAudience;
  readonly now?: () => Date;
}

/** A disabled client's right secret is not counted: its owner may not know that the client is disabled. */
const COUNTED: ReadonlySet<ClientRefusal> = new Set(['unknown client', 'wrong secret', 'wrong assertion']);

export class ClientAuthentication {
  readonly #clients;
  readonly #secrets: ClientSecrets;
  readonly #mac: ClientMac;
  readonly #failures: ClientFailures;
  readonly #assertions: ClientAssertionStore;
  readonly #audience: AssertionAudience;
  readonly #now: () => Date;

  constructor({ connection, secretKey, limits, audience, now = () => new Date() }: ClientAuthenticationOptions) {
    this.#clients = CLIENTS.open(connection);
    this.#secrets = new ClientSecrets(secretKey);
    this.#mac = new ClientMac(secretKey);
    this.#failures = new ClientFailures({ connection, limits, now });
    this.#assertions = new ClientAssertionStore(connection);
    this.#audience = audience;
    this.#now = now;
  }

  /** Called once when a process starts. */
  async prepare(): Promise<void> {
    await Promise.all([this.#failures.ensureIndexes(), this.#assertions.ensureIndexes(), prepareStandIns()]);
  }

  async authenticate(clientId: string, credential: Credential, address: string): Promise<ClientOutcome> {
    const [found, failures] = await Promise.all([
      this.#clients.findOne({ _id: clientId }),
      this.#failures.read(clientId, address),
    ]);
    // An address without failures may still try for a client with too many: failures elsewhere do not lock its owner
    // out.
    if (isFull(failures, failures.addressFailures > 0)) return tooMany(failures);
    const client = found?.deletedAt === undefined ? (found ?? undefined) : undefined;
    // Nothing of a record that the service did not write may be used, neither its secrets nor its keys.
    const trusted = client && this.#mac.isTrusted(client) ? client : undefined;
    const checked = await this.#check(clientId, trusted, credential);
    const refused = client && !trusted ? ({ refusal: 'untrusted client' } as const) : checked;
    if (!refused && client) return { client: toRecord(client) };
    const refusal = refused ?? { refusal: 'unknown client' };
    const before = await this.#failures.record(clientId, address, COUNTED.has(refusal.refusal), failures);
    return isFull(before, true) ? tooMany(before) : refusal;
  }

  async #check(
    clientId: string,
    client: ClientDocument | undefined,
    credential: Credential,
  ): Promise<Refused | undefined> {
    if ('assertion' in credential) return await this.#checkAssertion(clientId, client, credential.assertion);
    const right = this.#secrets.matches(credential.secret, client ? liveSecrets(client, this.#now()) : []);
    if (!client) return { refusal: 'unknown client' };
    if (!right) return { refusal: 'wrong secret' };
    return client.disabledAt === undefined ? undefined : { refusal: 'disabled client' };
  }

  async #checkAssertion(
    clientId: string,
    client: ClientDocument | undefined,
    assertion: string,
  ): Promise<Refused | undefined> {
    const check = { clientId, keys: client?.jwks ?? [], audience: this.#audience, now: this.#now() };
    const verdict = await verifyAssertion(assertion, check);
    if (!client) return { refusal: 'unknown client' };
    if ('fault' in verdict) {
      return { refusal: verdict.fault === 'wrong' ? 'wrong assertion' : 'unfit assertion', detail: verdict.detail };
    }
    if (client.disabledAt !== undefined) return { refusal: 'disabled client' };
    return (await this.#assertions.use(clientId, verdict)) ? undefined : { refusal: 'assertion used before' };
  }
}

function isFull({ clientFullSeconds, addressFullSeconds }: FailureCounts, withClient: boolean): boolean {
  return addressFullSeconds !== undefined || (withClient && clientFullSeconds !== undefined);
}

function tooMany({ clientFullSeconds = 0, addressFullSeconds = 0 }: FailureCounts): ClientOutcome {
  return { refusal: 'too many failures', retryAfterSeconds: Math.max(clientFullSeconds, addressFullSeconds) };
}
