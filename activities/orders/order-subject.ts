/** The order as a kind of personal subject: its own key seals the free texts that callers write on it. */
import { subjectKind } from '../../platform/personal/subject-id.ts';
import type { OrderId, OrganisationId } from '../../workflows/shared/ids.ts';

export const ORDER = subjectKind<OrderId>('order');

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
