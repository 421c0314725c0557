/**
 * Confirmed orders with tickets that can be given away, so that generated requests reach existing ones. Used by fuzz-api.ts. The
 * tickets of imported orders are made on request. Groups stand inside bodies, where no list reaches.
 */
import { randomUUID } from 'node:crypto';
import type { Service } from '../support/service.ts';
import type { Lists } from './fuzz-api-values.ts';

const COUNT = 12;
const PRODUCT = 'town-day';
const PRICE = { amount: '129.00' };
const DAY_MS = 86_400_000;
const CHANNEL = 'SVC:DistributionChannel:FjordbussApp';
const SCOPES = ['orders:write', 'orders:price', 'tickets:read', 'tickets:write'];

interface Generated {
  readonly groups: readonly { readonly ticketDistributions: readonly { readonly id: number }[] }[];
}

export async function createTickets(service: Service, contact: string): Promise<Lists> {
  const token = await service.token(SCOPES);
  const lists = { ticketOrders: [] as string[], tickets: [] as string[] };
  for (let at = 0; at < COUNT; at += 1) {
    const { id } = await post<{ id: string }>(service, token, '/v1/orders/import', importedOrder(contact));
    const made = await post<Generated>(service, token, `/v1/ticket-distributions/${id}/generate`, undefined);
    lists.ticketOrders.push(id);
    lists.tickets.push(...made.groups.flatMap((group) => group.ticketDistributions.map((ticket) => String(ticket.id))));
  }
  return lists;
}

function importedOrder(contact: string): object {
  const travellerId = randomUUID();
  const start = Date.now() + DAY_MS;
  const transaction = {
    ...PRICE,
    paymentTypeGroup: 'PAYMENTCARD',
    paymentType: 'VISA',
    rrn: randomUUID().slice(0, 8),
  };
  return {
    externalReference: randomUUID(),
    importedAt: new Date().toISOString(),
    contactInfo: { contact: { id: contact } },
    travellers: [{ id: travellerId, userType: 'ADULT' }],
    orderLines: [
      {
        status: 'CONFIRMED',
        description: [{ lang: 'nob', value: 'Døgnbillett' }],
        price: PRICE,
        fareProducts: [{ id: PRODUCT }],
        travellers: [{ travellerId }],
        travelSpecification: {
          legs: [],
          startOfValidity: new Date(start).toISOString(),
          endOfValidity: new Date(start + DAY_MS).toISOString(),
        },
      },
    ],
    transactions: [{ ...transaction, transactionConfirmedAt: new Date(Date.now() - 1_000).toISOString() }],
  };
}

async function post<Answer>(service: Service, token: string, path: string, body: object | undefined): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${token}`,
    'service-distribution-channel': CHANNEL,
    ...(body && { 'content-type': 'application/json' }),
  };
  const request = { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(`${service.apiUrl}${path}`, request);
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Answer;
}
