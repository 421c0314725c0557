/**
 * Moves the pointer to the snapshot in use. A pointer that the planner build did not sign counts as none, and is
 * replaced. Callers: the stores of planner builds.
 */
import type { Connection, mongo } from 'mongoose';
import type { SigningKeys } from '../../platform/keys/signing-keys.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import {
  findPlannerPointer,
  PLANNER_POINTER,
  type PlannerPointerDocument,
  UntrustedPointerError,
} from '../shared/planner-snapshot.ts';
import type { SignedSnapshot } from '../shared/snapshot-signature.ts';

/** After this many lost races the other writer is not one of the service's. */
const MOST_TRIES = 100;

export class PlannerPointerStore {
  readonly #connection: Connection;
  readonly #pointers: mongo.Collection<PlannerPointerDocument>;
  readonly #keys: SigningKeys;
  readonly #now: () => Date;

  constructor(connection: Connection, keys: SigningKeys, now: () => Date) {
    this.#connection = connection;
    this.#pointers = PLANNER_POINTER.open(connection);
    this.#keys = keys;
    this.#now = now;
  }

  async find(): Promise<PlannerPointerDocument | undefined> {
    try {
      return await findPlannerPointer(this.#connection, this.#keys.publicKeys, this.#now());
    } catch (error) {
      if (error instanceof UntrustedPointerError) return undefined;
      throw error;
    }
  }

  /** Replaces the pointer that was read, in one write, unless a later build holds it. A pointer written since stays. */
  async move(snapshot: SignedSnapshot): Promise<'PUBLISHED' | 'NOT_NEWER'> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const stored = await this.#pointers.findOne({ _id: 'current' }, { projection: { signature: 1 } });
      const pointer = await this.find();
      if (pointer && pointer.build >= snapshot.build) {
        return pointer.build === snapshot.build ? 'PUBLISHED' : 'NOT_NEWER';
      }
      const next = { ...snapshot, publishedAt: this.#now() };
      if (stored ? await this.#replace(stored, next) : await this.#insert(next)) return 'PUBLISHED';
    }
    throw new Error('The pointer to the snapshot in use changes all the time');
  }

  async #replace({ signature }: Partial<SignedSnapshot>, next: Omit<PlannerPointerDocument, '_id'>): Promise<boolean> {
    // A forged pointer may lack a signature, or have one of any type.
    const looked = { _id: 'current', signature: { $eq: signature ?? null } } as const;
    return (await this.#pointers.replaceOne(looked as never, next)).matchedCount === 1;
  }

  async #insert(next: Omit<PlannerPointerDocument, '_id'>): Promise<boolean> {
    try {
      await this.#pointers.insertOne({ _id: 'current', ...next });
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return false;
    }
  }
}
