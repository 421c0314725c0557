/**
 * Finds free ports on the loopback address. Another process may take such a port at once, so a caller that starts a
 * server retries.
 */
import { createServer } from 'node:net';

const LAST_PORT = 65_535;
const TRIES = 200;

/** Returns a port that the system chooses. */
export async function freePort(): Promise<number> {
  const port = await tryListen(0);
  if (port === undefined) throw new Error('The system has no free port on 127.0.0.1');
  return port;
}

/** Returns `preferred`, or the next higher port that is neither taken nor in `reserved`. */
export async function choosePort(preferred: number, reserved: ReadonlySet<number> = new Set()): Promise<number> {
  for (let port = preferred; port < Math.min(preferred + TRIES, LAST_PORT); port += 1) {
    if (!reserved.has(port) && (await tryListen(port)) !== undefined) return port;
  }
  throw new Error(`No port from ${preferred} to ${preferred + TRIES - 1} is free on 127.0.0.1`);
}

export async function isPortFree(port: number): Promise<boolean> {
  return (await tryListen(port)) !== undefined;
}

function tryListen(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined));
    });
  });
}
