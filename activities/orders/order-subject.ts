/** Names the key of an order, which seals the free texts that callers write on it. */
import type { OrderId, OrganisationId } from '../../workflows/shared/ids.ts';
import { ORDER } from '../shared/order-kind.ts';

interface OwnedOrder {
  readonly _id: OrderId;
  readonly organisationId: OrganisationId;
}

export function ownerOf({ _id, organisationId }: OwnedOrder) {
  return { subject: ORDER.subjectOf(_id), organisationId };
}

/** The key that the order names. */
export function keyOf(order: OwnedOrder & { readonly keyId: string }) {
  return { keyId: order.keyId, ...ownerOf(order) };
}
