/**
 * Bodies that arrive byte by byte are cut after seconds: GraphQL requests, uploads without progress, bodies that nobody
 * reads.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { arriving } from '../../../api/shared/slow-body.ts';
import { receiveFile } from '../../../api/timetable/upload/receive-file.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { RawCaller } from '../forwarding/support.ts';
import { startPlanner } from '../journey-planner/graphql/planner-process.ts';
import { startParcels } from '../support/parcels.ts';

const TRICKLE_MS = 20;
const PROGRESS = { windowMs: 300, windowBytes: 1_000 };
const BOUNDARY = 'part';
const PART_HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n`;

/** Sends a byte now and then until the connection closes. */
async function trickle(caller: RawCaller, bytes = 'x'): Promise<void> {
  const timer = setInterval(() => caller.socket.write(bytes), TRICKLE_MS);
  await caller.closed;
  clearInterval(timer);
}

describe('Slow bodies', () => {
  it('of GraphQL requests get 408', async () => {
    const planner = await startPlanner(undefined, { GRAPHQL_BODY_TIMEOUT_MS: '200' });
    const caller = new RawCaller(planner.url);
    caller.socket.write(
      'POST /journey-planner/v3/graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50000\r\n\r\n{',
    );
    await trickle(caller, ' ');
    assert.deepEqual(caller.statuses, [408]);
    assert.match(caller.text, /"code":"BAD_REQUEST"/);
    await planner.close();
  });

  it('that nobody reads end soon after the answer', async () => {
    const parcels = await startParcels();
    const caller = new RawCaller(parcels.url);
    caller.socket.write('GET /v1/open HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    await trickle(caller, '1\r\nx\r\n');
    assert.deepEqual(caller.statuses, [200]);
    await parcels.close();
  });

  describe('that are streamed', () => {
    let server: Server;
    let read: (request: IncomingMessage) => Promise<unknown>;

    before(async () => {
      server = createServer(async (request, response) => {
        const result = await read(request).catch((error: unknown) =>
          error instanceof ServiceError ? error.code : error,
        );
        response.setHeader('connection', 'close').end(String(result));
        request.socket.destroySoon();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
    });
    after(() => {
      server.closeAllConnections();
      server.close();
    });

    const connect = () => new RawCaller(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const post = (headers: string) => `POST / HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`;

    it('end when they make no progress', async () => {
      read = async (request) => {
        for await (const _chunk of arriving(request, PROGRESS));
      };
      const caller = connect();
      caller.socket.write(post('Content-Length: 900'));
      await trickle(caller);
      assert.match(caller.text, /REQUEST_TIMEOUT/);
    });

    it('may take longer than a window when they make progress', async () => {
      let sizeBytes = 0;
      read = async (request) => {
        for await (const chunk of arriving(request, PROGRESS)) sizeBytes += chunk.length;
        return 'whole';
      };
      const caller = connect();
      caller.socket.write(post('Content-Length: 12000'));
      for (let at = 0; at < 12; at += 1) {
        caller.socket.write('x'.repeat(1_000));
        await delay(PROGRESS.windowMs / 6);
      }
      await caller.closed;
      assert.match(caller.text, /whole/);
      assert.equal(sizeBytes, 12_000);
    });

    it('are not blamed for the time in which the reader is busy', async () => {
      read = async (request) => {
        for await (const _chunk of arriving(request, PROGRESS)) await delay(PROGRESS.windowMs * 1.5);
        return 'whole';
      };
      const caller = connect();
      caller.socket.write(post('Content-Length: 4'));
      caller.socket.write('xx');
      await delay(PROGRESS.windowMs / 10);
      caller.socket.write('xx');
      await caller.closed;
      assert.match(caller.text, /whole/);
    });

    it('end as uploads, and the store keeps nothing', async () => {
      let stored: unknown = 'nothing yet';
      const signal = new AbortController().signal;
      read = async (request) =>
        await receiveFile(request, { limitBytes: 1_000_000, signal, progress: PROGRESS }, async (file) => {
          try {
            for await (const _chunk of file);
            stored = 'whole';
          } catch (error) {
            stored = error;
            throw error;
          }
        });
      const caller = connect();
      caller.socket.write(post(`Content-Type: multipart/form-data; boundary=${BOUNDARY}\r\nContent-Length: 900000`));
      caller.socket.write(PART_HEAD);
      await trickle(caller);
      assert.match(caller.text, /REQUEST_TIMEOUT/);
      assert.ok(stored instanceof Error, String(stored));
    });
  });
});
