/**
 * Writes every aggregate: it reads the document, decides, and writes on condition that its revision is still the one
 * that was read. Events and the work's id are in that same write. After a lost race it reads and decides again.
 * Callers: the stores of areas. Package.md has the rules and an example.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { type DomainEvent, wrapEvents } from '../events/event-family.ts';
import { isDuplicateKey } from '../mongo/mongo.ts';
import { AggregateBusy } from './aggregate-busy.ts';
import type { AggregateDocument, Projection } from './aggregate-document.ts';
import type { AggregatesOptions, Change, Changed, NewContent, Place, Present, Work } from './aggregate-types.ts';
import { conditionalUpdate, pendingMembers, setOrUnset, type UnreadChange } from './conditional-update.ts';
import { addWorkId, hasWorkId } from './work-ids.ts';

/** A writer gives up after losing this many races. */
const MAX_TRIES = 100;
const MAX_PAUSE_MS = 40;
const BUSY_RETRY_SECONDS = 1;
const KIT_PROJECTION = { revision: 1, sequence: 1, workIds: 1 } as const;

type WorkOfEvents = { readonly [Member in Exclude<keyof Work, 'workId'>]?: Work[Member] | undefined };

export class Aggregates<Document extends AggregateDocument, Event extends DomainEvent = never> {
  readonly #options: AggregatesOptions<Document>;
  readonly #collection: mongo.Collection<Document>;
  readonly #now: () => Date;

  constructor(options: AggregatesOptions<Document>) {
    this.#options = options;
    this.#collection = options.collection;
    this.#now = options.now ?? (() => new Date());
  }

  /** Reads one document, and what `open` needs. Undefined when it is absent. */
  async find<Read extends AggregateDocument = Document, Opened = undefined>(
    place: Place<Document, Read, Opened>,
  ): Promise<Present<Read, Opened> | undefined> {
    const document = await this.#read(place, {});
    if (!document) return undefined;
    const opened = await place.open?.(document);
    if (place.open && opened === undefined) return undefined;
    return { document, opened: opened as Opened };
  }

  /**
   * Inserts the document with its first events. Repeated with the same work id it answers the document that the first attempt has
   * created, as it is now. A duplicate key in another unique index is thrown as the driver's error; see isDuplicateKey.
   */
  async create(
    content: NewContent<Document>,
    work: Work & { readonly workId: string; readonly correlationId: string },
    { events = [], pendingStart }: Omit<Change<Document, Event>, 'set'>,
  ): Promise<{ readonly document: Document; readonly outcome: 'WRITTEN' | 'REPEATED' }> {
    const at = this.#now();
    const numbered = { ...content, revision: 1, sequence: events.length, outbox: [] } as unknown as Document;
    const outbox = this.#wrap(numbered, 1, events, work, at);
    const pending = pendingStart ? pendingMembers(true, at) : {};
    // The driver would store undefined as null, which a partial unique index takes for a value.
    const members = setOrUnset({ ...numbered, creationId: work.workId, ...pending, outbox }).$set;
    const document = members as unknown as Document;
    try {
      await this.#collection.insertOne(document as unknown as mongo.OptionalUnlessRequiredId<Document>);
      return { document, outcome: 'WRITTEN' };
    } catch (error) {
      // After any other error it is unknown whether the document was written.
      if (!isDuplicateKey(error)) throw error;
      const created = { creationId: work.workId } as mongo.Filter<Document>;
      const earlier = await this.#collection.findOne(created, { promoteBuffers: true });
      if (!earlier) throw error;
      return { document: earlier as unknown as Document, outcome: 'REPEATED' };
    }
  }

