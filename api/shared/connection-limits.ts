/**
 * Bounds the open connections of one listener: all together, and of one network address. Without the second, one caller
 * could take the first. Proxies that are trusted carry many callers, so only the total counts for them. Caller:
 * listener.ts.
 */
import type { Server, Socket } from 'node:net';
import { HeldCounts } from './held-counts.ts';
import { networkOf, type TrustedProxies } from './trusted-proxies.ts';

export interface ConnectionLimits {
  readonly total: number;
  readonly perAddress: number;
  readonly trustedProxies: TrustedProxies;
}

/** Closes connections beyond the limits, without an answer: reading a request would already be work. */
export function limitConnections(server: Server, { total, perAddress, trustedProxies }: ConnectionLimits): void {
  const open = new HeldCounts(perAddress);
  server.maxConnections = total;
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    if (trustedProxies(remoteAddress)) return;
    const network = networkOf(remoteAddress);
    if (open.take(network)) socket.once('close', () => open.release(network));
    else socket.destroy();
  });
}
