/**
 * Writes the ledger: one entry for each event, never changed, never removed.
 *
 * Postings of a settlement are numbered. A writer tries the number after the last that it has seen, and the unique index lets one
 * document have it. The closing takes a number too. So every entry has either a number below it, or comes late and counts for no
 * settlement, however many write at once.
 *
 * Callers: the relay (by LEDGER), the closing of settlements, the reconciliation.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { assertBalanced } from '../../platform/events/journal-entry.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { OrganisationId, SettlementId } from '../../workflows/shared/ids.ts';
import type { EventWithEntry, LedgerWriter } from '../shared/ledger.ts';
import {
  type EntryDocument,
  type EntryReferences,
  LEDGER_ENTRIES,
  type LedgerCollection,
  type LedgerDocument,
} from './ledger-document.ts';

const TRIES = 50;
const MAX_PAUSE_MS = 50;

/** The number that comes next, and whether the settlement has its end. */
interface Next {
  readonly number: number;
  readonly isClosed: boolean;
}

type Place = { readonly settlementId: SettlementId } | { readonly lateFor: SettlementId };

export class LedgerStore implements LedgerWriter {
  readonly #connection: Connection;
  readonly #entries: LedgerCollection;
  readonly #now: () => Date;

  constructor(connection: Connection, now: () => Date = () => new Date()) {
    this.#connection = connection;
    this.#entries = LEDGER_ENTRIES.open(connection);
    this.#now = now;
  }

  async ensureIndexes(): Promise<void> {
    await LEDGER_ENTRIES.ensureIndexes(this.#connection);
  }

  async record(events: readonly EventWithEntry[]): Promise<number> {
    for (const { entry } of events) assertBalanced(entry);
    return await this.#trying(async () => {
      const missing = await this.#withoutRecorded(events);
      if (missing.length > 0) await this.#entries.insertMany(await this.#numbered(missing), { ordered: true });
      return missing.length;
    });
  }

  /** Answers the number of its end: one more than it has postings. Safe to repeat. */
  async close(settlementId: SettlementId, organisationId: OrganisationId): Promise<number> {
    return await this.#trying(async () => {
      const { number, isClosed } = await this.#next({ settlementId });
      if (isClosed) return number;
      const _id = `settlement/${settlementId}`;
      await this.#entries.insertOne({
        _id,
        kind: 'CLOSING',
        organisationId,
        settlementId,
        number,
        storedAt: this.#now(),
      });
      return number;
    });
  }

  /** Another writer may take a number, or write an entry, in between. */
  async #trying<Result>(write: () => Promise<Result>): Promise<Result> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      try {
        return await write();
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        await delay(Math.random() * Math.min(2 ** tries, MAX_PAUSE_MS));
      }
    }
    throw new Error(`The ledger: other writers were faster ${TRIES} times`);
  }

  async #withoutRecorded(events: readonly EventWithEntry[]): Promise<readonly EventWithEntry[]> {
    const ids = events.map(({ id }) => id);
    const found = await this.#entries.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
    const recorded = new Set(found.map(({ _id }) => _id));
    const missing = new Map(events.map((event) => [event.id, event]));
    for (const id of recorded) missing.delete(id);
    return [...missing.values()];
  }

  async #numbered(events: readonly EventWithEntry[]): Promise<LedgerDocument[]> {
    const next = new Map<string, Next>();
    const nextAt = async (place: Place) => next.get(keyOf(place)) ?? (await this.#next(place));
    const documents: LedgerDocument[] = [];
    for (const event of events) {
      const document = this.#document(event);
      const settlementId = event.entry.settlementId as SettlementId | undefined;
      if (settlementId === undefined) {
        documents.push(document);
        continue;
      }
      const { isClosed } = await nextAt({ settlementId });
      const place = isClosed ? { lateFor: settlementId } : { settlementId };
      const { number } = await nextAt(place);
      next.set(keyOf(place), { number: number + document.postings.length, isClosed: false });
      documents.push({ ...document, ...place, number });
    }
    return documents;
  }

  #document({ id, type, time, data, entry }: EventWithEntry): EntryDocument {
    const { currency, postings, references } = entry;
    return {
      _id: id,
      kind: 'ENTRY',
      organisationId: data.meta.organisationId as OrganisationId,
      at: time,
      cause: type,
      currency,
      postings,
      ...(references as EntryReferences),
      storedAt: this.#now(),
    };
  }

  async #next(place: Place): Promise<Next> {
    const options = { sort: { number: -1 }, projection: { number: 1, kind: 1, postings: 1 } } as const;
    const newest = await this.#entries.findOne(place, options);
    if (!newest) return { number: 1, isClosed: false };
    if (newest.kind === 'CLOSING') return { number: newest.number, isClosed: true };
    return { number: (newest.number ?? 0) + newest.postings.length, isClosed: false };
  }
}

function keyOf(place: Place): string {
  return 'lateFor' in place ? `late/${place.lateFor}` : place.settlementId;
}
