/**
 * Where customers may be sent after a payment: each channel lists the origins. Without the list, a stolen token of a partner
 * could lead customers from the provider's page to any site. Pure. Callers: the faults of a catalogue, payments.
 */
import { isIP } from 'node:net';
import type { DistributionChannel } from './catalogue.ts';
import { findAddressFault } from './public-address.ts';

/** Why the text is no origin that a channel may list. Undefined: it is one. */
export function originFault(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is no origin, as https://shop.example';
  const url = new URL(text);
  const fault = findAddressFault(url, false);
  if (fault === 'NOT_HTTPS') return 'must begin with https://';
  if (fault === 'PRIVATE_ADDRESS') return 'must name a public host';
  if (/[^a-z0-9.:[\]-]/.test(url.host)) return 'must name one host, without wildcards';
  return url.origin === text ? undefined : `must be the origin alone: ${url.origin}`;
}

/** `inDevelopment`: this machine is allowed too, at any port. */
export function allowsReturn(
  { returnOrigins }: Pick<DistributionChannel, 'returnOrigins'>,
  url: URL,
  inDevelopment: boolean,
): boolean {
  return returnOrigins.includes(url.origin) || (inDevelopment && isLoopback(url.hostname));
}

/** The host as a URL has it: lower case, addresses in their usual notation. */
function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith('127.');
  return host === '[::1]' || host === 'localhost' || host.endsWith('.localhost');
}
