/**
 * Receipts on one real server, with the workflow that sends them and a mail server. Orders come from the stores. Tokens are plain
 * `client/organisation/scopes`.
 */
import { ReceiptSearch } from '../../../activities/receipts/receipt-search.ts';
import { startReceipt } from '../../../activities/receipts/receipt-start.ts';
import type { WantedMail } from '../../../activities/receipts/receipt-store.ts';
import { RENDERER } from '../../../activities/receipts/receipts-parts.ts';
import { createReceiptsArea, type ReceiptsDependencies } from '../../../api/receipts/routes.ts';
import { createApp } from '../../../api/shared/app.ts';
import { serve } from '../../../api/shared/serve.ts';
import { ReceiptWorld } from '../../workflows/receipts/receipt-world.ts';
import { type Answer, type CallOptions, send } from '../support/call.ts';
import { keyedRequests } from '../support/keyed-requests.ts';
import { readPlainToken, silentLog } from '../support/parcels.ts';

const SCOPES = 'receipts:read,receipts:write';
export const OWN = `web/1/${SCOPES}`;
export const OTHER = `other/2/${SCOPES}`;
export const OPERATOR = `operator/3/${SCOPES},organisation:any`;

export interface ReceiptsServer {
  readonly world: ReceiptWorld;
  readonly url: string;
  /** Temporal is away. */
  startsFail: boolean;
  call(path: string, options?: CallOptions): Promise<Answer>;
  close(): Promise<void>;
}

/** Without `sends` mails stay written down. */
export async function startReceipts(name: string, { sends = true } = {}): Promise<ReceiptsServer> {
  const world = await ReceiptWorld.open(name, { works: sends });
  const { fixture } = world;
  const { connection, keys, access } = fixture.orders.here;
  const state = { startsFail: !sends };
  const dependencies: ReceiptsDependencies = {
    ...{ receipts: fixture.here.receipts, issuing: fixture.here.issuing, keys, renderer: RENDERER },
    search: new ReceiptSearch(connection),
    orders: () => access,
    customers: () => fixture.customers,
    start: async (wanted: WantedMail) => {
      if (state.startsFail) throw new Error('Temporal is away');
      await startReceipt(world.server.temporal, wanted);
    },
  };
  const idempotency = keyedRequests(connection);
  await idempotency.store.ensureIndexes();
  const app = createApp({
    areas: [createReceiptsArea(dependencies)],
    log: silentLog,
    verifyToken: readPlainToken,
    idempotency,
    findChannel: async () => undefined,
    findSettlement: async () => undefined,
  });
  const server = await serve(app, { host: '127.0.0.1', port: 0, graceMs: 1_000 });
  return Object.assign(state, {
    ...{ world, url: server.url },
    call: async (path: string, options: CallOptions = {}) =>
      await send(`${server.url}${path}`, { token: OWN, ...options }),
    close: async () => {
      await server.close();
      await world.close();
    },
  });
}
