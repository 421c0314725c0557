/** Counts the acts that stopped harm and are not in the audit log. Callers: the processes that may do such acts. */
import { Counter, type Registry } from 'prom-client';

/** Call the result for each such act; what calls it logs the act. */
export function countUnrecordedActs(registry: Registry): () => void {
  const count = new Counter({
    name: 'audit_unrecorded_acts_total',
    help: 'Clients disabled or deleted, and steps of withdrawals of signing keys, without an entry in the audit log',
    registers: [registry],
  });
  return () => count.inc();
}
