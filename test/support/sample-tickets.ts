/** Tickets of sold lines for tests of rules and stores. */

import { totalAmountMinor } from '../../workflows/orders/rules/amounts.ts';
import { confirmOrder } from '../../workflows/orders/rules/confirmation.ts';
import { addLines, type NewLine } from '../../workflows/orders/rules/lines.ts';
import type { Order, OrderTraveller, Reservation } from '../../workflows/orders/rules/order.ts';
import type { FareProduct, PreassignedProduct } from '../../workflows/shared/fares.ts';
import type { OrganisationId, TicketDistributionId, TicketGroupId } from '../../workflows/shared/ids.ts';
import type { Sold } from '../../workflows/tickets/rules/line-tickets.ts';
import { type NewTicketId, newGroup } from '../../workflows/tickets/rules/reconciliation.ts';
import type { Distribution, TicketGroup } from '../../workflows/tickets/rules/ticket-group.ts';
import { settle } from '../rules/order-commands.ts';
import { draftOrder, NOW, OURS, sampleLine, sampleTraveller, VAT } from './sample-orders.ts';

export const GROUP_ID = 4_711 as TicketGroupId;
/** The mailing that sends tickets that are DISTRIBUTING. */
export const SENT_BY = 'deliver/K7QW2MXP/v1';
export const newTicketId: NewTicketId = (position) => (1_000 + position) as TicketDistributionId;

export const SINGLE: PreassignedProduct = {
  id: 'SINGLE',
  version: 1,
  kind: 'PREASSIGNED',
  name: [{ lang: 'nob', value: 'Enkeltbillett' }],
  organisationId: OURS as OrganisationId,
  carrierOrganisationId: OURS as OrganisationId,
  currency: 'NOK',
  tax: VAT,
  area: { kind: 'ZONES' },
  validityDuration: 'PT2H',
  latestStartDays: 30,
  fareClass: 'STANDARD',
  transferable: true,
  refundRuleSetId: 'FREE',
  changeRuleSetId: 'FREE',
  requiredEntitlements: [],
  compulsorySupplements: [],
  optionalSupplements: [],
};

export interface SoldWish {
  readonly lines?: readonly NewLine[];
  readonly travellers?: readonly OrderTraveller[];
  readonly reservations?: readonly Reservation[];
  readonly contact?: Order['contact'];
  readonly at?: Date;
}

/** Confirmed and paid. */
export function soldOrder({ contact, at = NOW, reservations = [], ...wish }: SoldWish = {}): Order {
  const { travellers = [sampleTraveller()] } = wish;
  const { lines = [sampleLine({ traveller: travellers[0] as OrderTraveller, transferable: true })] } = wish;
  const draft = draftOrder({ travellers, ...(contact && { contact }) });
  const added = addLines(draft, { lines, reservations }, at).order;
  const paid = settle(added, at, totalAmountMinor(added));
  return confirmOrder(paid, { orderVersion: paid.version }, at).order;
}

export function saleOf(order: Order, products: readonly FareProduct[] = [SINGLE]): Sold {
  if (!order.confirmed) throw new Error('The order is not sold');
  return { order, version: order.confirmed, products: new Map(products.map((product) => [product.id, product])) };
}

export function groupOf(order: Order, status: 'GENERATED' | 'DISTRIBUTING' = 'GENERATED', at = NOW): TicketGroup {
  const [line] = order.orderLines;
  if (!line) throw new Error('The order has no line');
  const sentBy = status === 'DISTRIBUTING' ? SENT_BY : undefined;
  return newGroup(GROUP_ID, line, { sold: saleOf(order), sentBy, newId: newTicketId }, at).group;
}

export function theTicket({ ticketDistributions }: Pick<TicketGroup, 'ticketDistributions'>): Distribution {
  const last = ticketDistributions.at(-1);
  if (!last) throw new Error('There is no ticket');
  return last;
}