  /**
   * `decide` is pure: it is called again after a lost race, answers undefined for no change, and refuses by throwing.
   * Undefined when there is no such document. Throws AggregateBusy, or the area's own error for it.
   */
  async change<Read extends AggregateDocument = Document, Opened = undefined>(
    place: Place<Document, Read, Opened>,
    work: Work,
    decide: (present: Present<Read, Opened>) => Change<Document, Event> | undefined,
  ): Promise<Changed<Read, Opened> | undefined> {
    let opened: Opened | undefined;
    for (let lost = 0; lost < MAX_TRIES; lost += 1) {
      const document = await this.#read(place, KIT_PROJECTION);
      if (!document) return undefined;
      opened ??= await place.open?.(document);
      if (place.open && opened === undefined) return undefined;
      const present = { document, opened: opened as Opened };
      const { workId } = work;
      if (workId !== undefined && hasWorkId(document.workIds, workId, this.#now())) {
        return { ...present, outcome: 'REPEATED' };
      }
      const change = decide(present);
      if (!change) return { ...present, outcome: 'UNCHANGED' };
      const after = await this.#write(place, document, work, change);
      if (after) return { ...present, document: after, outcome: 'WRITTEN' };
      await delay(Math.random() * Math.min(2 ** lost, MAX_PAUSE_MS));
    }
    throw this.#busy(new AggregateBusy('LOST_RACES', BUSY_RETRY_SECONDS));
  }

  /**
   * One conditional write without reading, for a change that its condition alone decides. The condition must not hold any more
   * afterwards, so that a repeat changes nothing. False when no document meets it.
   */
  async changeUnread(
    condition: mongo.Filter<Document>,
    change: UnreadChange<Document>,
    hint?: string,
  ): Promise<boolean> {
    const update = conditionalUpdate(change, this.#now());
    const { matchedCount } = await this.#collection.updateOne(condition, update, hint === undefined ? {} : { hint });
    return matchedCount > 0;
  }

  async #read<Read extends AggregateDocument, Opened>(
    { filter, hint, projection }: Place<Document, Read, Opened>,
    kitMembers: Projection<AggregateDocument>,
  ): Promise<Read | null> {
    const found = await this.#collection.findOne(filter(this.#now()), {
      ...(projection && { projection: { ...projection, ...kitMembers } }),
      ...(hint !== undefined && { hint }),
      promoteBuffers: true,
    });
    return found as unknown as Read | null;
  }

  /** Undefined when another writer came first, or the condition holds no longer. */
  async #write<Read extends AggregateDocument, Opened>(
    { condition }: Place<Document, Read, Opened>,
    document: Read,
    { workId, ...work }: Work,
    { set, events = [], pendingStart, correlationId = work.correlationId }: Change<Document, Event>,
  ): Promise<Read | undefined> {
    const at = this.#now();
    // Documents from before the kit have neither member: a filter's undefined matches where there is none.
    const { _id, revision, sequence = 0 } = document;
    const outbox = this.#wrap(document as unknown as Document, sequence + 1, events, { ...work, correlationId }, at);
    const members = {
      ...set,
      ...pendingMembers(pendingStart, at),
      ...(workId !== undefined && { workIds: this.#addWorkId(document, workId, at) }),
    };
    const { matchedCount } = await this.#collection.updateOne(
      { ...condition?.(at), _id, revision } as mongo.Filter<Document>,
      {
        ...setOrUnset(members),
        $inc: { revision: 1, sequence: events.length },
        ...(outbox.length > 0 && { $push: { outbox: { $each: outbox } } }),
      } as unknown as mongo.UpdateFilter<Document>,
    );
    if (matchedCount === 0) return undefined;
    return { ...document, ...members, revision: (revision ?? 0) + 1, sequence: sequence + events.length };
  }

  #addWorkId({ workIds }: AggregateDocument, workId: string, at: Date): Buffer {
    try {
      return addWorkId(workIds, workId, at);
    } catch (error) {
      throw error instanceof AggregateBusy ? this.#busy(error) : error;
    }
  }

  #wrap(
    document: Document,
    firstSequence: number,
    events: readonly Event[],
    { correlationId, clientId, causationId }: WorkOfEvents,
    at: Date,
  ) {
    if (events.length === 0) return [];
    if (correlationId === undefined) throw new Error('A write with events needs a correlation id');
    const { family, environment } = this.#options;
    if (!family || !environment) throw new RangeError('An aggregate without an event family has no events');
    return wrapEvents(family, events, {
      document,
      firstSequence,
      correlationId,
      clientId,
      causationId,
      environment,
      at,
    });
  }

  #busy(error: AggregateBusy): Error {
    return this.#options.busy?.(error) ?? error;
  }
}
