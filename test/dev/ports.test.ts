import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { choosePorts, type Ports } from '../../dev/stack/chosen-ports.ts';
import { LocalState } from '../../dev/stack/local-state.ts';
import { choosePort, freePort } from '../../dev/stack/ports.ts';
import { temporaryDirectory } from '../support/folders.ts';

async function listen(port = 0): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

describe('The choice of ports', () => {
  let taken: { server: Server; port: number };

  beforeEach(async () => {
    taken = await listen();
  });
  afterEach(() => taken.server.close());

  it('uses the next free port when the preferred one is taken', async () => {
    assert.ok((await choosePort(taken.port)) > taken.port);
  });

  it('does not choose a port twice', async () => {
    const first = await freePort();
    assert.ok((await choosePort(first, new Set([first]))) > first);
  });

  it('names a part on an unusual port, and keeps the choice at the next start', async () => {
    const state = new LocalState(temporaryDirectory('ports'));
    const usual = { api: taken.port, auth: await freePort() } as unknown as Ports;
    const first = await choosePorts(state, usual);
    assert.deepEqual(first.remarks, [`api is on port ${first.ports.api}, since another program uses ${taken.port}`]);
    assert.equal(first.ports.auth, usual.auth);

    taken.server.close();
    await once(taken.server, 'close');
    const second = await choosePorts(state, usual);
    assert.deepEqual(second.ports, first.ports);
    assert.match(second.remarks.join(), /Ports as last time .*: api \d+/);
  });

  it('moves only the part whose port is taken', async () => {
    const next = await choosePort(taken.port + 1);
    const usual = { api: taken.port, auth: next } as unknown as Ports;
    const { ports } = await choosePorts(new LocalState(temporaryDirectory('ports')), usual);
    assert.equal(ports.auth, next);
    assert.notEqual(ports.api, next);
  });

  it('leaves the port to a part that had it last time', async () => {
    const state = new LocalState(temporaryDirectory('ports'));
    const kept = await choosePort(taken.port + 1);
    state.write('ports.json', { auth: kept });
    const { ports } = await choosePorts(state, { api: taken.port, auth: taken.port } as unknown as Ports);
    assert.equal(ports.auth, kept);
    assert.notEqual(ports.api, kept);
  });

  it('drops a kept port that another process has taken', async () => {
    const state = new LocalState(temporaryDirectory('ports'));
    const usual = { api: await freePort() } as unknown as Ports;
    state.write('ports.json', { api: taken.port });
    assert.equal((await choosePorts(state, usual)).ports.api, usual.api);
  });
});
