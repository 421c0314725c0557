/** Connections of one address are limited; those of others and of trusted proxies are taken. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { createApp } from '../../../api/shared/app.ts';
import { type RunningServer, serve } from '../../../api/shared/serve.ts';
import { parseProxies } from '../../../api/shared/trusted-proxies.ts';
import { silentLog } from '../support/parcels.ts';

const LIMITS = { total: 12, perAddress: 3 };
const [ATTACKER, OTHER, PROXY] = ['127.0.1.1', '127.0.1.2', '127.0.1.3'];

describe('Connections', () => {
  let server: RunningServer;
  let sockets: Socket[];

  beforeEach(async () => {
    sockets = [];
    const app = createApp({ areas: [], log: silentLog });
    const connections = { ...LIMITS, trustedProxies: parseProxies(PROXY) };
    server = await serve(app, { host: '127.0.0.1', port: 0, graceMs: 100, connections });
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await server.close();
  });

  /** True when the connection is served, false when it is closed without an answer. */
  async function isServed(localAddress: string | undefined): Promise<boolean> {
    const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', localAddress });
    sockets.push(socket);
    socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
    return await new Promise((resolve) => {
      socket.once('data', () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('close', () => resolve(false));
    });
  }

  async function served(count: number, from: string | undefined): Promise<number> {
    let taken = 0;
    for (let at = 0; at < count; at += 1) if (await isServed(from)) taken += 1;
    return taken;
  }

  it('of one address are limited, those of others not', async () => {
    assert.equal(await served(5, ATTACKER), LIMITS.perAddress);
    assert.equal(await served(5, OTHER), LIMITS.perAddress);
  });

  it('are taken again when earlier ones have closed', async () => {
    await served(LIMITS.perAddress, ATTACKER);
    for (const socket of sockets.splice(0)) {
      socket.end();
      await new Promise((resolve) => socket.once('close', resolve));
    }
    assert.equal(await served(LIMITS.perAddress, ATTACKER), LIMITS.perAddress);
  });

  it('of a trusted proxy count in the total alone', async () => {
    assert.equal(await served(LIMITS.total + 3, PROXY), LIMITS.total);
  });
});
