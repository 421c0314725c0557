/**
 * The list of disabled clients: how it is signed and read. Pure. Processes that verify tokens read it from the
 * database, where others may write, and must not be able to make one themselves. So it is signed with Ed25519. Only the
 * authentication server and `npm run client` have `CLIENT_SECRET_KEY`, from which the private key is derived. The
 * public key is in the published key set. Tokens cannot be signed with it: they are RS256, and the types differ.
 *
 * The whole list is signed, with a time that rises: a removed entry and an earlier list are noticed.
 */
import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import { CompactSign, type CompactVerifyGetKey, compactVerify, errors, type JWK } from 'jose';
import { z } from 'zod';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { LONGEST_LIFETIME_SECONDS } from './signing-key-times.ts';

export interface DisabledList {
  /** Milliseconds since 1970; each list's is higher than that of the one before. */
  readonly signedAt: number;
  /** When each was disabled, in milliseconds since 1970. */
  readonly clients: ReadonlyMap<string, number>;
}

export interface ListKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly publicJwk: JWK;
}

interface ListDocument {
  readonly _id: typeof LIST_ID;
  /** A compact JWS. */
  readonly signed: string;
}

/** The longest lifetime of a token, and an hour for clock differences: after it a client is left out. */
export const DISABLED_KEPT_MS = (LONGEST_LIFETIME_SECONDS + 3_600) * 1000;
/** The authentication server signs the list anew so often, also unchanged. */
export const SIGNED_EVERY_MS = 30_000;
/** A process that starts takes no older list. A running one goes on with an older one, and an alert is raised. */
export const OLD_AFTER_MS = 300_000;
export const LIST_ID = 'list';
export const DISABLED_LIST = new CollectionDefinition<ListDocument>('disabled_clients');

const ALGORITHM = 'EdDSA';
const TYPE = 'disabled-clients';
/** DER of an Ed25519 private key (RFC 8410) up to its 32 bytes. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;
const shape = z.object({ signedAt: z.int().positive(), clients: z.record(z.string(), z.int()) });

/** `secretKey`: the 32 bytes of `CLIENT_SECRET_KEY`. */
export function deriveListKey(secretKey: Uint8Array): ListKey {
  const seed = Buffer.from(hkdfSync('sha256', secretKey, '', 'disabled-clients/ed25519', SEED_BYTES));
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const { crv = '', kty = '', x = '' } = publicKey.export({ format: 'jwk' });
  // The thumbprint of RFC 7638: members in this order.
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
  return { kid, privateKey, publicKey, publicJwk: { kty, crv, x, kid, alg: ALGORITHM, use: 'sig' } };
}

export async function signList({ signedAt, clients }: DisabledList, { kid, privateKey }: ListKey): Promise<string> {
  const payload = Buffer.from(JSON.stringify({ signedAt, clients: Object.fromEntries(clients) }));
  const header = { alg: ALGORITHM, typ: TYPE, kid };
  return await new CompactSign(payload).setProtectedHeader(header).sign(privateKey);
}

/** Throws a JOSEError when it is not a list signed with one of the keys, and what `getKey` throws. */
export async function openList(signed: string, getKey: CompactVerifyGetKey): Promise<DisabledList> {
  const { payload, protectedHeader } = await compactVerify(signed, getKey, { algorithms: [ALGORITHM] });
  if (protectedHeader.typ !== TYPE) throw new errors.JWSInvalid('not a list of disabled clients');
  const { signedAt, clients } = shape.parse(JSON.parse(Buffer.from(payload).toString()));
  return { signedAt, clients: new Map(Object.entries(clients)) };
}
