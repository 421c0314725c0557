/**
 * Seals the addresses that a caller gives for a payment, and opens them for their use: they may name the customer who pays. The key is
 * that customer's, so that the erasure of others whom the order names takes nothing from it. Callers: the handlers of the API, the
 * activity that asks the provider, the callbacks.
 */
import type { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import type { GivenAddress, Payment, SealedAddress } from '../../workflows/payments/rules/payment.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import { CUSTOMER } from '../shared/customer-kind.ts';
import { ORDER } from '../shared/order-kind.ts';

export type AddressUse = 'redirect' | 'callback';

type OfOrder = Pick<Payment, 'orderId' | 'organisationId'>;

/** Who pays: as the payment says, else as the order does. */
export function payerOf(
  { customerNumber }: Pick<Payment, 'customerNumber'>,
  { contact, createdBy }: Pick<Order, 'contact' | 'createdBy'>,
): CustomerNumber | undefined {
  return customerNumber ?? contact ?? createdBy;
}

/** With the order's key where nobody is known to pay, or the payer was erased. */
export async function sealAddress(
  keys: SubjectKeys,
  {
    payment,
    payer,
    use,
  }: { readonly payment: OfOrder; readonly payer: CustomerNumber | undefined; readonly use: AddressUse },
  address: string,
): Promise<SealedAddress> {
  const ofPayer = payer === undefined ? undefined : await keys.findKeyOf(CUSTOMER.subjectOf(payer));
  const { keyId, sealing } = ofPayer ?? (await keys.findOrCreate(ownerOf(payment, undefined)));
  return { keyId, sealed: sealing.seal(purposeOf(use), address), ...(ofPayer && payer && { customerNumber: payer }) };
}

/** Undefined when the key was destroyed with an erasure. */
export async function openAddress(
  keys: SubjectKeys,
  { payment, use }: { readonly payment: OfOrder; readonly use: AddressUse },
  given: GivenAddress,
): Promise<string | undefined> {
  if (typeof given === 'string') return given;
  const { keyId, sealed, customerNumber } = given;
  const sealing = await keys.find({ keyId, ...ownerOf(payment, customerNumber) });
  return sealing?.open<string>(purposeOf(use), sealed);
}

function ownerOf({ orderId, organisationId }: OfOrder, customerNumber: CustomerNumber | undefined) {
  const subject = customerNumber === undefined ? ORDER.subjectOf(orderId) : CUSTOMER.subjectOf(customerNumber);
  return { subject, organisationId };
}

function purposeOf(use: AddressUse): string {
  return `payment-${use}`;
}
