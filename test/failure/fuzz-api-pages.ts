/** Payment pages, drafts that can have one, and settlements, so that generated requests reach and make some. Used by fuzz-api.ts. */
import type { Service } from '../support/service.ts';
import type { Sales } from './fuzz-api-sales.ts';

const PAGES = '/v1/payment-page-orchestrator/payment-page';
const CHANNEL = 'SVC:DistributionChannel:PaymentPage';
/** Of operations that sell no train and refund nothing. */
const CHANNEL_OF_MOST = 'SVC:DistributionChannel:FjordbussApp';
const COUNT = 12;
/** Longer than the run: a draft that has ended would refuse every page. */
const DRAFTS_LIVE_MS = 5 * 3_600_000;

type Answer = Readonly<Record<string, unknown>>;
type Create = (path: string, body?: object) => Promise<Answer>;

export async function createPages(service: Service, token: string): Promise<Sales> {
  const create = callsOf(service, token);
  const settle = async () => String((await create('/v1/settlements')).settlementId);
  const { settlementId } = await callsOf(service, token, CHANNEL_OF_MOST)('/v1/settlements');
  return {
    lists: {
      'payment-page': await many(() => createPage(create)),
      pagesToCancel: await many(() => createPage(create)),
      settlements: [String(settlementId)],
      countedSettlements: await many(settle),
      settlementsToClose: await many(settle),
    },
    bodies: {
      createPaymentPage: (await many(() => createDraft(create))).map((orderId) => ({ orderId, orderVersion: 1 })),
    },
  };
}

async function createPage(create: Create): Promise<string> {
  return String((await create(PAGES, { orderId: await createDraft(create), orderVersion: 1 })).id);
}

/** Has something to pay. */
async function createDraft(create: Create): Promise<string> {
  const { id } = await create('/v1/orders', { expireAt: new Date(Date.now() + DRAFTS_LIVE_MS).toISOString() });
  await create(`/v1/orders/${id}/fees`, { type: 'BOOKING', price: { amount: '100.00' }, reason: 'fuzz' });
  return String(id);
}

async function many(make: () => Promise<string>): Promise<readonly string[]> {
  const made: string[] = [];
  for (let at = 0; at < COUNT; at += 1) made.push(await make());
  return made;
}

function callsOf({ apiUrl }: Service, token: string, channel = CHANNEL): Create {
  const headers = { authorization: `Bearer ${token}`, 'service-distribution-channel': channel };
  return async (path, body) => {
    const sent = body && {
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    const response = await fetch(`${apiUrl}${path}`, { method: 'POST', headers, ...sent });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  };
}
