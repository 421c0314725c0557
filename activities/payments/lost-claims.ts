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

/** Throws the first failure, once all claims were tried. */
export async function endLostClaims(options: LostClaimsOptions): Promise<void> {
  const { invoices, now = () => new Date() } = options;
  const penalties = options.penalties();
  const work = { correlationId: randomUUID(), clientId: PAYMENTS_WORKER };
  const failures: unknown[] = [];
  for await (const orders of penalties.pagesOfPenalties(new Date(now().getTime() - LOST_AFTER_MS))) {
    const issued = await invoices.listIssuedFor(orders);
    for (const { organisationId, id: orderId } of orders.filter(({ id }) => !issued.has(id))) {
      const ended = tryToCancelClaim({ ...options, penalties }, { organisationId, orderId }, work);
      await ended.catch((error: unknown) => failures.push(error));
    }
  }
  if (failures.length > 0) throw failures[0];
}
