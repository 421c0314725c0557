/**
 * Gives receipts their numbers: 1, 2, 3 … in each organisation and year, without a gap or a repeat. Caller: the store.
 *
 * A number is claimed by the very insert of its receipt, under a unique index, and is always one more than the highest that is
 * there. So it exists with its receipt or not at all, whatever dies meanwhile, and no receipt is ever removed. Where several
 * want the same number one gets it, and the others look again.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Aggregates } from '../../platform/aggregate/aggregates.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import { serialYear } from '../../workflows/receipts/rules/serial.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import { Mutex } from '../../workflows/shared/mutex.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { RECEIPT_INDEX, type ReceiptCollection, type ReceiptDocument } from './receipt-document.ts';

/** Each lost one has given the number to another process. */
const MOST_TRIES = 200;
const MOST_PAUSE_MS = 20;

type Content = Omit<
  ReceiptDocument,
  'year' | 'number' | 'createdAt' | 'recordedAt' | 'revision' | 'sequence' | 'outbox'
>;

export class SerialClaims {
  readonly #collection: ReceiptCollection;
  readonly #receipts: Aggregates<ReceiptDocument>;
  readonly #now: () => Date;
  /** Claims of one process wait for one another, so they lose no races among themselves. */
  readonly #turns = new Map<OrganisationId, Mutex>();

  constructor(collection: ReceiptCollection, receipts: Aggregates<ReceiptDocument>, now: () => Date) {
    this.#collection = collection;
    this.#receipts = receipts;
    this.#now = now;
  }

  /** A repeat of the work answers the receipt that the first attempt has made. Throws UNAVAILABLE after too many lost races. */
  async insert(
    content: Content,
    work: { readonly workId: string; readonly correlationId: string },
  ): Promise<ReceiptDocument> {
    return await this.#turnOf(content.organisationId).run(async () => {
      for (let lost = 0; lost < MOST_TRIES; lost += 1) {
        const inserted = await this.#tryNext(content, work);
        if (inserted) return inserted;
        await pause(Math.random() * MOST_PAUSE_MS);
      }
      throw new ServiceError('UNAVAILABLE', 'Too many receipts are made at once; try again.', {
        headers: { 'Retry-After': '1' },
      });
    });
  }

  /** Undefined: another receipt has got the number. */
  async #tryNext(content: Content, work: { readonly workId: string; readonly correlationId: string }) {
    const { organisationId, timeZone } = content;
    const now = this.#now();
    const year = serialYear(now, timeZone);
    const number = (await this.#highest(organisationId, year)) + 1;
    try {
      const whole = { ...content, year, number, createdAt: now, recordedAt: now };
      return (await this.#receipts.create(whole as never, work, {})).document;
    } catch (error) {
      if (isDuplicateKey(error, RECEIPT_INDEX.serial)) return undefined;
      throw error;
    }
  }

  async #highest(organisationId: OrganisationId, year: number): Promise<number> {
    const options = { projection: { number: 1 }, sort: { number: -1 }, hint: RECEIPT_INDEX.serial } as const;
    const found = await this.#collection.findOne({ organisationId, year, isOriginal: true }, options);
    return found?.number ?? 0;
  }

  #turnOf(organisationId: OrganisationId): Mutex {
    const turn = this.#turns.get(organisationId) ?? new Mutex();
    this.#turns.set(organisationId, turn);
    return turn;
  }
}
