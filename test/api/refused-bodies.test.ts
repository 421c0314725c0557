/** A caller that goes on sending after it was refused gets the answer, and no work from the server. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { sendBytes } from '../../api/shared/send.ts';
import { arriving, UPLOAD_PROGRESS } from '../../api/shared/slow-body.ts';
import { startTimetable, type TimetableServer } from './timetable/support.ts';

const CHUNK = Buffer.alloc(65_536, 'x');
const ANNOUNCED_BYTES = 150_000_000;
/** More than the buffers of both ends of a connection may hold. */
const BUFFERED_BYTES = 20_000_000;

describe('The body of a refused request', () => {
  let server: TimetableServer;

  before(async () => {
    server = await startTimetable();
  });
  after(() => server.close());

  it('is not read beyond what was under way', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => {});
    let answer = '';
    socket.on('data', (bytes: Buffer) => {
      answer += bytes.toString();
    });
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const path = '/timetable/v1/timetable-management/datasets/dem';
    const type = 'Content-Type: multipart/form-data; boundary=b\r\n';
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${type}Content-Length: ${ANNOUNCED_BYTES}\r\n\r\n`);
    const send = () => {
      while (socket.writable && socket.bytesWritten < ANNOUNCED_BYTES && socket.write(CHUNK));
    };
    socket.on('drain', send);
    send();
    await closed;
    assert.match(answer, /^HTTP\/1\.1 401 /);
    assert.ok(socket.bytesWritten < BUFFERED_BYTES, `${socket.bytesWritten} bytes were taken`);
  });

  it('is read to its end when a handler has begun to read it', async () => {
    const answered = Promise.withResolvers<IncomingMessage>();
    const small = createServer(async (request, response) => {
      for await (const _chunk of arriving(request, UPLOAD_PROGRESS)) break;
      await sendBytes({ request, response, sendContinue: undefined }, Buffer.from('refused'));
      answered.resolve(request);
    }).listen(0, '127.0.0.1');
    await once(small, 'listening');
    const { port } = small.address() as { readonly port: number };
    const socket = connect({ host: '127.0.0.1', port });
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n0123456789');
    const [answer] = await once(socket, 'data');
    assert.match(String(answer), /^HTTP\/1\.1 200 /);
    socket.write('0123456789');
    assert.equal((await answered.promise).readableEnded, true);
    socket.destroy();
    small.close();
  });
});
