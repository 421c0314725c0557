/**
 * Finds the address and network that limits count. One household or server owns a whole IPv6 /64, so that counts as one
 * address. The owner of one address often has its neighbours too. They form one network, a /48 or an IPv4 /24. The
 * functions are pure.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { networkOf, parseAddress } from '../../shared/trusted-proxies.ts';

export interface CallerNetworks {
  /** An IPv4 address or an IPv6 /64. */
  readonly address: string;
  /** An IPv4 /24 or an IPv6 /48. */
  readonly network: string;
}

const GROUPS_OF_48 = 3;

/**
 * Accepts any address that `isIP` accepts. An IPv4 address on an IPv6 socket counts as IPv4. Any other text is its own
 * address and network.
 */
export function networksOf(address: string): CallerNetworks {
  return { address: networkOf(address), network: isIP(address) === 0 ? address : neighboursOf(address) };
}

function neighboursOf(address: string): string {
  const parsed = parseAddress(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString().replace(/\.\d+$/, '.0/24');
  const groups = parsed.parts.slice(0, GROUPS_OF_48);
  return `${groups.map((part) => part.toString(16)).join(':')}::/48`;
}
