/**
 * The port of ticket signing. Adapters beside it keep the private keys: in a file, or in a key management service. Only the
 * documents worker has one. These keys sign tickets and what inspectors verify them with, and nothing else.
 */
export interface TicketSigner {
  /** RICS code of the issuer. */
  readonly issuerCode: number;
  /** The key that signs at this time what is verified until `until`. Throws NoTicketKeyError where there is none. */
  current(at: Date, until?: Date): SigningTicketKey;
  /**
   * Public halves of the keys that the operator lists, ended ones too. What others have written into the database is not among
   * them.
   */
  readonly published: readonly TicketKeyFacts[];
}

export interface TicketKeyFacts {
  readonly issuerCode: number;
  readonly keyId: number;
  /** SubjectPublicKeyInfo. */
  readonly publicKeyDer: Uint8Array;
  readonly validFrom: Date;
  readonly validTo: Date;
}

export interface SigningTicketKey {
  readonly keyId: number;
  /** Tickets that it has signed are verified until then. */
  readonly validTo: Date;
  /** ECDSA on P-256 with SHA-256, in DER. */
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}

/** An operator has to add a key: what needs one is tried again until then. */
export class NoTicketKeyError extends Error {
  constructor() {
    super('No key can sign such a ticket: add one with npm run ticket-keys (docs/operations/ticket-keys.md)');
    this.name = 'NoTicketKeyError';
  }
}

/** The private half of one key, wherever it is kept. */
export interface KeyMaterial {
  /** SubjectPublicKeyInfo. */
  readonly publicKeyDer: Uint8Array;
  /** Absent: it signs no more. */
  readonly sign?: (bytes: Uint8Array) => Promise<Uint8Array>;
  readonly close: () => void;
}
