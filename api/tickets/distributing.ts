/** Makes tickets of a confirmed order, and sends them. The deprecated paths do the same work. */
import { FewAtOnce } from '../../activities/shared/few-at-once.ts';
import { ORDER } from '../../activities/shared/order-kind.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { isUnderRefund } from '../../workflows/orders/rules/refunding.ts';
import type { OrderId, OrderLineId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { idsOf } from '../shared/id-lists.ts';
import type { Caller, Handlers, Operation } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { TicketsDependencies } from './dependencies.ts';
import { presentGroups } from './present-group.ts';
import { languageOf, tenancyOf, workOf } from './requests.ts';
import { drawPdf, liveTickets, readPdf, type ShownTicket } from './shown-pdfs.ts';

type DistributionOperations = Pick<
  Operations,
  | 'generateTickets'
  | 'generatePdfTickets'
  | 'distributeTickets'
  | 'distributeTicketGroups'
  | 'distributeTicketsOfOrder'
  | 'distributeTravelCard'
>;

/** PDFs that a process reads or draws at a time for requests to make tickets: an order may have hundreds. */
const PDFS_AT_ONCE = 8;
/** Requests whose PDFs wait for others. More are refused with 503: each holds its tickets in memory meanwhile. */
const REQUESTS_WAITING = 100;

export function createDistributionOperations(dependencies: TicketsDependencies): Handlers<DistributionOperations> {
  const generate = generateHandler(dependencies);
  const distribute = distributeHandler(dependencies);
  return {
    generateTickets: generate,
    generatePdfTickets: generate,
    distributeTickets: distribute,
    distributeTicketGroups: distribute,
    distributeTicketsOfOrder: distribute,
    distributeTravelCard: distribute,
  };
}

function generateHandler(dependencies: TicketsDependencies): Operation<Operations['generateTickets']> {
  const { calls, tickets, barcodes } = dependencies;
  const requests = new FewAtOnce({ atOnce: PDFS_AT_ONCE, waiting: REQUESTS_WAITING });
  const few = new FewAtOnce({ atOnce: PDFS_AT_ONCE });
  return async (context) => {
    const { path, query, caller, headers, accepted } = context;
    const order = await confirmedOrder(dependencies, caller, path.orderId);
    const { id: orderId, organisationId, version: orderVersion } = order;
    const orderLineIds = query.orderLineIds && namedLines(order, idsOf<OrderLineId>(query.orderLineIds));
    const language = languageOf(headers['accept-language']);
    const request = orderLineIds ? { orderLineIds } : {};
    await calls.generate({ organisationId, orderId, orderVersion }, request, await workOf(context));
    const stored = (await tickets.listOfOrder(organisationId, orderId)).filter(
      ({ group }) => !orderLineIds || orderLineIds.includes(group.orderLineId),
    );
    const shown = liveTickets(stored.map(({ group }) => group)).filter(
      ({ group }) => !isUnderRefund(order, group.orderLineId),
    );
    // A repeat finds the tickets that this request has made, so their PDFs are not stored once more.
    const reply = { status: 200, unstored: true } as const;
    if (accepted === 'application/pdf') {
      const headers = { 'content-type': accepted, 'content-disposition': `attachment; filename="${orderId}.pdf"` };
      return { ...reply, headers, bytes: await requests.run(async () => await drawPdf(dependencies, shown, language)) };
    }
    const read = async (each: ShownTicket) => ({
      ticketDistributionId: each.ticket.id,
      pdf: Buffer.from(await few.run(async () => await readPdf(dependencies, each, language))).toString('base64'),
      combinedTicket: each.ticket.travellers.length > 1,
    });
    const pdfTickets = await requests.run(async () => await Promise.all(shown.map(read)));
    return { ...reply, json: { orderId, groups: await presentGroups(stored, barcodes), pdfTickets } };
  };
}

function distributeHandler(dependencies: TicketsDependencies): Operation<Operations['distributeTickets']> {
  const { calls, tickets, barcodes } = dependencies;
  return async (context) => {
    const { path, caller, body } = context;
    const order = await confirmedOrder(dependencies, caller, path.orderId);
    const { id: orderId, organisationId, version: orderVersion } = order;
    const { resend = false, email } = body ?? {};
    const wanted = { resend, ...(email !== undefined && { email }) };
    await calls.distribute({ organisationId, orderId, orderVersion }, wanted, await workOf(context));
    const stored = await tickets.listOfOrder(organisationId, orderId);
    const json = { orderId, groups: await presentGroups(stored, barcodes) };
    return { status: 202, json, subject: ORDER.subjectOf(orderId) };
  };
}

async function confirmedOrder({ orders }: TicketsDependencies, caller: Caller, orderId: OrderId): Promise<Order> {
  const order = await orders.get(tenancyOf(caller), orderId);
  if (order.status === 'CONFIRMED') return order;
  throw new ServiceError('INVALID_STATE', `Only a confirmed order has tickets; this one is ${order.status}.`);
}

/** Throws UNKNOWN_ORDER_LINE. */
function namedLines(order: Order, orderLineIds: readonly OrderLineId[]): readonly OrderLineId[] {
  const known = new Set(order.orderLines.map(({ id }) => id));
  const unknown = orderLineIds.filter((id) => !known.has(id));
  if (unknown.length === 0) return orderLineIds;
  throw new ServiceError('UNKNOWN_ORDER_LINE', `The order has no line ${unknown.join(', ')}.`, {
    errors: unknown.map((id) => ({
      pointer: '/query/orderLineIds',
      code: 'UNKNOWN_ORDER_LINE',
      detail: `${id} is not on the order`,
    })),
  });
}
