/**
 * Which addresses of callers the service may send to: outside development https alone, and none that is private on its
 * face. The addresses of names are checked by the same rule when they are resolved. Callers: webhooks, payments.
 */
import { BlockList, isIP } from 'node:net';

export type AddressFault = 'NOT_HTTPS' | 'CREDENTIALS' | 'FRAGMENT' | 'PRIVATE_ADDRESS';

/** `open`: in development, where receivers are on this machine and speak plain HTTP. Undefined: no fault. */
export function findAddressFault(url: URL, open: boolean): AddressFault | undefined {
  if (url.username !== '' || url.password !== '') return 'CREDENTIALS';
  if (url.hash !== '') return 'FRAGMENT';
  if (url.protocol !== 'https:' && !(open && url.protocol === 'http:')) return 'NOT_HTTPS';
  return open || !isPrivate(url.hostname) ? undefined : 'PRIVATE_ADDRESS';
}

/** Blocks of IPv4 that are not for everybody, by the register of special addresses (IANA). */
const SPECIAL_IPV4: ReadonlyArray<readonly [string, number]> = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, reserved and broadcast.
  ['224.0.0.0', 3],
];

/** The only block of IPv6 from which public addresses are given out. */
const GLOBAL_IPV6 = new BlockList();
GLOBAL_IPV6.addSubnet('2000::', 3, 'ipv6');

/** Blocks within it that lead elsewhere: to tunnels, examples, benchmarks, hashes. */
const SPECIAL_IPV6: ReadonlyArray<readonly [string, number]> = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const SPECIAL = new BlockList();
for (const [block, length] of SPECIAL_IPV4) SPECIAL.addSubnet(block, length, 'ipv4');
for (const [block, length] of SPECIAL_IPV6) SPECIAL.addSubnet(block, length, 'ipv6');

/** Whether the address, of IPv4 or IPv6 in any notation, can belong to a receiver in the public network. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !SPECIAL.check(address, 'ipv4');
  return isIP(address) === 6 && GLOBAL_IPV6.check(address, 'ipv6') && !SPECIAL.check(address, 'ipv6');
}

function isPrivate(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (isIP(host) !== 0) return !isPublicAddress(host);
  // A name without a dot is of this network alone: that of a neighbouring container, as `mongodb`, or `localhost`.
  if (!host.includes('.')) return true;
  return host.endsWith('.localhost') || host.endsWith('.local') || host.endsWith('.internal');
}
