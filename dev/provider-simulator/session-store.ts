/**
 * Sessions in the simulator's own database. A provider never forgets: each change is written before it is answered, and a
 * unique index holds every key once.
 */
import type { Connection, mongo } from 'mongoose';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import { findOperation } from './money.ts';
import { nextDue, passTime } from './rules.ts';
import type { Operation, Session, Step } from './session.ts';

interface SessionDocument extends Session {
  /** Derived: when something happens by itself. */
  readonly dueAt?: Date;
}

const KEYS_INDEX = 'keys';
const MAX_ATTEMPTS = 500;
const LONGEST_PAUSE_MS = 20;

export const SESSIONS = new CollectionDefinition<SessionDocument>('sessions', [
  { name: KEYS_INDEX, key: { 'operations.key': 1 }, unique: true },
  { name: 'terminals', key: { terminal: 1 }, unique: true },
  { name: 'authorisations', key: { authorisationId: 1 } },
  { name: 'references', key: { reference: 1 } },
  { name: 'due', key: { dueAt: 1 }, sparse: true },
]);

export class SessionStore {
  readonly #collection: mongo.Collection<SessionDocument>;
  readonly #now: () => Date;

  constructor(connection: Connection, now: () => Date = () => new Date()) {
    this.#collection = SESSIONS.open(connection);
    this.#now = now;
  }

  /** False when its key is taken. */
  async create(session: Session): Promise<boolean> {
    try {
      await this.#collection.insertOne(toDocument(session));
      return true;
    } catch (error) {
      if (isDuplicateKey(error, KEYS_INDEX)) return false;
      throw error;
    }
  }

  async find(filter: Partial<Pick<Session, '_id' | 'terminal' | 'authorisationId'>>): Promise<Session | undefined> {
    const found = await this.#collection.findOne(filter as mongo.Filter<SessionDocument>);
    return found ? passTime(found as Session, this.#now()) : undefined;
  }

  async findByKey(key: string): Promise<{ session: Session; operation: Operation } | undefined> {
    const found = await this.#collection.findOne({ 'operations.key': key } as mongo.Filter<SessionDocument>);
    const session = found ? passTime(found as Session, this.#now()) : undefined;
    const operation = session && findOperation(session, key);
    return operation && { session, operation };
  }

  /**
   * Applies the steps in one conditional write, and answers the session after it. Undefined: there is no such session.
   * Throws KeyTaken when another session has the key of a new operation.
   */
  async change(id: string, ...steps: readonly Step[]): Promise<Session | undefined> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const before = (await this.#collection.findOne({ _id: id })) as SessionDocument | null;
      if (!before) return undefined;
      const now = this.#now();
      const after = [passTime, ...steps].reduce((session, step) => step(session, now), before as Session);
      if (after === before) return after;
      const written = toDocument({ ...after, revision: before.revision + 1 });
      if (await this.#replace(before, written)) return written;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * LONGEST_PAUSE_MS));
    }
    throw new Error(`Too many writers change session ${id} at once`);
  }

  async #replace({ _id, revision }: Session, written: SessionDocument): Promise<boolean> {
    try {
      const { modifiedCount } = await this.#collection.replaceOne({ _id, revision }, written);
      return modifiedCount === 1;
    } catch (error) {
      if (isDuplicateKey(error, KEYS_INDEX)) throw new KeyTaken();
      throw error;
    }
  }

  /** Longest due first. */
  async listDue(limit: number): Promise<readonly string[]> {
    const found = this.#collection.find({ dueAt: { $lte: this.#now() } }, { projection: { _id: 1 } });
    return (await found.sort({ dueAt: 1 }).limit(limit).toArray()).map(({ _id }) => _id);
  }

  /** By reference, then by age. */
  async listByReference(reference?: string): Promise<readonly Session[]> {
    const filter = (reference === undefined ? {} : { reference }) as mongo.Filter<SessionDocument>;
    const found = await this.#collection.find(filter).sort({ reference: 1, createdAt: 1 }).toArray();
    return found.map((session) => passTime(session as Session, this.#now()));
  }
}

export class KeyTaken extends Error {}

function toDocument(session: Session): SessionDocument {
  const { dueAt: _earlier, ...rest } = session as SessionDocument;
  const dueAt = nextDue(session);
  return { ...rest, ...(dueAt && { dueAt }) };
}
