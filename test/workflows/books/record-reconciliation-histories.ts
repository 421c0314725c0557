/**
 * Records histories of the reconciliation into test/histories, for replay.test.ts. Run by hand when a change of the
 * workflow must stay replayable: `node test/workflows/books/record-reconciliation-histories.ts`. The histories
 * `reconciliation-done` and `reconciliation-steps-died` are of runs that did not compare orders.
 */
import '../../support/quiet-temporal.ts';
import { stopServers } from '../../support/stack.ts';
import { storeHistory } from '../stored-history.ts';
import { ReconciliationWorkers } from './reconciliation-workers.ts';

try {
  const workers = await ReconciliationWorkers.open();
  const record = async (name: string) => {
    const run = await workers.start({ day: '2026-05-04' });
    await workers.end(run);
    await storeHistory(name, await run.fetchHistory());
    process.stdout.write(`${name}\n`);
  };
  await record('reconciliation-orders');
  for (const name of ['compareMovements', 'rangeOfDay', 'compareOrders', 'report'] as const) workers.breakOn(name, 2);
  await record('reconciliation-orders-died');
  await workers.close();
} finally {
  await stopServers();
}
