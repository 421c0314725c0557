/** Receipts of confirmed orders, so that generated requests reach existing ones. Used by fuzz-api.ts. */
import type { Service } from '../support/service.ts';
import type { Lists } from './fuzz-api-values.ts';

export async function createReceipts(service: Service, orders: Lists[string] = []): Promise<Lists> {
  const token = await service.token(['receipts:write']);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const receipts = await Promise.all(
    orders.map(async (orderId) => {
      const body = JSON.stringify({ orderId, orderVersion: 1, distribution: { email: 'kari@example.org' } });
      const response = await fetch(`${service.apiUrl}/v1/receipts/send`, { method: 'POST', headers, body });
      const text = await response.text();
      if (response.status !== 202) throw new Error(`A receipt answered ${response.status}: ${text}`);
      return String(JSON.parse(text).reference);
    }),
  );
  return { receipts };
}
