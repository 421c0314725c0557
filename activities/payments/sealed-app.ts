/**
 * Seals the phone number of an app claim with the key of the order that it pays, and opens it for the provider. The rules
 * forget it once the provider has answered. Callers: the handler of the API, the activity that asks the provider.
 */
import type { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import type { Payment, SealedApp } from '../../workflows/payments/rules/payment.ts';
import { ORDER } from '../shared/order-kind.ts';

export interface App {
  /** With its country's code, as `+4799999999`. */
  readonly phoneNumber: string;
  readonly description: string;
}

type OfOrder = Pick<Payment, 'orderId' | 'organisationId'>;

const PURPOSE = 'payment-app';

export async function sealApp(keys: SubjectKeys, payment: OfOrder, app: App): Promise<SealedApp> {
  const { keyId, sealing } = await keys.findOrCreate(ownerOf(payment));
  return { keyId, sealed: sealing.seal(PURPOSE, app) };
}

/** Undefined when the order's key was destroyed with an erasure. */
export async function openApp(
  keys: SubjectKeys,
  payment: OfOrder,
  { keyId, sealed }: SealedApp,
): Promise<App | undefined> {
  const sealing = await keys.find({ keyId, ...ownerOf(payment) });
  return sealing?.open<App>(PURPOSE, sealed);
}

function ownerOf({ orderId, organisationId }: OfOrder) {
  return { subject: ORDER.subjectOf(orderId), organisationId };
}
