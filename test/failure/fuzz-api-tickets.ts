/**
 * Confirmed orders with tickets that can be given away, so that generated requests reach existing ones. Used by fuzz-api.ts. The
 * tickets of imported orders are made on request. Groups stand inside bodies, where no list reaches: whole bodies name them.
 */
import { randomUUID } from 'node:crypto';
import type { Service } from '../support/service.ts';
import type { People } from './fuzz-api-people.ts';
import type { Sales } from './fuzz-api-sales.ts';

const COUNT = 12;
/** Of each kind of change. */
const CHANGED = 6;
const DAYS_LATER = 5;
const PRODUCT = 'town-day';
const PRICE = { amount: '129.00' };
const DAY_MS = 86_400_000;
const CHANNEL = 'SVC:DistributionChannel:FjordbussApp';
const SCOPES = ['orders:write', 'orders:price', 'tickets:read', 'tickets:write'];

interface Generated {
  readonly groups: readonly {
    readonly id: number;
    readonly ticketDistributions: readonly { readonly id: number }[];
  }[];
}

export async function createTickets(service: Service, { holder, permanent }: People): Promise<Sales> {
  const token = await service.token(SCOPES);
  const lists = { ticketOrders: [] as string[], tickets: [] as string[] };
  for (let at = 0; at < COUNT; at += 1) {
    const { orderId, groups } = await sell(service, token, holder);
    lists.ticketOrders.push(orderId);
    lists.tickets.push(...groups.flatMap((group) => group.ticketDistributions.map((ticket) => String(ticket.id))));
  }
  // No list names their tickets, so no request uses them: a used ticket is not changed.
  const unused = async () => {
    const sold = await Promise.all(Array.from({ length: CHANGED }, async () => await sell(service, token, holder)));
    return sold.flatMap(({ groups }) => groups.map(({ id }) => id));
  };
  const startOfValidity = new Date(Date.now() + DAYS_LATER * DAY_MS).toISOString();
  const [toCustomerId] = permanent;
  return {
    lists,
    bodies: {
      updateValidities: (await unused()).map((ticketDistributionGroupId) => ({
        updates: [{ ticketDistributionGroupId, startOfValidity }],
      })),
      transferDistributionHolder: (await unused()).map((id) => ({ ticketDistributionGroupIds: [id], toCustomerId })),
    },
  };
}

async function sell(service: Service, token: string, contact: string) {
  const { id } = await post<{ id: string }>(service, token, '/v1/orders/import', importedOrder(contact));
  const made = await post<Generated>(service, token, `/v1/ticket-distributions/${id}/generate`, undefined);
  return { orderId: id, groups: made.groups };
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
