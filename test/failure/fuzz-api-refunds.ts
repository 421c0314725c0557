/** Refunds of some orders, and requests that give back others, so that generated requests reach and make refunds. Used by fuzz-api.ts. */
import { randomUUID } from 'node:crypto';
import type { Service } from '../support/service.ts';
import type { Sales } from './fuzz-api-sales.ts';
import { importedOrder } from './imported-order.ts';

/** Pays back to cards. */
const CHANNEL = 'SVC:DistributionChannel:PaymentPage';
const ORDERS = 60;
const REFUNDED = 6;
/** The same in each order, so that one body fits every order. */
const LINE = randomUUID();

const REFUNDING = ['createRefund', 'createRefundBeta', 'dryRunRefund', 'dryRunRefundBeta'];

interface Options {
  readonly options: readonly { readonly orderLineRef: object; readonly refundRule: { readonly id: string } }[];
}

/** At each place of `refundedOrders` the order of the refund at the same place of `refunds`. */
export async function createRefunds(service: Service, token: string): Promise<Sales> {
  const wished = await Promise.all(
    Array.from({ length: ORDERS }, async (_, at) => {
      const { id } = await ask<{ id: string }>(service, token, 'POST', '/v1/orders/import', importedOrder(at, LINE));
      const { options } = await ask<Options>(service, token, 'GET', `/v1/refunds/options/${id}`);
      const refundOperations = options.map(({ orderLineRef, refundRule }) => ({
        ...{ orderLineRef, refundRule: { id: refundRule.id } },
      }));
      return { orderId: id, body: { refundOperations } };
    }),
  );
  const refunded = await Promise.all(
    wished.slice(0, REFUNDED).map(async ({ orderId, body }) => {
      const { refundId } = await ask<{ refundId: string }>(service, token, 'POST', `/v1/refunds/${orderId}`, body);
      return { orderId, refundId };
    }),
  );
  const { settlementId } = await ask<{ settlementId: string }>(service, token, 'POST', '/v1/settlements');
  const [tried, ...left] = wished.slice(REFUNDED);
  if (!tried) throw new Error('No order is left to try a refund of');
  return {
    lists: {
      ...{ refundSettlements: [settlementId], refundChannels: [CHANNEL] },
      // Never given back, so that what a dry run tells is the same all the time.
      triedOrder: [tried.orderId],
      toRefund: left.map(({ orderId }) => orderId),
      refundedOrders: refunded.map(({ orderId }) => orderId),
      refunds: refunded.map(({ refundId }) => refundId),
    },
    bodies: Object.fromEntries(REFUNDING.map((operation) => [operation, [tried.body]])),
  };
}

async function ask<Answer>(
  service: Service,
  token: string,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<Answer> {
  const headers = {
    ...{ authorization: `Bearer ${token}`, 'service-distribution-channel': CHANNEL },
    ...(body && { 'content-type': 'application/json' }),
  };
  const response = await fetch(`${service.apiUrl}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Answer;
}
