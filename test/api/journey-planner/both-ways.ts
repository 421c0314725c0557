/**
 * The same question asked of a planner process twice: answered by Apollo, and directly. Apollo answers when it has not met the `Accept`
 * before. Who has answered shows in the `ETag`, which Express adds to Apollo's answers in the bare app of tests.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';

export interface Sent {
  readonly status: number | undefined;
  /** As sent, in their order; without those of the connection, and `ETag`. */
  readonly headers: readonly string[];
  readonly text: string;
  readonly answeredBy: 'Apollo' | 'us';
}

interface Asked {
  readonly url: string;
}

const OF_CONNECTION: ReadonlySet<string> = new Set(['connection', 'date', 'etag', 'keep-alive']);
const REQUEST_ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

export function send({ url }: Asked, dialect: string, body: string, accept?: string): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', ...(accept === undefined ? {} : { accept }) };
    const path = `${url}/journey-planner/${dialect}/graphql`;
    const outgoing = request(path, { method: 'POST', headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.once('error', reject);
      incoming.once('end', () =>
        resolve({
          status: incoming.statusCode,
          headers: shownOf(incoming.rawHeaders),
          // Made anew for each request.
          text: Buffer.concat(chunks).toString('utf8').replaceAll(REQUEST_ID, '<id>'),
          answeredBy: incoming.headers.etag === undefined ? 'us' : 'Apollo',
        }),
      );
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

/** A media type that nobody has asked for before, and that is as good as JSON. */
export const newAccept = (): string => `application/json, text/${randomUUID()};q=0.5`;

/** Asks until the document is known and compiled, then both; fails when they differ in a byte. */
export async function assertSameBothWays(asked: Asked, dialect: string, body: object): Promise<Sent> {
  const text = JSON.stringify(body);
  const byApollo = await send(asked, dialect, text, newAccept());
  await send(asked, dialect, text, '*/*');
  await send(asked, dialect, text, '*/*');
  const again = await send(asked, dialect, text, newAccept());
  const direct = await send(asked, dialect, text, '*/*');
  assert.equal(again.answeredBy, 'Apollo');
  assert.deepEqual({ ...direct, answeredBy: 'Apollo' }, again);
  assert.deepEqual(byApollo, again);
  return direct;
}

function shownOf(rawHeaders: readonly string[]): string[] {
  return rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && !OF_CONNECTION.has(name.toLowerCase()) ? [`${name}: ${rawHeaders[at + 1]}`] : [],
  );
}
