/**
 * The statements of the planner's pointer and of the records of builds about a snapshot, signed by the worker that made
 * it. An attacker who can write to the database or the bucket, but has no private key, cannot make a trusted statement.
 * The public planner has public keys only. An earlier statement stays true: a planner never goes back, but a new
 * process may be shown it.
 */
import { sign, verify } from 'node:crypto';
import type { PublicKeys, SigningKeys } from '../../platform/keys/signing-keys.ts';

export interface SnapshotStatement {
  /** Later builds have higher numbers; about the second since 1970 in which it was planned. */
  readonly build: number;
  /** The id inside the snapshot. */
  readonly snapshotId: string;
  /** SHA-256 of the stored file, lower-case hexadecimal. */
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Hash of the inputs that the snapshot was built from; see planner-input.ts. */
  readonly inputHash: string;
}

export interface SignedSnapshot extends SnapshotStatement {
  readonly keyId: string;
  /** Base64. */
  readonly signature: string;
}

/** Clocks may differ; a number that is further ahead would hide later builds. */
export const MOST_AHEAD_SECONDS = 86_400;

const DIGEST = /^[0-9a-f]{64}$/;

export function signSnapshot({ signingKey, signingKeyId }: SigningKeys, statement: SnapshotStatement): SignedSnapshot {
  const signature = sign(null, bytesOf(statement), signingKey).toString('base64');
  return { ...statement, keyId: signingKeyId, signature };
}

/** Why this is not a statement to be trusted, or undefined when it is one. Any value may be given. */
export function findFault(
  found: Readonly<Partial<Record<keyof SignedSnapshot, unknown>>>,
  keys: PublicKeys,
  now: Date,
): string | undefined {
  const { build, snapshotId, sha256, sizeBytes, inputHash, keyId, signature } = found;
  if (!isCount(build)) return 'the build number is none';
  if (build > now.getTime() / 1_000 + MOST_AHEAD_SECONDS) return 'the build number is too far ahead';
  if (!isDigest(snapshotId)) return 'the id of the snapshot is none';
  if (!isDigest(sha256) || !isCount(sizeBytes) || typeof inputHash !== 'string') return 'a member has another form';
  if (typeof keyId !== 'string' || typeof signature !== 'string') return 'it is not signed';
  const key = keys.get(keyId);
  if (!key) return 'the key that signed it is unknown';
  const bytes = bytesOf({ build, snapshotId, sha256, sizeBytes, inputHash });
  return verify(null, bytes, key, Buffer.from(signature, 'base64')) ? undefined : 'the signature is wrong';
}

export function isDigest(value: unknown): value is string {
  return typeof value === 'string' && DIGEST.test(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function bytesOf({ build, snapshotId, sha256, sizeBytes, inputHash }: SnapshotStatement): Buffer {
  return Buffer.from(JSON.stringify(['planner-snapshot', build, snapshotId, sha256, sizeBytes, inputHash]));
}
