/**
 * Heads of the audit log, kept in the object store: a copy of the log that was cut at its end is recognised by them.
 * Each carries a MAC, so that a writer to the object store cannot make one up. Callers: the API, which anchors; `npm
 * run audit`.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { KeyRing } from '../../platform/keys/key-ring.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { readObject } from '../../platform/object-store/read-object.ts';
import type { AuditHead } from './audit-entry.ts';

/** Processes write below it, and nothing deletes there. */
export const AUDIT_ANCHORS = 'audit-anchors/';
const DIGITS = 12;

/** An anchor has some 250 bytes. A larger object is not read. */
const LARGEST_BYTES = 4_096;
/** A writer to the object store can make any number of them. */
const MOST_FAULTS = 50;

const keptAnchor = z.object({ sequence: z.int().positive(), hash: z.string(), keyId: z.string(), mac: z.string() });
type KeptAnchor = z.infer<typeof keptAnchor>;

export interface ListedAnchors {
  readonly heads: readonly AuditHead[];
  /** One for each object that no process wrote; at most {@link MOST_FAULTS}. */
  readonly faults: readonly string[];
}

export class AuditAnchors {
  readonly #objects: ObjectStore;
  readonly #keys: KeyRing;

  constructor(objects: ObjectStore, keys: KeyRing) {
    this.#objects = objects;
    this.#keys = keys;
  }

  /** Safe to repeat, and to run in several processes at once. */
  async keep({ sequence, hash }: AuditHead): Promise<void> {
    const { writingKeyId: keyId, keys } = this.#keys;
    const key = keys.get(keyId);
    if (!key) throw new RangeError('The writing key is not in the key ring');
    const anchor: KeptAnchor = { sequence, hash, keyId, mac: macOf(key, { sequence, hash }) };
    await this.#objects.put(keyOf(anchor), Buffer.from(JSON.stringify(anchor)), 'application/json');
  }

  /** In the order of the sequence. Goes on after an object that is not what a process wrote, and names it. */
  async list(): Promise<ListedAnchors> {
    const heads: AuditHead[] = [];
    const faults: string[] = [];
    for await (const { key, sizeBytes } of this.#objects.list(AUDIT_ANCHORS)) {
      const found = sizeBytes > LARGEST_BYTES ? 'is too large' : this.#open(key, await readObject(this.#objects, key));
      if (typeof found !== 'string') heads.push(found);
      else if (faults.length < MOST_FAULTS) faults.push(`the anchor ${key} ${found}`);
    }
    return { heads, faults };
  }

  /** The anchor, or what is wrong with it. */
  #open(place: string, bytes: Uint8Array): AuditHead | string {
    const anchor = readAnchor(bytes);
    if (!anchor) return 'is malformed';
    const { sequence, hash, keyId, mac } = anchor;
    const key = this.#keys.keys.get(keyId);
    if (!key) return `names the key ${keyId}, which AUDIT_KEYS does not have`;
    const [given, expected] = [Buffer.from(mac), Buffer.from(macOf(key, anchor))];
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'has a wrong MAC';
    return place === keyOf(anchor) ? { sequence, hash } : 'lies in another place than where it was written';
  }
}

function readAnchor(bytes: Uint8Array): KeptAnchor | undefined {
  try {
    return keptAnchor.parse(JSON.parse(Buffer.from(bytes).toString()));
  } catch {
    return undefined;
  }
}

function macOf(key: Uint8Array, { sequence, hash }: AuditHead): string {
  return createHmac('sha256', key).update(`anchor:${sequence}:${hash}`).digest('hex');
}

/** The hash is part of the key, so that a second chain cannot replace the anchors of the first. */
function keyOf({ sequence, hash }: AuditHead): string {
  return `${AUDIT_ANCHORS}${String(sequence).padStart(DIGITS, '0')}-${hash.slice(0, 16)}.json`;
}
