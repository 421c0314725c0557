/**
 * Which addresses of callers the service may send to: outside development https alone, and none that is private on its
 * face. Names are checked where they are connected to, after their resolution. Callers: webhooks, payments.
 */
import { BlockList, isIP } from 'node:net';
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
const IPV4_COMPATIBLE = new BlockList();
IPV4_COMPATIBLE.addSubnet('::', 96, 'ipv6');

/** Also of the mixed form, as `::127.0.0.1`, which `ipaddr.js` cannot read. */
export function isIpv4Compatible(address: string): boolean {
  return isIP(address) === 6 && IPV4_COMPATIBLE.check(address, 'ipv6');
}

function isPrivate(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (isIP(host) !== 0) {
    return ipaddr.parse(host).range() !== 'unicast' || isIpv4Compatible(host);
  }
  // A name without a dot is of this network alone: that of a neighbouring container, as `mongodb`, or `localhost`.
  if (!host.includes('.')) return true;
  return host.endsWith('.localhost') || host.endsWith('.local') || host.endsWith('.internal');
}
