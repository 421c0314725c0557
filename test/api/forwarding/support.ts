/** A process that forwards, the process behind it, and callers that write to raw sockets. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createApp } from '../../../api/shared/app.ts';
import { createForwarding, type Forwarding } from '../../../api/shared/forward.ts';
import { type RunningServer, serve } from '../../../api/shared/serve.ts';
import { parseProxies } from '../../../api/shared/trusted-proxies.ts';
import { silentLog } from '../support/parcels.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface ForwardingPair {
  readonly url: string;
  readonly front: RunningServer;
  readonly behind: Server;
  /** Replaces the answer of the process behind. */
  handle: Handler;
  close(): Promise<void>;
}

export async function startForwarding(bodyTimeoutMs?: number): Promise<ForwardingPair> {
  let forwarding: Forwarding | undefined;
  const pair = { handle: (_request, response) => response.end() } as { handle: Handler };
  const behind = createServer((request, response) => pair.handle(request, response));
  await new Promise<void>((resolve) => behind.listen(0, '127.0.0.1', resolve));
  forwarding = createForwarding({
    url: `http://127.0.0.1:${(behind.address() as AddressInfo).port}`,
    prefixes: ['/journey-planner', '/geocoder'],
    name: 'planner',
    trustedProxies: parseProxies(''),
    ...(bodyTimeoutMs !== undefined && { bodyTimeoutMs }),
  });
  const app = createApp({ areas: [], log: silentLog, routers: [forwarding.router] });
  const front = await serve(app, { host: '127.0.0.1', port: 0, graceMs: 500 });
  const close = async () => {
    await front.close();
    forwarding.close();
    behind.closeAllConnections();
    await new Promise((resolve) => behind.close(resolve));
  };
  return Object.assign(pair, { url: front.url, front, behind, close });
}

/** A connection that is written to byte by byte. */
export class RawCaller {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  text = '';
  #changed: (() => void) | undefined;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.socket.on('error', () => {});
    this.socket.on('data', (chunk: Buffer) => {
      this.text += chunk.toString('latin1');
      this.#changed?.();
    });
    this.closed = new Promise((resolve) => {
      this.socket.once('close', () => {
        resolve();
        this.#changed?.();
      });
    });
  }

  /** Status codes of the answers until now, in their order. */
  get statuses(): readonly number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
  }

  /** Resolves when `answers` have begun, or the connection has closed. */
  async answers(answers: number): Promise<readonly number[]> {
    while (this.statuses.length < answers && !this.socket.closed) {
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
    return this.statuses;
  }
}
