/** What orders ask of refunds: how the one stands that holds an order. Provided by the refunds area. Types, and the key of the interface. */
import { interfaceKey } from '../../platform/interfaces.ts';
import type { RefundStatus } from '../../workflows/refunds/rules/refund.ts';
import type { OrganisationId, RefundId } from '../../workflows/shared/ids.ts';

export interface RefundStates {
  /** Those that are unknown are left out. */
  statusesOf(
    organisationId: OrganisationId | 'ANY',
    refundIds: readonly RefundId[],
  ): Promise<ReadonlyMap<RefundId, RefundStatus>>;
}

export const REFUND_STATES = interfaceKey<RefundStates>('refund-states');
