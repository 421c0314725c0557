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

/** IPv6 addresses that hold one of IPv4, out of use (RFC 4291 §2.5.5.1): `ipaddr.js` takes them for unicast. */
export const IPV4_COMPATIBLE = '::/96';

function isIpv4Compatible(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address instanceof ipaddr.IPv6 && address.match(ipaddr.IPv6.parseCIDR(IPV4_COMPATIBLE));
}

function isPrivate(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (isIP(host) !== 0) {
    const address = ipaddr.parse(host);
    return address.range() !== 'unicast' || isIpv4Compatible(address);
  }
  // A name without a dot is of this network alone: that of a neighbouring container, as `mongodb`, or `localhost`.
  if (!host.includes('.')) return true;
  return host.endsWith('.localhost') || host.endsWith('.local') || host.endsWith('.internal');
}
