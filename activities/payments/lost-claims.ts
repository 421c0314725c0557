/**
 * Cancels claims of penalty fare invoices that were never issued: their requests died, and were never repeated. Nobody joins a claim of
 * that age (invoice-claims.ts), so none gets its invoice meanwhile. Repeatable, also in several processes. Caller: the role, each hour.
 */
import { randomUUID } from 'node:crypto';
import type { OrderPenaltyAccess } from '../shared/orders.ts';
import { PAYMENTS_WORKER } from './capture/capture-context.ts';
import { type ClaimEnding, LOST_AFTER_MS, tryToCancelClaim } from './invoice-claims.ts';
import type { InvoiceStore } from './invoice-store.ts';

export interface LostClaimsOptions extends Omit<ClaimEnding, 'penalties'> {
  readonly penalties: () => Pick<OrderPenaltyAccess, 'pagesOfPenalties' | 'cancelPenalty'>;
  readonly invoices: Pick<InvoiceStore, 'listIssuedFor'>;
  readonly now?: () => Date;
}

export async function endLostClaims(options: LostClaimsOptions): Promise<void> {
  const { invoices, now = () => new Date() } = options;
  const penalties = options.penalties();
  const work = { correlationId: randomUUID(), clientId: PAYMENTS_WORKER };
  for await (const orders of penalties.pagesOfPenalties(new Date(now().getTime() - LOST_AFTER_MS))) {
    const issued = await invoices.listIssuedFor(orders);
    for (const { organisationId, id: orderId } of orders.filter(({ id }) => !issued.has(id))) {
      await tryToCancelClaim({ ...options, penalties }, { organisationId, orderId }, work);
    }
  }
}
