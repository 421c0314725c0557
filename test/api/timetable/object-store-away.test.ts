import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { form, PROVIDER, startTimetable, type TimetableServer } from './support.ts';

describe('while the object store', () => {
  const busy = createServer((_request, response) => response.writeHead(503, { connection: 'close' }).end());
  before((done) => {
    busy.listen(0, '127.0.0.1', done);
  });
  after((done) => {
    busy.close(done);
  });
  const places: Record<string, () => string> = {
    'is unavailable': () => 'http://127.0.0.1:1',
    'cannot serve': () => `http://127.0.0.1:${(busy.address() as AddressInfo).port}`,
  };
  for (const [name, endpoint] of Object.entries(places)) {
    it(`${name}, uploads get 503 with Retry-After, and leave nothing visible`, async () => {
      const server: TimetableServer = await startTimetable({ objectEndpoint: endpoint() });
      try {
        for (const bytes of ['small', Buffer.alloc(6_000_000)]) {
          const answer = await server.upload(form([{ bytes }]));
          assert.equal(answer.status, 503);
          assert.equal(answer.json.code, 'UNAVAILABLE');
          assert.ok(answer.headers['retry-after']);
        }
        const imports = '/timetable/v1/timetable-management/datasets/dem/imports';
        assert.equal((await server.call(imports, { token: PROVIDER })).json.totalItems, 0);
        const left = await server.connection.collection('timetable_imports').distinct('state');
        assert.deepEqual(left, ['ABANDONED'], 'the sweep finds what is left');
      } finally {
        await server.close();
      }
    });
  }
});
