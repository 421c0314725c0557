/** What areas hand to the aggregate kit and get from it. Types only. */
import type { mongo } from 'mongoose';
import type { DomainEvent, EventFamily } from '../events/event-family.ts';
import type { EventEnvironment } from '../events/outbox.ts';
import type { AggregateBusy } from './aggregate-busy.ts';
import type { AggregateDocument, KitMember, Projection } from './aggregate-document.ts';
import type { UnreadChange } from './conditional-update.ts';

export interface AggregatesOptions<Document extends AggregateDocument> {
  /** Opened by the area's `CollectionDefinition`. */
  readonly collection: mongo.Collection<Document>;
  /** Of its events. Both are absent where the aggregate has no events. */
  readonly family?: EventFamily<Document>;
  readonly environment?: EventEnvironment;
  readonly now?: () => Date;
  /** The area's own error in place of AggregateBusy. */
  readonly busy?: (busy: AggregateBusy) => Error;
}

/** Who writes. */
export interface Work {
  /**
   * The same in every attempt of one request or workflow step. Absent only where the change removes its own condition, so that a
   * repeat finds nothing to do.
   */
  readonly workId?: string;
  /** Of the events. Absent where `decide` gives it. */
  readonly correlationId?: string;
}

/** Which document, and how to read it. Conditions that depend on time get the time of each try. */
export interface Place<
  Document extends AggregateDocument,
  Read extends AggregateDocument = Document,
  Opened = undefined,
> {
  readonly filter: (now: Date) => mongo.Filter<Document>;
  readonly hint?: string;
  /** The whole document unless given. The kit adds what it needs; the area names what `family.describe` reads. */
  readonly projection?: Projection<Document>;
  /** Must hold in the write too, beside the revision: for what time alone changes. */
  readonly condition?: (now: Date) => mongo.Filter<Document>;
  /** Called once a change: fetches what must not change while the document lives, as its key. Undefined: not there. */
  readonly open?: (document: Read) => Promise<Opened | undefined>;
}

export interface Present<Read, Opened = undefined> {
  readonly document: Read;
  /** What `open` has fetched. */
  readonly opened: Opened;
}

export interface Change<Document extends AggregateDocument, Event extends DomainEvent> extends UnreadChange<Document> {
  readonly events?: readonly Event[];
  /** In place of the work's, where the work continues what an earlier request began. */
  readonly correlationId?: string;
}

export interface Changed<Read, Opened = undefined> extends Present<Read, Opened> {
  /** REPEATED: this work was done before. UNCHANGED: `decide` wanted no change. */
  readonly outcome: 'WRITTEN' | 'REPEATED' | 'UNCHANGED';
}

export type NewContent<Document extends AggregateDocument> = Omit<Document, Exclude<KitMember, '_id'>>;
