/** Seals who is to pay an invoice, and why, with the key of its order. Callers: the handlers of the API. */
import type { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import { ORDER } from '../shared/order-kind.ts';
import type { Invoice } from './invoice-document.ts';

export interface InvoiceTexts {
  /** Never in an answer. */
  readonly customerIdentificationNumber: string;
  readonly reason: string;
}

type Owned = Pick<Invoice, 'id' | 'orderId' | 'organisationId'>;

export async function sealInvoice(keys: SubjectKeys, invoice: Owned, texts: InvoiceTexts) {
  const { keyId, sealing } = await keys.findOrCreate(ownerOf(invoice));
  return { keyId, sealed: sealing.seal(purposeOf(invoice), texts) };
}

/** Undefined for each that was erased. One query for the keys of all. */
export async function openInvoices(
  keys: SubjectKeys,
  invoices: readonly Invoice[],
): Promise<readonly (InvoiceTexts | undefined)[]> {
  const named = invoices.flatMap((each) =>
    each.keyId === undefined ? [] : [{ ...ownerOf(each), keyId: each.keyId, id: each.id }],
  );
  const sealings = await keys.findMany(named);
  const byId = new Map(named.map(({ id }, index) => [id, sealings[index]]));
  return invoices.map((each) =>
    each.sealed ? byId.get(each.id)?.open<InvoiceTexts>(purposeOf(each), each.sealed) : undefined,
  );
}

function purposeOf({ id }: Pick<Owned, 'id'>): string {
  return `penalty-fare-invoice/${id}`;
}

function ownerOf({ orderId, organisationId }: Pick<Owned, 'orderId' | 'organisationId'>) {
  return { subject: ORDER.subjectOf(orderId), organisationId };
}
