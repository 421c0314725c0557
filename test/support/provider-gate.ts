/**
 * A payment provider that speaks as the simulator does, for tests of what is stored: it opens and cancels terminals of VISA, and never
 * answers about other methods. Nobody pays at its terminals.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface Asked {
  readonly methods?: readonly string[];
  readonly amountMinor?: number;
}

export class ProviderGate {
  readonly #server: Server;
  /** Amounts of the sessions, by their ids. */
  readonly #sessions = new Map<string, number>();

  static async open(): Promise<ProviderGate> {
    const gate = new ProviderGate();
    gate.#server.listen(0, '127.0.0.1');
    await once(gate.#server, 'listening');
    return gate;
  }

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = request.method === 'POST' ? ((await json(request)) as Asked) : {};
    const told = this.#told(`${request.method} ${request.url}`, asked);
    response.writeHead(told ? 200 : 503, { 'content-type': 'application/json' }).end(JSON.stringify(told ?? {}));
  }

  #told(call: string, { methods = [], amountMinor = 0 }: Asked): object | undefined {
    if (call === 'POST /sessions') {
      if (!methods.includes('VISA')) return undefined;
      const sessionId = `session-${this.#sessions.size + 1}`;
      this.#sessions.set(sessionId, amountMinor);
      return { sessionId, terminalUri: `https://pay.example/${sessionId}` };
    }
    const [, sessionId = ''] = /\/sessions\/([\w-]+)/.exec(call) ?? [];
    const amount = this.#sessions.get(sessionId);
    if (amount === undefined) return undefined;
    if (call.endsWith('/cancel')) return { outcome: 'CANCELLED' };
    return { status: 'CANCELLED', challengeDone: false, amountMinor: amount, currency: 'NOK' };
  }
}
