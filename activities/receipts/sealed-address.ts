/**
 * Seals an address that a caller has given, with the key of the order, and opens it for the mail. It is dropped once the mail is
 * settled. Callers: the operation of the API, the activity that sends.
 */
import type { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import type { SealedAddress } from '../../workflows/receipts/rules/mailing.ts';
import type { OrderId, OrganisationId } from '../../workflows/shared/ids.ts';
import { ORDER } from '../shared/order-kind.ts';

interface OfOrder {
  readonly orderId: OrderId;
  readonly organisationId: OrganisationId;
}

const PURPOSE = 'receipt-address';

export async function sealAddress(keys: SubjectKeys, order: OfOrder, email: string): Promise<SealedAddress> {
  const { keyId, sealing } = await keys.findOrCreate(ownerOf(order));
  return { keyId, sealed: sealing.seal(PURPOSE, email) };
}

/** Undefined when the order's key was destroyed with an erasure. */
export async function openAddress(
  keys: SubjectKeys,
  order: OfOrder,
  { keyId, sealed }: SealedAddress,
): Promise<string | undefined> {
  return (await keys.find({ keyId, ...ownerOf(order) }))?.open<string>(PURPOSE, sealed);
}

function ownerOf({ orderId, organisationId }: OfOrder) {
  return { subject: ORDER.subjectOf(orderId), organisationId };
}
