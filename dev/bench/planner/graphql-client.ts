/**
 * Sends queries to one planner over one kept connection per client, as a back end would. It times each answer to its
 * last byte.
 */
import { Agent, request } from 'node:http';
import type { Question } from './questions.ts';

export interface Timed {
  readonly ms: number;
  readonly data: unknown;
  readonly errors: unknown;
}

export class GraphqlClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: URL;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  async ask(question: Question): Promise<Timed> {
    const body = JSON.stringify({ query: question.query, variables: question.variables });
    const begun = performance.now();
    const text = await this.#post(body);
    const ms = performance.now() - begun;
    const answer = JSON.parse(text) as { data?: unknown; errors?: unknown };
    return { ms, data: answer.data, errors: answer.errors };
  }

  close(): void {
    this.#agent.destroy();
  }

  #post(body: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'ET-Client-Name': 'samferd-bench' };
      const outgoing = request(this.#url, { method: 'POST', agent: this.#agent, headers }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', reject);
        incoming.once('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          if (incoming.statusCode === 200) resolve(text);
          else reject(new Error(`${this.#url} answered ${incoming.statusCode}: ${text.slice(0, 300)}`));
        });
      });
      outgoing.once('error', reject);
      outgoing.end(body);
    });
  }
}
