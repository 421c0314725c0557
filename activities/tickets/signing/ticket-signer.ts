/**
 * The port of ticket signing. Adapters beside it keep the private keys: in a file, or in a key management service. Only the
 * documents worker has one. These keys sign tickets and what inspectors verify them with, and nothing else.
 */
export interface TicketSigner {
  /** RICS code of the issuer. */
  readonly issuerCode: number;
  /** The key that signs at this time. Throws where none is valid. */
  current(at: Date): SigningTicketKey;
}

export interface SigningTicketKey {
  readonly keyId: number;
  /** Tickets that it has signed are verified until then. */
  readonly validTo: Date;
  /** ECDSA on P-256 with SHA-256, in DER. */
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}
