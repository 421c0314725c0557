/**
 * The PDFs of tickets in the object store, sealed with the order's key: the key of an object is the purpose of its seal. Callers: the
 * activities, which store and attach them; the operations of the API, which answer them.
 */
import { ObjectMissingError, type ObjectStore } from '../../platform/object-store/object-store.ts';
import { readObject } from '../../platform/object-store/read-object.ts';
import type { Sealing } from '../../platform/personal/sealing.ts';
import type { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import type { TextLanguage } from '../../workflows/shared/text.ts';
import { isLive } from '../../workflows/tickets/rules/ticket-states.ts';
import { renderTickets } from './pdf/ticket-pdf.ts';
import { ownerOf } from './sealed-barcodes.ts';
import type { ShownTicket, TicketSheets } from './ticket-sheets.ts';

export interface TicketPdfsOptions {
  readonly objects: ObjectStore;
  readonly keys: Pick<SubjectKeys, 'find'>;
  readonly sheets: Pick<TicketSheets, 'make' | 'languageOf'>;
}

const PDF = 'application/pdf';

export class TicketPdfs {
  readonly #options: TicketPdfsOptions;

  constructor(options: TicketPdfsOptions) {
    this.#options = options;
  }

  /** Draws those of live tickets that are missing. The same ticket always gets the same bytes. */
  async store(shown: readonly ShownTicket[], language?: TextLanguage): Promise<void> {
    for (const each of shown) if (isLive(each.ticket)) await this.#storeOne(each, language);
  }

  /** Undefined: not drawn yet, or erased. */
  async read({ group, ticket: { signed } }: ShownTicket): Promise<Uint8Array | undefined> {
    const sealing = await this.#sealingOf({ group, signed });
    if (!sealing || !signed) return undefined;
    try {
      return sealing.openBytes(signed.pdfKey, await readObject(this.#options.objects, signed.pdfKey));
    } catch (error) {
      if (error instanceof ObjectMissingError) return undefined;
      throw error;
    }
  }

  async #storeOne(shown: ShownTicket, language: TextLanguage | undefined): Promise<void> {
    const { objects, sheets } = this.#options;
    const { signed } = shown.ticket;
    if (!signed || (await objects.head(signed.pdfKey))) return;
    const sealing = await this.#sealingOf({ group: shown.group, signed });
    const drawn = await sheets.make([shown], language ?? (await sheets.languageOf(shown.group)));
    // Erased meanwhile.
    if (!sealing || drawn.length === 0) return;
    await objects.put(signed.pdfKey, sealing.sealBytes(signed.pdfKey, await renderTickets(drawn)), PDF);
  }

  async #sealingOf({
    group,
    signed,
  }: Pick<ShownTicket, 'group'> & { readonly signed: ShownTicket['ticket']['signed'] }): Promise<Sealing | undefined> {
    return signed && (await this.#options.keys.find({ ...ownerOf(group), keyId: signed.keyId }));
  }
}
