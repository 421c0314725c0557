/**
 * The caller's address and whether it spoke HTTPS, as trusted proxies report them (`X-Forwarded-For`,
 * `X-Forwarded-Proto`). Without a trusted proxy the connection alone counts. The list of addresses is read from its
 * end, because a caller can write anything at its start. The caller's address is the first that is no trusted proxy.
 */
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';
import { z } from 'zod';

export type TrustedProxies = (address: string) => boolean;

/** More than any real chain of proxies. Bounds the work that a long header causes. */
const MAX_HOPS = 20;

/** Parses `127.0.0.1,10.0.0.0/8,::1`. Throws for anything else. */
export function parseProxies(text: string): TrustedProxies {
  const items = text.split(',').map((each) => each.trim());
  const networks = items.filter((item) => item !== '');
  for (const item of networks) {
    if (!isNetwork(item)) throw new Error(`${item} is neither an IP address nor a network such as 10.0.0.0/8`);
  }
  const trusts = proxyAddr.compile(networks);
  return (address) => trusts(address, 0);
}

/** The library alone would also take `10`, which is 0.0.0.10 to it, and names of ranges. */
function isNetwork(item: string): boolean {
  if (isIP(item.split('/')[0] ?? '') === 0) return false;
  try {
    proxyAddr.compile(item);
    return true;
  } catch {
    return false;
  }
}

export const trustedProxiesShape = {
  /**
   * Addresses or networks, comma-separated. Nobody by default: every program on the machine could else invent callers, and
   * escape the limits of each.
   */
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text, context) => {
      try {
        return parseProxies(text);
      } catch (error) {
        context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
        return z.NEVER;
      }
    }),
};

/** An IPv4 address is written as such, also on an IPv6 socket. A proxy's own address counts when it forwards no valid one. */
export function callerAddress(request: IncomingMessage, trusted: TrustedProxies): string {
  const chain = proxyAddr.all(request, (address, hop) => hop < MAX_HOPS && trusted(address));
  const address = chain.findLast((each) => isIP(each ?? '') !== 0);
  return address === undefined ? '' : parseAddress(address).toString();
}

/**
 * Whether the caller spoke HTTPS. When the proxies name several steps, each must have been HTTPS. So a
 * first value that the caller forged can only make the answer false.
 */
export function isSecure({ socket, headers }: IncomingMessage, trusted: TrustedProxies): boolean {
  const forwarded = headers['x-forwarded-proto'];
  if (typeof forwarded === 'string' && isTrustedPeer(socket, trusted)) {
    return forwarded.split(',').every((step) => step.trim().toLowerCase() === 'https');
  }
  return 'encrypted' in socket;
}

export function isTrustedPeer({ remoteAddress = '' }: Socket, trusted: TrustedProxies): boolean {
  return trusted(remoteAddress);
}

/** An IPv6 address becomes its /64 network, since one household or server owns a whole /64. Limits count by it. */
export function networkOf(address: string): string {
  if (isIP(address) === 0) return address;
  const parsed = parseAddress(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const groups = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${groups.join(':')}::/64`;
}

/**
 * Takes every address that `isIP` takes, and ignores its zone. Throws for other texts. An IPv4 address on an IPv6
 * socket becomes IPv4. The library alone refuses `::192.0.2.1` and `64:ff9b::192.0.2.1`, which a URL writes in groups
 * of hexadecimal digits.
 */
export function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!isIPv6(address)) return ipaddr.process(address);
  const [withoutZone] = address.split('%');
  return ipaddr.process(new URL(`http://[${withoutZone}]`).hostname.slice(1, -1));
}
