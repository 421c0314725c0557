/** The types between areas and the aggregate kit. */
import type { mongo } from 'mongoose';
import type { DomainEvent, EventFamily } from '../events/event-family.ts';
import type { EventEnvironment } from '../events/outbox.ts';
import type { AggregateBusy } from './aggregate-busy.ts';
import type { AggregateDocument, KitMember, Projection } from './aggregate-document.ts';
import type { UnreadChange } from './conditional-update.ts';

export interface AggregatesOptions<Document extends AggregateDocument> {
  /** Opened by the area's `CollectionDefinition`. */
  readonly collection: mongo.Collection<Document>;
  /** The family of its events. Both are absent where the aggregate has no events. */
  readonly family?: EventFamily<Document>;
  readonly environment?: EventEnvironment;
  readonly now?: () => Date;
  /** The area's own error in place of AggregateBusy. */
  readonly busy?: (busy: AggregateBusy) => Error;
}

/** The party that writes. */
export interface Work {
  /**
   * The same in every attempt of one request or workflow step. Absent only where the change removes its own condition,
   * so that a repeat finds nothing to do.
   */
  readonly workId?: string;
  /** Correlation id of the events. Absent where `decide` gives it. */
  readonly correlationId?: string;
  /** The caller, which the events then name. */
  readonly clientId?: string;
  /** Id of the event that caused this work. */
  readonly causationId?: string;
}

/** Names the document, and how to read it. Conditions that depend on time get the time of each try. */
export interface Place<
  Document extends AggregateDocument,
  Read extends AggregateDocument = Document,
  Opened = undefined,
> {
  readonly filter: (now: Date) => mongo.Filter<Document>;
  readonly hint?: string;
  /**
   * The members to read; default: the whole document. The kit adds what it needs; the area names what `family.describe`
   * reads.
   */
  readonly projection?: Projection<Document>;
  /** Checked again in the write, with the revision: for conditions that time alone makes false. */
  readonly condition?: (now: Date) => mongo.Filter<Document>;
  /**
   * Called once per change. Fetches something constant, for example the data key. Undefined means that the document
   * counts as absent.
   */
  readonly open?: (document: Read) => Promise<Opened | undefined>;
}

export interface Present<Read, Opened = undefined> {
  readonly document: Read;
  /** The result of `open`. */
  readonly opened: Opened;
}

export interface Change<Document extends AggregateDocument, Event extends DomainEvent> extends UnreadChange<Document> {
  readonly events?: readonly Event[];
  /** Replaces the work's correlation id where the work continues an earlier request. */
  readonly correlationId?: string;
}

export interface Changed<Read, Opened = undefined> extends Present<Read, Opened> {
  /** REPEATED: this work was done before. UNCHANGED: `decide` wanted no change. */
  readonly outcome: 'WRITTEN' | 'REPEATED' | 'UNCHANGED';
}

export type NewContent<Document extends AggregateDocument> = Omit<Document, Exclude<KitMember, '_id'>>;
