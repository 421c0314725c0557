import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { uploadKey } from '../../../activities/timetable/object-keys.ts';
import type { CorrelationId } from '../../../workflows/shared/ids.ts';
import {
  DEM,
  EXPIRING_PROVIDER,
  form,
  OPERATOR,
  PROVIDER,
  STRANGER,
  startTimetable,
  type TimetableServer,
  UPLOAD_LIMIT_BYTES,
  uploadPath,
} from './support.ts';

describe('upload of a dataset', () => {
  let server: TimetableServer;
  before(async () => {
    server = await startTimetable();
  });
  after(async () => {
    await server.close();
  });

  const stored = async (correlationId: CorrelationId) => {
    const { sizeBytes } = (await server.objects.head(uploadKey(DEM, correlationId))) ?? { sizeBytes: 0 };
    return Buffer.from(await server.objects.getRange(uploadKey(DEM, correlationId), 0, sizeBytes));
  };
  const one = (bytes: Uint8Array | string = randomUUID()) => form([{ bytes }]);

  /** Runs `act` and asserts that it leaves neither an object nor a receipt. */
  async function leavesNothing(act: () => Promise<void>): Promise<void> {
    const [objects, imports] = [await server.listObjects(), await server.countImports()];
    await act();
    assert.deepEqual(await server.listObjects(), objects);
    assert.equal(await server.countImports(), imports);
  }

  it('stores exactly the bytes, returns a receipt and starts the import', async () => {
    for (const sizeBytes of [1, 65_536, 5 * 1024 * 1024, 11_000_000]) {
      const bytes = randomBytes(sizeBytes);
      const answer = await server.upload(form([{ bytes, fileName: 'rut 2026.zip' }]));
      assert.equal(answer.status, 200);
      assert.deepEqual(Object.keys(answer.json), ['correlationId']);
      const { correlationId } = answer.json;
      assert.ok(bytes.equals(await stored(correlationId)));
      assert.deepEqual(server.started.at(-1), { codespace: 'dem', correlationId });
      const record = await server.imports.get(DEM, correlationId);
      assert.equal(record.state, 'IN_PROGRESS');
      assert.equal(record.fileName, 'rut 2026.zip');
      assert.equal(record.sizeBytes, sizeBytes);
      assert.deepEqual(await server.imports.listPendingStarts(new Date('2100-01-01'), 10), []);
    }
  });

  it('accepts bytes in pieces of any size, with boundaries and line ends', async () => {
    const bytes = Buffer.concat(
      Array.from({ length: 300 }, () =>
        Buffer.concat([randomBytes(Math.floor(Math.random() * 9_000)), Buffer.from('\r\n--bound\r\n')]),
      ),
    );
    const { headers, body } = form([{ bytes }]);
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `POST ${uploadPath('dem')} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${PROVIDER}\r\n` +
        `Content-Type: ${headers['content-type']}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`,
    );
    for (let at = 0; at < body.length; ) {
      const piece = body.subarray(at, at + 1 + Math.floor(Math.random() * 5_000));
      at += piece.length;
      socket.write(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]));
      await new Promise(setImmediate);
    }
    socket.write('0\r\n\r\n');
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    const { correlationId } = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
    assert.ok(bytes.equals(await stored(correlationId)));
  });

  it('accepts a file part of any name between other fields', async () => {
    const parts = [
      { name: 'comment', fileName: null, bytes: 'x'.repeat(5_000) },
      { name: 'dataset', bytes: 'the archive' },
      { name: 'after', fileName: null, bytes: 'y' },
    ];
    const answer = await server.upload(form(parts));
    assert.equal(answer.status, 200);
    assert.equal((await stored(answer.json.correlationId)).toString(), 'the archive');
  });

  it('cleans hostile file names', async () => {
    const names = {
      '../../etc/passwd.zip': 'passwd.zip',
      'C:\\temp\\rut.zip': 'rut.zip',
      'a\u202egpj.zip': 'agpj.zip',
      '...': 'dataset.zip',
      'blåbær.zip': 'blåbær.zip',
      [`${'å'.repeat(400)}.zip`]: `${'å'.repeat(196)}.zip`,
    };
    for (const [given, kept] of Object.entries(names)) {
      const answer = await server.upload(form([{ bytes: randomUUID(), fileName: given }]));
      assert.equal((await server.imports.get(DEM, answer.json.correlationId)).fileName, kept);
    }
  });

  it('serves the deprecated path and names its successor', async () => {
    const answer = await server.upload(one(), { path: '/timetable-admin/v1/timetable/upload/dem' });
    assert.equal(answer.status, 200);
    assert.match(answer.headers.deprecation as string, /^@\d+$/);
    assert.ok(answer.headers.sunset);
    assert.equal(answer.headers.link, '</timetable/v1/timetable-management/datasets/dem>; rel="successor-version"');
  });

  it('is accepted while the workflow service is unavailable, and left to the sweep', async () => {
    server.workflowsAway = true;
    try {
      const answer = await server.upload(one());
      assert.equal(answer.status, 200);
      const pending = await server.imports.listPendingStarts(new Date('2100-01-01'), 10);
      assert.ok(pending.some((item) => item.correlationId === answer.json.correlationId));
      await server.imports.clearPendingStart(DEM, answer.json.correlationId);
    } finally {
      server.workflowsAway = false;
    }
  });

  describe('is refused without a trace', () => {
    const cases: Record<string, { send: () => ReturnType<TimetableServer['upload']>; status: number; code: string }> = {
      'without a token': {
        send: () => server.call(uploadPath('dem'), { method: 'POST', ...one() }),
        status: 401,
        code: 'MISSING_TOKEN',
      },
      'without the scope': {
        send: () => server.upload(one(), { token: 'provider/dem/timetable:read' }),
        status: 403,
        code: 'INSUFFICIENT_SCOPE',
      },
      'under a codespace that is not granted': {
        send: () => server.upload(one(), { token: STRANGER }),
        status: 403,
        code: 'CODESPACE_FORBIDDEN',
      },
      'under a codespace that is neither granted nor known': {
        send: () => server.upload(one(), { path: uploadPath('zzz') }),
        status: 403,
        code: 'CODESPACE_FORBIDDEN',
      },
      'under an unknown codespace': {
        send: () => server.upload(one(), { path: uploadPath('zzz'), token: OPERATOR }),
        status: 404,
        code: 'NOT_FOUND',
      },
      'without a file': {
        send: () => server.upload(form([{ name: 'file', fileName: null, bytes: 'text' }])),
        status: 400,
        code: 'VALIDATION_FAILED',
      },
      'with no part at all': { send: () => server.upload(form([])), status: 400, code: 'VALIDATION_FAILED' },
      'with an empty file': { send: () => server.upload(one('')), status: 400, code: 'VALIDATION_FAILED' },
      'with two files': {
        send: () => server.upload(form([{ bytes: 'one' }, { name: 'more', bytes: 'two' }])),
        status: 400,
        code: 'VALIDATION_FAILED',
      },
      'with two files, the first large': {
        send: () => server.upload(form([{ bytes: randomBytes(7_000_000) }, { bytes: 'two' }])),
        status: 400,
        code: 'VALIDATION_FAILED',
      },
      'when the form does not end': {
        send: () => {
          const { headers, body } = one(randomBytes(200_000));
          return server.upload({ headers, body: body.subarray(0, -30) });
        },
        status: 400,
        code: 'VALIDATION_FAILED',
      },
      'without a boundary': {
        send: () => server.upload({ headers: { 'content-type': 'multipart/form-data' }, body: Buffer.from('x') }),
        status: 400,
        code: 'VALIDATION_FAILED',
      },
      'when it is not multipart': {
        send: () => server.upload({ headers: { 'content-type': 'application/zip' }, body: Buffer.from('PK') }),
        status: 415,
        code: 'UNSUPPORTED_MEDIA_TYPE',
      },
      'when the token expires before the file has arrived': {
        send: () => server.upload(one(randomBytes(200_000)), { token: EXPIRING_PROVIDER }),
        status: 408,
        code: 'TOKEN_EXPIRED_DURING_REQUEST',
      },
      'when the file is larger than the limit': {
        send: () => server.upload(one(randomBytes(UPLOAD_LIMIT_BYTES + 1))),
        status: 413,
        code: 'PAYLOAD_TOO_LARGE',
      },
      'when the file is larger than the limit and has no length': {
        send: () =>
          server.upload(one(randomBytes(UPLOAD_LIMIT_BYTES + 1)), { headers: { 'transfer-encoding': 'chunked' } }),
        status: 413,
        code: 'PAYLOAD_TOO_LARGE',
      },
    };
    for (const [name, { send, status, code }] of Object.entries(cases)) {
      it(name, async () => {
        await leavesNothing(async () => {
          const answer = await send();
          assert.equal(answer.status, status);
          assert.equal(answer.json.code, code);
          assert.equal(answer.headers['content-type'], 'application/problem+json');
        });
      });
    }

    it('by a Content-Length over the limit, before a byte of the body is read', async () => {
      await leavesNothing(async () => {
        const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
        socket.write(
          `POST ${uploadPath('dem')} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${PROVIDER}\r\n` +
            'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 999999999\r\nExpect: 100-continue\r\n\r\n',
        );
        const [answer] = await once(socket, 'data');
        socket.destroy();
        assert.match(String(answer), /^HTTP\/1\.1 413 /);
      });
    });

    it('when the connection is cut, also after parts were stored', async () => {
      for (const sentBytes of [100, 1_000_000, 11_500_000]) {
        await leavesNothing(async () => {
          const { headers, body } = one(randomBytes(UPLOAD_LIMIT_BYTES));
          const before = await server.countImports();
          const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
          socket.write(
            `POST ${uploadPath('dem')} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${PROVIDER}\r\n` +
              `Content-Type: ${headers['content-type']}\r\nContent-Length: ${body.length}\r\n\r\n`,
          );
          await until(async () => (await server.countImports()) === before + 1);
          const correlationId = await newestImport();
          await new Promise((resolve) => socket.write(body.subarray(0, sentBytes), resolve));
          if (sentBytes > 10_500_000) await until(() => hasOpenUpload(correlationId));
          socket.destroy();
          await until(async () => (await server.countImports()) === before);
          assert.equal(await server.countOpenUploads(uploadKey(DEM, correlationId)), 0);
        });
      }
    });

    it('when the sweep has abandoned it while its last bytes arrived', async () => {
      await leavesNothing(async () => {
        const { headers, body } = one(randomBytes(1_000_000));
        const before = await server.countImports();
        const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
        socket.write(
          `POST ${uploadPath('dem')} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${PROVIDER}\r\nConnection: close\r\n` +
            `Content-Type: ${headers['content-type']}\r\nContent-Length: ${body.length}\r\n\r\n`,
        );
        await until(async () => (await server.countImports()) === before + 1);
        await server.connection
          .collection<{ _id: string }>('timetable_imports')
          .deleteOne({ _id: await newestImport() });
        socket.write(body);
        let answer = '';
        for await (const chunk of socket) answer += chunk;
        assert.match(answer, /^HTTP\/1\.1 503 .*UNAVAILABLE/s);
      });
    });

    async function newestImport(): Promise<CorrelationId> {
      const [newest] = await server.connection
        .collection<{ _id: string }>('timetable_imports')
        .find()
        .sort({ beganAt: -1 })
        .limit(1)
        .toArray();
      return newest?._id as CorrelationId;
    }

    async function hasOpenUpload(correlationId: CorrelationId): Promise<boolean> {
      return (await server.countOpenUploads(uploadKey(DEM, correlationId))) > 0;
    }
  });

  it('is accepted after a refused one', async () => {
    await server.upload(form([{ bytes: 'one' }, { bytes: 'two' }]));
    assert.equal((await server.upload(one())).status, 200);
  });

  describe('of stored bytes', () => {
    it('makes one import succeed and the others fail', async () => {
      const same = one(randomBytes(100_000));
      const answers = await Promise.all(Array.from({ length: 6 }, () => server.upload(same)));
      const records = await Promise.all(
        answers.map(({ json }) => server.imports.get(DEM, json.correlationId as CorrelationId)),
      );
      assert.equal(records.filter((record) => record.state === 'IN_PROGRESS').length, 1);
      const [failed] = records.filter((record) => record.state === 'FAILED');
      assert.ok(failed);
      const path = `/timetable/v1/timetable-events/status/dem/${failed.correlationId}/events`;
      const { json } = await server.call(path, { token: PROVIDER });
      assert.equal(json.totalItems, 1);
      assert.equal(json.items[0].action, 'FILE_TRANSFER');
      assert.equal(json.items[0].state, 'DUPLICATE');
      assert.equal(await server.objects.head(uploadKey(DEM, failed.correlationId)), undefined);
    });
  });

  describe('with an Idempotency-Key', () => {
    const keyed = (key: string, body = one('same bytes')) =>
      server.upload(body, { headers: { 'idempotency-key': key } });

    it('answers a repeat with the first receipt, though the form around the file differs', async () => {
      const key = randomUUID();
      const bytes = randomBytes(6_000_000);
      const first = await keyed(key, one(bytes));
      const count = await server.countImports();
      const again = await keyed(key, one(bytes));
      assert.equal(again.status, 200);
      assert.deepEqual(again.json, first.json);
      assert.equal(again.headers['idempotency-replayed'], 'true');
      assert.equal(await server.countImports(), count);
    });

    it('refuses another file under the same key, and keeps the first', async () => {
      const key = randomUUID();
      const first = await keyed(key, one('first bytes'));
      await leavesNothing(async () => {
        const other = await keyed(key, one('other bytes'));
        assert.equal(other.status, 422);
        assert.equal(other.json.code, 'IDEMPOTENCY_KEY_REUSED');
      });
      assert.equal((await stored(first.json.correlationId)).toString(), 'first bytes');
    });

    it('accepts another file under the key of a refused upload', async () => {
      const key = randomUUID();
      assert.equal((await keyed(key, one(''))).status, 400);
      assert.equal((await keyed(key, one())).status, 200);
    });

    describe('continues the work of an attempt whose process died', () => {
      /** Simulates a process that died before it could store its answer, and whose lease has expired. */
      async function forgetAnswer(correlationId: CorrelationId): Promise<void> {
        await server.connection
          .collection('idempotency_keys')
          .updateOne({ workId: correlationId }, { $unset: { answer: 1 }, $set: { leaseUntil: new Date(0) } });
      }

      it('after the import was accepted', async () => {
        const key = randomUUID();
        const body = one();
        const first = await keyed(key, body);
        await forgetAnswer(first.json.correlationId);
        const count = await server.countImports();
        const again = await keyed(key, body);
        assert.deepEqual(again.json, first.json);
        assert.equal(again.headers['idempotency-replayed'], undefined);
        assert.equal(await server.countImports(), count);
      });

      for (const lost of [false, true]) {
        it(`after the archive was stored${lost ? ', and removed by the sweep' : ''}`, async () => {
          const key = randomUUID();
          const body = one('stored but not accepted');
          const { correlationId } = (await keyed(key, body)).json as { correlationId: CorrelationId };
          const imports = server.connection.collection<{ _id: string }>('timetable_imports');
          if (lost) {
            await imports.deleteOne({ _id: correlationId });
            await server.objects.delete(uploadKey(DEM, correlationId));
          } else {
            const accepted = { importKey: 1, receivedAt: 1, guardSha256: 1, actions: 1 } as const;
            await imports.updateOne({ _id: correlationId }, { $set: { state: 'RECEIVING' }, $unset: accepted });
          }
          await forgetAnswer(correlationId);
          const again = await keyed(key, body);
          assert.deepEqual(again.json, { correlationId });
          assert.equal((await server.imports.get(DEM, correlationId)).state, 'IN_PROGRESS');
          assert.equal((await stored(correlationId)).toString(), 'stored but not accepted');
          await server.imports.fail(DEM, correlationId, { action: 'VALIDATION', errorCode: 'TEST' });
        });
      }
    });

    it('separates the file of a successor from that of a sender with a lost lease', async () => {
      const key = randomUUID();
      const { headers, body } = one(randomBytes(6_000_000));
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      const before = await server.countImports();
      socket.write(
        `POST ${uploadPath('dem')} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${PROVIDER}\r\n` +
          `Idempotency-Key: ${key}\r\nConnection: close\r\n` +
          `Content-Type: ${headers['content-type']}\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      socket.write(body.subarray(0, 1_000_000));
      await until(async () => (await server.countImports()) === before + 1);
      const keys = server.connection.collection('idempotency_keys');
      await keys.updateMany({ answer: { $exists: false } }, { $set: { leaseUntil: new Date(0) } });
      const successor = await keyed(key, one('the file of the successor'));
      assert.equal(successor.status, 200);
      socket.write(body.subarray(1_000_000));
      let answer = '';
      for await (const chunk of socket) answer += chunk;
      assert.match(answer, /^HTTP\/1\.1 409 .*IDEMPOTENCY_IN_PROGRESS/s);
      assert.equal((await stored(successor.json.correlationId)).toString(), 'the file of the successor');
      assert.equal(await server.countImports(), before + 1);
    });

    it('accepts one of several simultaneous requests', async () => {
      const key = randomUUID();
      const body = one(randomBytes(3_000_000));
      const answers = await Promise.all([keyed(key, body), keyed(key, body), keyed(key, body)]);
      const received = new Set(answers.filter(({ status }) => status === 200).map(({ json }) => json.correlationId));
      assert.equal(received.size, 1);
      for (const { status } of answers) assert.ok(status === 200 || status === 409);
    });
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('It did not come to pass');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
