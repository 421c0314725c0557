/**
 * Makes the inspection file: within seconds of a revocation or a changed key, and each hour. Any number of workers may run; one of
 * them writes each file. Caller: the role.
 */
import { createHash } from 'node:crypto';
import {
  assembleInspectionFile,
  encodeInspectionFile,
  type InspectionContent,
} from '../../../barcode/inspection-file.ts';
import { HOUR_MS } from '../../../workflows/shared/spans.ts';
import { INSPECTION_VALID_MS } from '../signing/key-times.ts';
import type { TicketKeys } from '../signing/ticket-keys.ts';
import type { TicketKeyFacts } from '../signing/ticket-signer.ts';
import type { InspectionFileFacts, InspectionFileStore } from './inspection-file-store.ts';
import type { RevokedTickets } from './revoked-tickets.ts';

export interface InspectionFileDependencies {
  readonly files: InspectionFileStore;
  readonly keys: Pick<TicketKeys, 'refresh' | 'published' | 'foreign' | 'current' | 'issuerCode'>;
  readonly revoked: RevokedTickets;
  readonly now?: () => Date;
}

/** A refund that has failed for good restores its tickets within a day. */
const RESTORED_WITHIN_MS = 48 * HOUR_MS;
/** Listing many revoked tickets may take a tenth of the time. */
const REST_FACTOR = 10;
const BEHIND_MS = 2 * HOUR_MS;

export class InspectionFileMaker {
  readonly #of: InspectionFileDependencies;
  readonly #now: () => Date;
  #restUntilMs = 0;
  #validUntil: Date | undefined;
  #revokedCount = 0;

  constructor(dependencies: InspectionFileDependencies) {
    this.#of = dependencies;
    this.#now = dependencies.now ?? (() => new Date());
  }

  /** Of the newest file that this process has seen or made. */
  get validUntil(): Date | undefined {
    return this.#validUntil;
  }

  /** Of the same file, with those that found no room in it. */
  get revokedCount(): number {
    return this.#revokedCount;
  }

  /** Makes the next file where it is due. True when this call has stored one. */
  async keep(): Promise<boolean> {
    const { files } = this.#of;
    const now = this.#now();
    const facts = await files.findFacts();
    this.#note(facts);
    // A key may have been withdrawn through another worker.
    await this.#of.keys.refresh();
    const keys = this.#of.keys.published.filter(({ validTo }) => validTo > now);
    const keysMark = markOf(keys);
    const madeOf = await this.#describe(now, keysMark);
    if (facts?.madeOf === madeOf) return false;
    // Devices must learn at once that a key is withdrawn.
    const mayRest = facts?.madeOf.endsWith(keysMark) ?? true;
    if (mayRest && now.getTime() < this.#restUntilMs) return false;
    if (facts && this.#isBehind(facts, now)) return false;
    const startedMs = performance.now();
    const number = Math.max((facts?.number ?? 0) + 1, Math.floor(now.getTime() / 1000));
    const { numbers, count: revokedCount } = await this.#of.revoked.list(now);
    const content = makeContent(number, now, keys, numbers);
    const made: InspectionFileFacts = {
      ...{ number, madeOf, revokedCount, keyIds: keys.map(({ keyId }) => keyId) },
      ...{ createdAt: now, validUntil: new Date(content.validUntil) },
    };
    const stored = await files.replace(facts?.number, made, await this.#sign(content, now));
    if (stored) this.#note(made);
    this.#restUntilMs = this.#now().getTime() + REST_FACTOR * (performance.now() - startedMs);
    return stored;
  }

  /**
   * While a new key is brought to the workers, one that does not list it leaves the file to the others. Not for long: the document
   * could say anything. A key that has ended needs no place in a file, so it holds nobody up.
   */
  #isBehind({ keyIds, createdAt }: InspectionFileFacts, now: Date): boolean {
    const foreign = new Set(this.#of.keys.foreign);
    return keyIds.some((keyId) => foreign.has(keyId)) && now.getTime() - createdAt.getTime() < BEHIND_MS;
  }

  /** Its hour is part of it, so that each hour has a file of its own. */
  async #describe(now: Date, keysMark: string): Promise<string> {
    const hour = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
    const revoked = await this.#of.revoked.fingerprint(new Date(hour - RESTORED_WITHIN_MS));
    return `${hour}:${revoked}:${keysMark}`;
  }

  #note(facts: InspectionFileFacts | undefined): void {
    this.#validUntil = facts?.validUntil;
    this.#revokedCount = facts?.revokedCount ?? 0;
  }

  async #sign(content: InspectionContent, now: Date): Promise<string> {
    const { keys } = this.#of;
    const key = keys.current(now, new Date(content.validUntil));
    const encoded = encodeInspectionFile(content, keys.issuerCode, key.keyId);
    return assembleInspectionFile(encoded, await key.sign(encoded));
  }
}

function makeContent(
  number: number,
  now: Date,
  keys: readonly TicketKeyFacts[],
  revokedTickets: readonly number[],
): InspectionContent {
  return {
    version: 1,
    number,
    createdAt: now.toISOString(),
    validUntil: new Date(now.getTime() + INSPECTION_VALID_MS).toISOString(),
    keys: keys.map(present),
    revokedTickets,
  };
}

/** Another for each other list of keys. */
function markOf(keys: readonly TicketKeyFacts[]): string {
  return createHash('sha256')
    .update(JSON.stringify(keys.map(present)))
    .digest('base64url');
}

function present({ issuerCode, keyId, publicKeyDer, validFrom, validTo }: TicketKeyFacts) {
  return {
    issuerCode,
    keyId,
    publicKeyDer: Buffer.from(publicKeyDer).toString('base64'),
    validFrom: validFrom.toISOString(),
    validTo: validTo.toISOString(),
  };
}
