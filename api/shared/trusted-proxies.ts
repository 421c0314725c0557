/**
 * What a request says of its caller, and who is believed in it: from which address it comes (`X-Forwarded-For`), and whether it came by
 * HTTPS (`X-Forwarded-Proto`). The connection itself counts unless a trusted proxy says otherwise. What a caller writes there itself is
 * never believed: the list is read from its end, and the first address that is no trusted proxy's is the caller's.
 */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { z } from 'zod';

export interface TrustedProxies {
  includes(address: string): boolean;
}

const LONGEST_CHAIN = 20;

/** `127.0.0.1,10.0.0.0/8,::1`; throws for what is no address or network. */
export function parseProxies(text: string): TrustedProxies {
  const blocks = new BlockList();
  for (const item of text.split(',').map((each) => each.trim())) {
    if (item === '') continue;
    const [network = '', prefix] = item.split('/');
    const family = familyOf(network);
    const bits = prefix === undefined ? undefined : Number(/^\d{1,3}$/.test(prefix) ? prefix : Number.NaN);
    if (!family || (bits !== undefined && !(bits <= (family === 'ipv4' ? 32 : 128)))) {
      throw new Error(`${item} is neither an address nor a network`);
    }
    if (bits === undefined) blocks.addAddress(network, family);
    else blocks.addSubnet(network, bits, family);
  }
  return {
    includes(address) {
      const family = familyOf(address);
      return family !== undefined && blocks.check(address, family);
    },
  };
}

/** For the configuration of a process. Addresses or networks, comma-separated; `usual` where nothing is said. */
export function trustedProxiesShape(usual: string) {
  return {
    TRUSTED_PROXIES: z
      .string()
      .default(usual)
      .transform((text, context) => {
        try {
          return parseProxies(text);
        } catch (error) {
          context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
          return z.NEVER;
        }
      }),
  };
}

export function callerAddress({ socket, headers }: IncomingMessage, trusted: TrustedProxies): string {
  const forwardedFor = headers['x-forwarded-for'];
  return addressOf(socket.remoteAddress, typeof forwardedFor === 'string' ? forwardedFor : undefined, trusted);
}

export function addressOf(peer: string | undefined, forwardedFor: string | undefined, trusted: TrustedProxies): string {
  let address = plain(peer ?? '');
  if (forwardedFor === undefined || !trusted.includes(address)) return address;
  const chain = forwardedFor.split(',').slice(-LONGEST_CHAIN);
  for (let at = chain.length - 1; at >= 0; at--) {
    const before = plain(chain[at]?.trim() ?? '');
    if (isIP(before) === 0) return address;
    address = before;
    if (!trusted.includes(address)) return address;
  }
  return address;
}

/**
 * Whether the caller spoke HTTPS. Where a trusted proxy names several steps, each of them must have been HTTPS: what a caller wrote
 * there in front of the proxy's own word can only make the answer no.
 */
export function isSecure({ socket, headers }: IncomingMessage, trusted: TrustedProxies): boolean {
  const forwarded = headers['x-forwarded-proto'];
  if (typeof forwarded === 'string' && isTrustedPeer(socket, trusted)) {
    return forwarded.split(',').every((step) => step.trim().toLowerCase() === 'https');
  }
  return 'encrypted' in socket;
}

export function isTrustedPeer({ remoteAddress = '' }: Socket, trusted: TrustedProxies): boolean {
  return trusted.includes(plain(remoteAddress));
}

/** One household or server has a whole /64 of version 6, so its addresses count as one. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail = ''] = address.split('%')[0]?.split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  const after = tail === '' ? 0 : tail.split(':').length;
  if (address.includes('::')) while (groups.length + after < 8) groups.push('0');
  const network = address.includes('::') && groups.length < 4 ? [...groups, ...tail.split(':')] : groups;
  return `${network
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':')}::/64`;
}

/** Version 4 as such, also where the socket is of version 6. */
function plain(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  return version === 4 ? 'ipv4' : version === 6 ? 'ipv6' : undefined;
}
