/**
 * Entry of the endpoint that lets the Temporal UI show payloads in the clear: it decodes what the browser sends, with the local keys.
 * Started by start.ts, on loopback, for the UI's origin only. Development only: in production the keys stay with the workers.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import proto from '@temporalio/proto';
import { z } from 'zod';
import { parseConfig, port } from '../../activities/shared/config.ts';
import { createPayloadCodec, parsePayloadKeys } from '../../activities/shared/payload-codec.ts';

const LARGEST_BODY_BYTES = 20_000_000;
const Payloads = proto.temporal.api.common.v1.Payloads;

const config = parseConfig({ PORT: port, PAYLOAD_KEYS: z.string(), ALLOWED_ORIGINS: z.string() });
const codec = createPayloadCodec(parsePayloadKeys(config.PAYLOAD_KEYS));
const origins = new Set(config.ALLOWED_ORIGINS.split(','));

const server = createServer((request, response) => {
  handle(request, response).catch(() => answer(response, 400, { message: 'The payloads cannot be read' }));
});
server.listen(config.PORT, '127.0.0.1', () => console.log(JSON.stringify({ msg: 'ready', port: config.PORT })));
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET' && request.url === '/health/ready') return answer(response, 200, { status: 'up' });
  const { origin } = request.headers;
  // Any page in the developer's browser can send here: only the UI's may have an answer.
  if (origin === undefined || !origins.has(origin)) return answer(response, 403, { message: 'Not for this origin' });
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('vary', 'Origin');
  if (request.method === 'OPTIONS') {
    response.setHeader('access-control-allow-methods', 'POST');
    response.setHeader('access-control-allow-headers', 'content-type, x-namespace, authorization');
    response.setHeader('access-control-max-age', '600');
    return answer(response, 200, {});
  }
  const path = request.url?.split('?')[0];
  if (request.method !== 'POST' || (path !== '/decode' && path !== '/encode'))
    return answer(response, 404, { message: 'Not found' });
  const { payloads } = Payloads.fromObject(JSON.parse(await readBody(request)) as Record<string, unknown>);
  const result = await codec[path === '/decode' ? 'decode' : 'encode'](payloads ?? []);
  answer(response, 200, Payloads.toObject(Payloads.create({ payloads: result }), { bytes: String }));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > LARGEST_BODY_BYTES) throw new Error('The body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
