/** The payment provider simulator in the test's own process, a customer who fills in its forms, and a receiver of callbacks. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSimulator } from '../../dev/provider-simulator/start-simulator.ts';
import { type Environment, parseConfig } from '../../platform/config.ts';
import { stopInOrder } from '../../platform/process/stop-in-order.ts';
import { useMongo } from './stack.ts';
import { until } from './until.ts';

export const SIMULATOR_SECRET = 'a secret of the simulator in tests';

export interface Simulator {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** `database`: its own name for each test file. */
export async function startSimulatorFor(database: string, more: Environment = {}): Promise<Simulator> {
  const environment = {
    ENVIRONMENT: 'development',
    LOG_LEVEL: 'error',
    MONGODB_URI: (await useMongo()).uri(database),
    PORT: '0',
    PAYMENT_SIMULATOR_SECRET: SIMULATOR_SECRET,
    ...more,
  };
  const { url, stop } = await startSimulator((shape) => parseConfig(shape, environment));
  return { url, stop: () => stopInOrder(stop) };
}

export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  readonly json: any;
}

/** Calls it as a merchant does. */
export async function call(url: string, path: string, body?: unknown, key: string = randomUUID()): Promise<Answered> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(`${url}${path}`, { headers, ...sent });
  const text = await answer.text();
  return { status: answer.status, json: text.startsWith('{') ? JSON.parse(text) : text };
}

let references = 0;

export function sessionRequest(more: object = {}) {
  references += 1;
  return {
    reference: `${references}/${references + 7_000_000}`,
    amountMinor: 34_900,
    currency: 'NOK',
    methods: ['VISA'],
    returnUrl: 'https://shop.example/return?paymentId=1',
    callbackUrl: 'http://127.0.0.1:9/nobody',
    language: 'eng',
    ...more,
  };
}

/** Submits a form of a page as a browser without script does, and answers where it leads. */
export async function submit(action: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  return await fetch(action, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}

export async function payByCard(terminalUri: string, cardNumber: string): Promise<string> {
  return (await submit(terminalUri, { cardNumber, pay: '1' })).headers.get('location') ?? '';
}

/** A session that was paid with this card. */
export async function authorised(url: string, cardNumber: string, more: object = {}) {
  const request = sessionRequest(more);
  const { json } = await call(url, '/sessions', request);
  await payByCard(json.terminalUri, cardNumber);
  const { authorisationId } = (await call(url, `/sessions/${json.sessionId}`)).json;
  const path = `/authorisations/${authorisationId}`;
  return { ...json, ...request, authorisationId, path } as {
    readonly sessionId: string;
    readonly terminalUri: string;
    readonly reference: string;
    readonly authorisationId: string;
    readonly path: string;
  };
}

export interface Received {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  readonly report: { readonly id: string; readonly type: string; readonly reference: string };
}

/** `statuses`: of the first answers; 200 afterwards. */
export async function receiveCallbacks(statuses: readonly number[] = []) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const status = statuses[received.length] ?? 200;
    received.push({ headers: request.headers as Received['headers'], body, report: JSON.parse(body.toString()) });
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`,
    received,
    untilReceived: (count: number) => until(() => received.length >= count, { what: `callback ${count}` }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
