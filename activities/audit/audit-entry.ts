/**
 * One entry of the audit log: what it says, its hash, and its message authentication code. Pure.
 *
 * The hash covers everything the entry says and the hash of the entry before. The MAC is made of the hash with a key
 * that is not in the database. A change, a swap, a gap or an added entry makes a hash or a MAC wrong.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyRing } from '../../platform/keys/key-ring.ts';
import type { AuditActor } from '../shared/audit.ts';

/**
 * ATTEMPTED is written before the action. REFUSED: the action threw an error that its caller caused; FAILED: another
 * error. An attempt without an outcome belongs to a process that died, so the action may have happened or not.
 */
export type AuditOutcome = 'ATTEMPTED' | 'DONE' | 'REFUSED' | 'FAILED';

export interface AuditContent {
  readonly at: Date;
  readonly action: string;
  readonly actor: AuditActor;
  readonly resource: { readonly type: string; readonly id?: string };
  /** By which a rule was lifted. */
  readonly code?: string;
  readonly address?: string;
  readonly correlationId?: string;
  readonly outcome: AuditOutcome;
  /** Sequence of the entry ATTEMPTED; absent on that entry itself. */
  readonly attempt?: number;
  /** Code of the error of REFUSED and FAILED. */
  readonly errorCode?: string;
}

export interface AuditEntry extends AuditContent {
  /** Sequence: from 1 without a gap. */
  readonly _id: number;
  /** Hash of the entry before; of the first one {@link NO_ENTRY}. */
  readonly previous: string;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  /** The key of `AUDIT_KEYS` that made the MAC. */
  readonly keyId: string;
  /** HMAC-SHA-256 of sequence and hash, in hexadecimal. */
  readonly mac: string;
}

export interface AuditHead {
  readonly sequence: number;
  readonly hash: string;
}

export const NO_ENTRY = '0'.repeat(64);
export const EMPTY_LOG: AuditHead = { sequence: 0, hash: NO_ENTRY };
const MOST_SHOWN = 100;

/** `sequence`: another number than the next one, where that is taken by an entry that no process wrote. */
export function sealEntry(
  content: AuditContent,
  before: AuditHead,
  { writingKeyId, keys }: KeyRing,
  sequence = before.sequence + 1,
): AuditEntry {
  const numbered = { ...content, _id: sequence, previous: before.hash, keyId: writingKeyId };
  const hash = findHash(numbered);
  const key = keys.get(writingKeyId);
  if (!key || hash === undefined) throw new RangeError('The entry is malformed, or the writing key is not in the ring');
  return { ...numbered, hash, mac: macOf(key, numbered._id, hash) };
}

/**
 * Proves that a process wrote an entry with this number and this hash. The members come from the database: any may be
 * of any type.
 */
export type Seal = Pick<AuditEntry, '_id' | 'hash' | 'keyId' | 'mac'>;

/**
 * Finds why no process wrote an entry with this seal; undefined when one did. The content may have been changed since.
 */
export function findSealFault({ _id, hash, keyId, mac }: Seal, { keys }: KeyRing): string | undefined {
  if (!isSequence(_id)) return `the id ${shorten(_id)} is not the number of an entry`;
  if (![hash, keyId, mac].every(isText)) return `entry ${_id} is malformed`;
  const key = keys.get(keyId);
  if (!key) return `entry ${_id} names the key ${keyId.slice(0, MOST_SHOWN)}, which AUDIT_KEYS does not have`;
  return isEqual(mac, macOf(key, _id, hash)) ? undefined : `entry ${_id} has a wrong MAC`;
}

/** False for an entry that lacks what each entry has. Such an entry cannot be shown, and no process wrote it. */
export function isWellFormed(entry: AuditEntry): boolean {
  const { hash, keyId, mac } = entry;
  return isSequence(entry._id) && [hash, keyId, mac].every(isText) && findHash(entry) !== undefined;
}

/** True when the hash of the entry is the one of its content. */
export function hasRightHash(entry: AuditEntry): boolean {
  return entry.hash === findHash(entry);
}

export function headOf({ _id, hash }: Pick<AuditEntry, '_id' | 'hash'>): AuditHead {
  return { sequence: _id, hash };
}

type Hashed = Omit<AuditEntry, 'hash' | 'mac'>;

/**
 * A list with a fixed order, so that the same entry always gives the same text, whatever the database does to the
 * members. Undefined for malformed content.
 */
function findHash({ _id, previous, keyId, at, action, actor, resource, ...rest }: Hashed): string | undefined {
  const isTime = at instanceof Date && !Number.isNaN(at.getTime());
  if (!isTime || !isText(action) || !isText(rest.outcome) || !isText(previous)) return undefined;
  if (rest.code !== undefined && !isText(rest.code)) return undefined;
  if (!isText(actor?.kind) || !isText(actor.id) || !isText(resource?.type)) return undefined;
  const { address = null, correlationId = null, outcome, attempt = null, errorCode = null } = rest;
  const organisationId = actor.kind === 'CLIENT' ? actor.organisationId : null;
  const said = [at.toISOString(), action, actor.kind, actor.id, organisationId, resource.type, resource.id ?? null];
  // At the end, so that entries without a code have the hash of before.
  const code = rest.code === undefined ? [] : [rest.code];
  const others = [address, correlationId, outcome, attempt, errorCode, ...code];
  const text = JSON.stringify([_id, previous, keyId, ...said, ...others]);
  return createHash('sha256').update(text).digest('hex');
}

function isSequence(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** For faults: a writer to the database chose the value. */
function shorten(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, MOST_SHOWN);
}

function macOf(key: Uint8Array, sequence: number, hash: string): string {
  return createHmac('sha256', key).update(`audit:${sequence}:${hash}`).digest('hex');
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
