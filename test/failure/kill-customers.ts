/**
 * `npm run test:kill-customers [-- writes kills]`: 1,000 creations, changes and conversions while API, worker,
 * Temporal, MongoDB and relay are killed in turn (20 kills). Ends with `N passed, N failed`.
 */
import { Service } from '../support/service.ts';
import { CustomerWrites, VICTIMS } from './customer-writes.ts';

const [writes = 1_000, kills = 20] = process.argv.slice(2).map(Number);
const victims = Array.from({ length: kills }, (_, at) => VICTIMS[at % VICTIMS.length] as (typeof VICTIMS)[number]);

const service = await Service.start({ timetable: false, processes: ['salesCustomersWorker', 'eventsWorker'] });
try {
  const books = await new CustomerWrites(service).run(writes, victims);
  const { acknowledged, events, repeats } = books;
  console.log(
    `${acknowledged} writes acknowledged, ${events} events, ${books.kills} kills, ${repeats} repeated attempts`,
  );
  for (const fault of books.faults) console.log(`FAIL ${fault}`);
  console.log(`${acknowledged - books.faults.length} passed, ${books.faults.length} failed`);
  process.exitCode = books.faults.length > 0 ? 1 : 0;
} finally {
  await service.stop();
}
