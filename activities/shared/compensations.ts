/**
 * What payments ask of refunds: to pay money back that no order can use. Provided by the refunds area. Types, and the key of the
 * interface.
 */
import { interfaceKey } from '../../platform/interfaces.ts';
import type { NewCredit } from '../../workflows/payments/rules/credit.ts';
import type { Compensation } from '../../workflows/refunds/rules/refund.ts';
import type { DistributionChannelId, OrderId, OrganisationId, SettlementId } from '../../workflows/shared/ids.ts';

export interface WantedCompensation extends Compensation {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  /** The draft that cannot use the money. */
  readonly orderVersion: number;
  readonly distributionChannelId: DistributionChannelId;
  readonly currency: string;
  readonly settlementId?: SettlementId;
  readonly parts: NewCredit['parts'];
}

/**
 * PAID: all of it. RUNNING: the outcome is unknown, or nothing was paid and the caller must ask again. OUTSTANDING: an operator must
 * decide, or has; the refund has taken the order's lock over, ends the draft, and tells the page by itself.
 */
export type CompensationState = 'RUNNING' | 'PAID' | 'OUTSTANDING';

export interface CompensationWork {
  /** The same for the same money. */
  readonly workId: string;
  readonly correlationId: string;
}

export interface Compensations {
  /**
   * Begins to pay it back, and waits some seconds for the outcome. One refund for each `workId`, whatever is repeated. RUNNING, and
   * nothing begun, while another compensation of the order runs.
   */
  begin(wanted: WantedCompensation, work: CompensationWork): Promise<CompensationState>;
  /** Does not wait. Undefined: this work has begun nothing. */
  find(organisationId: OrganisationId, work: Pick<CompensationWork, 'workId'>): Promise<CompensationState | undefined>;
  /** Waits some seconds for the one of the order that runs. Undefined: none runs. */
  join(organisationId: OrganisationId, orderId: OrderId): Promise<CompensationState | undefined>;
  /** Compensations of the order that have ended. */
  countEnded(organisationId: OrganisationId, orderId: OrderId): Promise<number>;
}

export const COMPENSATIONS = interfaceKey<Compensations>('compensations');
