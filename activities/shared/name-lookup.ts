/**
 * Resolves the names of receivers without Node's thread pool: there, four names that resolve slowly would hold all others. It
 * asks the name servers of the system; the file of hosts does not count. Caller: guarded-post.ts.
 */
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

const TIMEOUT_MS = 3_000;
const TRIES = 2;

export interface NameLookupOptions {
  /** Others than those of the system. */
  readonly servers?: readonly string[];
  readonly timeoutMs?: number;
}

export function createNameLookup({ servers, timeoutMs = TIMEOUT_MS }: NameLookupOptions = {}): LookupFunction {
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES });
  if (servers) resolver.setServers(servers);
  return (hostname, options, callback) => {
    const answer = (addresses: readonly LookupAddress[]) => {
      const [first] = addresses;
      if (!first)
        callback(Object.assign(new Error(`No address of ${hostname} is known`), { code: 'ENOTFOUND' }), '', 4);
      else if (options.all) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    };
    // Without an answer the delivery would wait for ever.
    void addressesOf(resolver, hostname).then(answer, (error: Error) => callback(error, '', 4));
  };
}

async function addressesOf(resolver: Resolver, hostname: string): Promise<readonly LookupAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = (result: typeof four, family: number) =>
    result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
  // As at creation. The agent, which checks again, knows fewer blocks.
  return [...found(four, 4), ...found(six, 6)].filter(({ address }) => isPublicAddress(address));
}
