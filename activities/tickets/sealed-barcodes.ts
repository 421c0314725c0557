/** Seals barcodes with the key of their order, because they name travellers. Callers: the issuer; code that shows tickets. */
import type { Sealing } from '../../platform/personal/sealing.ts';
import type { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import type { TicketDistributionId } from '../../workflows/shared/ids.ts';
import type { Distribution } from '../../workflows/tickets/rules/ticket-group.ts';
import { ORDER } from '../shared/order-kind.ts';
import type { OrderPlace } from './ticket-types.ts';

export function barcodePurpose(ticketId: TicketDistributionId): string {
  return `barcode/${ticketId}`;
}

export class SealedBarcodes {
  readonly #keys: SubjectKeys;

  constructor(keys: SubjectKeys) {
    this.#keys = keys;
  }

  /** One query for the keys of all. Absent: not signed yet, or erased. */
  async openAll(
    place: OrderPlace,
    tickets: readonly Distribution[],
  ): Promise<ReadonlyMap<TicketDistributionId, Uint8Array>> {
    const keyIds = [...new Set(tickets.flatMap(({ signed }) => (signed ? [signed.keyId] : [])))];
    const sealings = await this.#keys.findMany(keyIds.map((keyId) => ({ ...ownerOf(place), keyId })));
    const byKey = new Map(keyIds.map((keyId, at) => [keyId, sealings[at]]));
    return new Map(
      tickets.flatMap((ticket) => {
        const sealing = ticket.signed && byKey.get(ticket.signed.keyId);
        return sealing ? [[ticket.id, openBarcode(sealing, ticket)] as const] : [];
      }),
    );
  }

  async open(place: OrderPlace, ticket: Distribution): Promise<Uint8Array | undefined> {
    return (await this.openAll(place, [ticket])).get(ticket.id);
  }
}

function openBarcode(sealing: Sealing, { id, signed }: Distribution): Uint8Array {
  if (!signed) throw new Error('The ticket is not signed');
  return sealing.openBytes(barcodePurpose(id), signed.sealedBarcode);
}

export function ownerOf({ orderId, organisationId }: OrderPlace) {
  return { subject: ORDER.subjectOf(orderId), organisationId };
}
