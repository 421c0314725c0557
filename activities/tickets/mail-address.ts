/**
 * The address that a call has named for tickets: sealed with the order's key, and opened only to plan and send its mails. Callers:
 * the calls of the API, the activities that plan and send.
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

export interface GivenAddress extends SealedAddress {
  /** The same for each mailing of the order that goes to the address. It stays when the address is forgotten. */
  readonly fingerprint: string;
}

export async function sealAddress(keys: SubjectKeys, mailing: OwnedMailing, email: string): Promise<GivenAddress> {
  const { keyId, sealing } = await keys.findOrCreate(ownerOf(mailing));
  const fingerprint = sealing.fingerprint('mailing-address', addressOf(email));
  return { keyId, sealed: sealing.seal(purposeOf(mailing), email), fingerprint };
}

/** Whether both are one mailbox, as far as their letters tell. */
export function isSameAddress(one: string, other: string): boolean {
  return addressOf(one) === addressOf(other);
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

function addressOf(email: string): string {
  return email.trim().toLowerCase();
}

function ownerOf({ organisationId, orderId }: OwnedMailing) {
  return { subject: ORDER.subjectOf(orderId), organisationId };
}

function purposeOf({ id }: OwnedMailing): string {
  return `mailing/${id}`;
}
