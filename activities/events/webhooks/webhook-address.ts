/**
 * Which addresses a webhook may have: outside development https alone, and none that is private on its face. Names are
 * checked where they are connected to, after their resolution (webhook-request.ts).
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type AddressFault = 'NOT_HTTPS' | 'CREDENTIALS' | 'FRAGMENT' | 'PRIVATE_ADDRESS';

/** `open`: in development, where receivers are on this machine and speak plain HTTP. Undefined: no fault. */
export function findAddressFault(url: URL, open: boolean): AddressFault | undefined {
  if (url.username !== '' || url.password !== '') return 'CREDENTIALS';
  if (url.hash !== '') return 'FRAGMENT';
  if (url.protocol !== 'https:' && !(open && url.protocol === 'http:')) return 'NOT_HTTPS';
  return open || !isPrivate(url.hostname) ? undefined : 'PRIVATE_ADDRESS';
}

function isPrivate(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (isIP(host) !== 0) return ipaddr.parse(host).range() !== 'unicast';
  return host === 'localhost' || host.endsWith('.localhost') || host.endsWith('.local') || host.endsWith('.internal');
}
