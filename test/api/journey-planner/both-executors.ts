/**
 * Sends the same query to a planner process twice, so that Apollo answers one and the direct executor the other. Apollo
 * answers when it has not met the `Accept` header before. Its answers have an `ETag`, which Express adds in the bare
 * app of tests. The guards refuse some queries before either.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';

export interface Sent {
  readonly status: number | undefined;
  /** Headers in their order, without connection headers and `ETag`. */
  readonly headers: readonly string[];
  readonly text: string;
  readonly answeredBy: 'Apollo' | 'direct' | 'guards';
}

interface Endpoints {
  readonly url: string;
}

const OF_CONNECTION: ReadonlySet<string> = new Set(['connection', 'date', 'etag', 'keep-alive']);
const REQUEST_ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

export function send({ url }: Endpoints, dialect: string, body: string, accept?: string): Promise<Sent> {
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
          // Differs for each request.
          text: Buffer.concat(chunks).toString('utf8').replaceAll(REQUEST_ID, '<id>'),
          answeredBy: incoming.headers.etag === undefined ? 'direct' : 'Apollo',
        }),
      );
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

/** A new media type that is equivalent to JSON. */
export const newAccept = (): string => `application/json, text/${randomUUID()};q=0.5`;

/**
 * Sends the query until the document is cached and compiled, then to both executors. Fails when the answers differ in a
 * byte. Only where an error has made all of `data` null may one of them list further errors: an executor need not wait for
 * the other fields then (GraphQL, "Handling Execution Errors").
 */
export async function assertSameAnswers(endpoints: Endpoints, dialect: string, body: object): Promise<Sent> {
  const text = JSON.stringify(body);
  const byApollo = await send(endpoints, dialect, text, newAccept());
  await send(endpoints, dialect, text, '*/*');
  await send(endpoints, dialect, text, '*/*');
  const again = await send(endpoints, dialect, text, newAccept());
  const direct = await send(endpoints, dialect, text, '*/*');
  assertSame({ ...direct, answeredBy: again.answeredBy }, again);
  assertSame(byApollo, again);
  if (again.answeredBy === 'Apollo') return direct;
  // The guards refuse a query before either, and without an `ETag`.
  assert.equal(again.status, 400);
  assert.match(again.text, /^\{"errors":/);
  return { ...direct, answeredBy: 'guards' };
}

function assertSame(one: Sent, other: Sent): void {
  const [less, more] = [errorsOf(one), errorsOf(other)].toSorted((some, others) => some.length - others.length);
  const isCutShort = less && more && less.length > 0 && less.length < more.length;
  if (!isCutShort) {
    assert.deepEqual(one, other);
    return;
  }
  assert.deepEqual(
    less.filter((error) => !more.includes(error)),
    [],
  );
  assert.deepEqual({ ...one, text: '', headers: ownLength(one) }, { ...other, text: '', headers: ownLength(other) });
}

/** Empty unless `data` is null. */
function errorsOf({ text }: Sent): readonly string[] {
  if (!text.endsWith('"data":null}\n')) return [];
  const { errors } = JSON.parse(text) as { readonly errors: readonly object[] };
  return errors.map((error) => JSON.stringify(error));
}

function ownLength({ headers }: Sent): readonly string[] {
  return headers.filter((header) => !header.startsWith('Content-Length:'));
}

function shownOf(rawHeaders: readonly string[]): string[] {
  return rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && !OF_CONNECTION.has(name.toLowerCase()) ? [`${name}: ${rawHeaders[at + 1]}`] : [],
  );
}
