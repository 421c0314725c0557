/** Lists of values that lead generated requests to existing data, and the list for each path. Used by fuzz-api.ts. */
import { randomUUID } from 'node:crypto';
import { PASSWORD, type People } from './fuzz-api-people.ts';

export type Lists = Readonly<Record<string, readonly (string | number)[]>>;
/** Name of the list, by name of the parameter. */
export type Bindings = Readonly<Record<string, string>>;

const KEYS = 2_000;
/** Operations that end a profile use lists of their own, so that others still find theirs. */
const ENDING: Readonly<Record<string, Bindings>> = {
  deleteProfile: { customerIdentifier: 'toDelete' },
  deleteTemporaryProfile: { customerNumber: 'temporaryToDelete' },
  convertProfile: { customerNumber: 'toConvert' },
};

export function listsOf(people: People): Lists {
  const { permanent, temporary, toDelete, temporaryToDelete, toConvert, holder, emails, items } = people;
  return {
    permanent,
    temporary,
    toDelete,
    temporaryToDelete,
    toConvert,
    emails,
    ...items,
    customers: [...permanent, ...temporary],
    holder: [holder],
    organisations: [1],
    channels: ['SVC:DistributionChannel:FjordbussApp'],
    passwords: [PASSWORD],
    codes: ['TERMS_OF_USE', 'NEWSLETTER', 'TRAVEL_STATISTICS'],
    topics: ['customer-changed-dev', 'order-events-dev', 'timetable-dataset-events-dev'],
    waits: [0, 1],
    // Shorter generated keys often belong to another request.
    keys: Array.from({ length: KEYS }, () => randomUUID()),
  };
}

const ONE_REFUND: Bindings = { orderId: 'refundedOrders', refundId: 'refunds' };
/** Operations that end an order, a line or a fee, or need a certain one. */
const SELLING: Readonly<Record<string, Bindings>> = {
  ...{ confirmOrder: { orderId: 'confirmable' }, cancelOrder: { orderId: 'toCancel' } },
  ...{ resetOrder: { orderId: 'toReset' }, deleteFee: { orderId: 'feeOrders', feeId: 'fees' } },
  ...{ deleteTravellers: { orderId: 'lineOrders' }, deleteOrderLines: { orderId: 'lineOrders' } },
  ...{ cancelOrderLines: { orderId: 'lineOrders' }, deleteOrderLine: { orderId: 'lineOrders', orderLineId: 'lines' } },
  cancelOrderLine: { orderId: 'lineOrders', orderLineId: 'lines' },
  putOrderLine: { orderId: 'orders', orderLineId: 'lines' },
  ...{ getChangeOptions: { orderId: 'soldOrders' }, getOffer: { offerId: 'offers' } },
  ...{ getRefund: ONE_REFUND, getRefundBeta: ONE_REFUND },
  ...{ dryRunRefund: { orderId: 'triedOrder' }, dryRunRefundBeta: { orderId: 'triedOrder' } },
  ...{ cancelPaymentPage: { id: 'pagesToCancel' }, closeSettlement: { settlementId: 'settlementsToClose' } },
  ...{ getWebhook: { webhookId: 'webhooks' }, deleteWebhook: { webhookId: 'webhooks' } },
};
/** Their values are lists, which the dictionaries of Schemathesis cannot hold: the document gives them. */
const QUERIED_LISTS: Readonly<Record<string, Bindings>> = {
  deleteTravellers: { travellerIds: 'spareTravellers' },
  deleteOrderLines: { orderLineIds: 'lines' },
  cancelOrderLines: { orderLineIds: 'lines' },
};
const QUERIES: Readonly<Record<string, Bindings>> = {
  listFreeSeats: { datedServiceJourneyId: 'journeys', from: 'firstStops', to: 'lastStops' },
  getCatalogue: { travelDate: 'days' },
};
const OF_REFUNDS = /\/refunds\b/;
/** They sell the trains. */
const OF_TRAINS = /^\/(offers\/v2\/search|v1\/(orders|reserve-offers|update-order|change-options))\b/;

/** Lists for the parameters in an operation's query. */
export function queryBindings(operationId: string, path: string): Bindings {
  // Their orders stand in bodies and queries.
  if (path.startsWith('/v1/receipts')) return { orderId: 'ticketOrders' };
  return QUERIES[operationId] ?? {};
}

/** A settlement is of one distribution channel. */
function headersOf(channels: string, settlements: string): Bindings {
  return { 'Service-Distribution-Channel': channels, 'Service-Settlement-Id': settlements };
}

export function headerBindings(path: string): Bindings {
  if (OF_REFUNDS.test(path)) return headersOf('refundChannels', 'refundSettlements');
  return OF_TRAINS.test(path) ? headersOf('trainChannels', 'trainSettlements') : headersOf('channels', 'settlements');
}

/** Lists for the parameters in an operation's path. */
export function pathBindings(operationId: string, path: string): Bindings {
  const selling = SELLING[operationId];
  if (selling) return selling;
  if (OF_REFUNDS.test(path)) return { orderId: 'toRefund' };
  if (/^\/v1\/(pdf-)?ticket.*\{orderId\}/.test(path)) return { orderId: 'ticketOrders' };
  if (path.includes('{settlementId}')) return { settlementId: 'countedSettlements' };
  if (path.includes('{reference}')) return { reference: 'receipts' };
  if (path.includes('{orderId}')) return { orderId: 'orders' };
  if (path.includes('{ticketDistributionId}')) return { ticketDistributionId: 'tickets' };
  if (path.includes('{transactionId}')) return { paymentId: 'payments', transactionId: 'transactions' };
  if (path.includes('{paymentId}')) return { paymentId: 'payments' };
  if (path.includes('{invoiceId}')) return { invoiceId: 'invoices' };
  const item = /\/([a-z-]+)\/\{(id|key)\}/.exec(path);
  if (item) return { customerNumber: 'holder', [item[2] ?? '']: item[1] ?? '' };
  if (path.includes('/temporary/')) return ENDING[operationId] ?? { customerNumber: 'temporary' };
  const onlyPermanent = /\/(e-cards|loyalty-programs)$/.test(path);
  const others = { customerNumber: onlyPermanent ? 'permanent' : 'customers', topic: 'topics' };
  return ENDING[operationId] ?? { ...others, customerIdentifier: 'permanent' };
}

/**
 * Gives each operation another value of a list, from its end backwards, so that no operation removes another's data.
 */
export function examplesFrom(lists: Lists): (operationId: string, path: string) => Readonly<Record<string, string>> {
  const used = new Map<string, number>();
  const next = (name: string): string => {
    const [list = [], at = 0] = [lists[name], used.get(name)];
    used.set(name, at + 1);
    return String(list.at(-1 - (at % list.length)));
  };
  return (operationId, path) =>
    Object.fromEntries(
      Object.entries({
        ...headerBindings(path),
        ...queryBindings(operationId, path),
        ...QUERIED_LISTS[operationId],
        ...Object.fromEntries(
          Object.entries(pathBindings(operationId, path)).filter(([name]) => path.includes(`{${name}}`)),
        ),
      }).map(([name, list]) => [name, next(list)]),
    );
}
