/**
 * `npm run test:kill-deliveries [-- rounds part]`: customers pay on pages; each process and server in turn is killed as the money is
 * captured, and as the tickets are written down. Each customer must find exactly one mail with tickets and one with the
 * receipt, the page must end COMPLETED, and the provider must have moved the money once. Without a part,
 * {@link RECEIPTS} orders are then confirmed at once. The mails are counted again when nothing can send one any more. Ends with
 * `N passed, N failed`.
 */
import type { PartName } from '../support/service.ts';
import { KilledDeliveries, type Paying } from './killed-deliveries.ts';

const VICTIMS: readonly PartName[] = [
  ...([
    'salesDocumentsWorker',
    'eventsWorker',
    'paymentPagesWorker',
    'salesPaymentsWorker',
    'salesOrdersWorker',
  ] as const),
  ...(['paymentPage', 'api', 'providerSimulator', 'mongod', 'temporal', 'minio'] as const),
];
const MOMENTS = ['CAPTURE', 'TICKETS'] as const;

const RECEIPTS = 50;

const [rounds = '1', part] = process.argv.slice(2);
const victims = VICTIMS.filter((name) => part === undefined || name === part);
if (victims.length === 0) throw new Error(`${part} is none of ${VICTIMS.join(', ')}`);
const deliveries = await KilledDeliveries.open();
let [passed, failed] = [0, 0];

async function killAt(victim: PartName, moment: (typeof MOMENTS)[number]): Promise<void> {
  const paid: Paying = await deliveries.pay();
  if (moment === 'TICKETS') await deliveries.untilTickets(paid);
  await deliveries.die(victim);
  await deliveries.assertDelivered(paid);
}

async function tell(what: string, run: () => Promise<void>): Promise<void> {
  const begunAt = Date.now();
  try {
    await run();
    passed += 1;
    console.log(`ok   ${what}: ${((Date.now() - begunAt) / 1_000).toFixed(0)} s`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${what}: ${error instanceof Error ? error.message : error}`);
  }
}

try {
  for (let round = 0; round < Number(rounds); round += 1)
    for (const victim of victims)
      for (const moment of MOMENTS) await tell(`${victim}, ${moment}`, () => killAt(victim, moment));
  if (part === undefined) await tell(`${RECEIPTS} receipts at once`, () => deliveries.issueAtOnce(RECEIPTS));
  await tell('no second mail long after', () => deliveries.assertNothingLate());
} finally {
  await deliveries.close();
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
