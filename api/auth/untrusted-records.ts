/**
 * Reports records in the database that the service did not write, as metrics and in the log. Caller: the start of the
 * authentication server.
 */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Logger } from '../../platform/log.ts';

/** Call the result with the ids of the untrusted keys at each read of the published keys. Logs only what has changed. */
export function reportUntrustedKeys(registry: Registry, log: Logger): (kids: readonly string[]) => void {
  const count = new Gauge({
    name: 'auth_untrusted_signing_keys',
    help: 'Signing keys in the database that this service did not make, and does not publish; more than 0 is an attack or a wrong KEY_ENCRYPTION_KEY',
    registers: [registry],
  });
  count.set(0);
  let reported = '';
  return (kids) => {
    count.set(kids.length);
    const found = kids.join(' ');
    if (found !== '' && found !== reported) {
      log.error({ kids }, 'signing keys were not made by this service, and are not published');
    }
    reported = found;
  };
}

/** Call the result when a list of disabled clients was found that the service did not write; who finds it logs it. */
export function countForeignLists(registry: Registry): () => void {
  const count = new Counter({
    name: 'auth_foreign_disabled_lists_total',
    help: 'Lists of disabled clients in the database that this service did not write or that were removed; more than 0 is an attack or a wrong CLIENT_SECRET_KEY',
    registers: [registry],
  });
  return () => count.inc();
}
