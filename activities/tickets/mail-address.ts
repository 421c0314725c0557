/**
 * The address that a call has named for tickets: sealed with the order's key, and opened only to send. Callers: the calls of the
 * API, the activity that sends.
 */
import type { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import type { OrderId, OrganisationId } from '../../workflows/shared/ids.ts';
import { ORDER } from '../shared/order-kind.ts';
import type { SealedAddress } from './mailing-store.ts';

interface OwnedMailing {
  readonly id: string;
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
}

export async function sealAddress(keys: SubjectKeys, mailing: OwnedMailing, email: string): Promise<SealedAddress> {
  const { keyId, sealing } = await keys.findOrCreate(ownerOf(mailing));
  return { keyId, sealed: sealing.seal(purposeOf(mailing), email) };
}

/** Undefined once the key is destroyed. */
export async function openAddress(
  keys: SubjectKeys,
  mailing: OwnedMailing,
  { keyId, sealed }: SealedAddress,
): Promise<string | undefined> {
  const sealing = await keys.find({ keyId, ...ownerOf(mailing) });
  return sealing?.open<string>(purposeOf(mailing), sealed);
}

function ownerOf({ organisationId, orderId }: OwnedMailing) {
  return { subject: ORDER.subjectOf(orderId), organisationId };
}

function purposeOf({ id }: OwnedMailing): string {
  return `mailing/${id}`;
}
