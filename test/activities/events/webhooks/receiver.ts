/** A real HTTPS or HTTP receiver of webhooks, whose answers a test chooses. */
import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { makeCertificate, type TestCertificate } from '../../../support/certificate.ts';

export interface Received {
  readonly path: string;
  readonly id: string;
  readonly key: string;
  readonly sequence: number;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

/** A status, or an answer of its own. */
export type Answer = (received: Received, response: ServerResponse) => number | undefined;

export class Receiver {
  readonly received: Received[] = [];
  readonly url: string;
  answer: Answer = () => 204;
  connections = 0;
  readonly #server: Server;

  private constructor(server: Server, scheme: string) {
    this.#server = server;
    this.url = `${scheme}://localhost:${(server.address() as AddressInfo).port}`;
    server.on('connection', () => {
      this.connections += 1;
    });
    server.on('request', (request, response) => void this.#take(request, response));
  }

  static async open(certificate?: TestCertificate): Promise<Receiver> {
    const server = certificate ? createHttps(certificate) : createHttp();
    // Both addresses of localhost.
    server.listen(0);
    await once(server, 'listening');
    return new Receiver(server as Server, certificate ? 'https' : 'http');
  }

  /** Ids in the order of arrival; a repeat is left out, as a receiver does. */
  ids(): readonly string[] {
    return [...new Set(this.received.map(({ id }) => id))];
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await text(request);
      const { id, partitionkey: key, sequence } = JSON.parse(body);
      const received = { path: request.url ?? '', id, key, sequence, body, headers: request.headers };
      this.received.push(received);
      const status = this.answer(received, response);
      if (status !== undefined) response.writeHead(status).end();
    } catch {
      response.destroy();
    }
  }
}

export const certificate = makeCertificate('receiver');
