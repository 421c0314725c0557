/**
 * Makes a server of the tests that is written in Go collect its garbage rarely: it lives for minutes and holds little.
 * The local stack keeps the usual setting, to save memory.
 */
import type { ServerOptions } from '../../dev/stack/servers.ts';

/** The heap may grow to five times what is in use, where Go's default is twice. */
const GOGC = '400';

export function rarelyCollected(options: ServerOptions): ServerOptions {
  return { ...options, env: { ...options.env, GOGC } };
}
