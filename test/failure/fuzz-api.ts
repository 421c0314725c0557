/**
 * Fuzzes the API with Schemathesis, an outside program: `npm run test:fuzz-api [-- area cases seed]`. Starts the whole
 * service and creates customers. Schemathesis then generates requests from the served documents: `cases` fuzzed ones
 * (customers 5,000, refunds 3,000, the others 500), the limits of every schema, and chains of operations. Ends with `N passed, N
 * failed`, after the curl line of each failure. The short twin is test/api/customers/fuzz.test.ts.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '../../api/shared/openapi-reference.ts';
import { providePythonPackages } from '../support/python-packages.ts';
import { Service } from '../support/service.ts';
import { publishTrains } from '../support/sold-trains.ts';
import { fuzzCatalogueFile } from './fuzz-api-catalogue.ts';
import { toConfig } from './fuzz-api-config.ts';
import { depthOf } from './fuzz-api-depth.ts';
import { toTestedDocument } from './fuzz-api-document.ts';
import { createPages } from './fuzz-api-pages.ts';
import { createPayments } from './fuzz-api-payments.ts';
import { createPeople, type People } from './fuzz-api-people.ts';
import { createReceipts } from './fuzz-api-receipts.ts';
import { createRefunds } from './fuzz-api-refunds.ts';
import { createSales, type Sales } from './fuzz-api-sales.ts';
import { createTickets } from './fuzz-api-tickets.ts';
import { examplesFrom, listsOf } from './fuzz-api-values.ts';
import { runSchemathesis, type Verdict } from './schemathesis.ts';

const USUAL_CASES = {
  customers: 5_000,
  books: 500,
  events: 500,
  catalogue: 500,
  offers: 500,
  order: 500,
  payment: 500,
  'payment-page': 500,
  receipt: 500,
  refund: 3_000,
  'reserve-offers': 500,
  'seating-arrangements': 500,
  'ticket-distribution': 500,
};
/** The phases run in parallel, each in its own process. A chain is several requests. */
const PHASES = [
  { phases: 'examples,coverage', share: 0 },
  { phases: 'fuzzing', share: 1 },
  { phases: 'stateful', share: 0.3 },
];

const [area, casesGiven, seedGiven] = process.argv.slice(2);
const seed = Number(seedGiven ?? Date.now() % 1_000_000);
const runs = Object.entries(USUAL_CASES).filter(([name]) => area === undefined || name === area);
if (runs.length === 0) throw new Error(`${area} is none of ${Object.keys(USUAL_CASES).join(', ')}`);

const packages = await providePythonPackages('schemathesis');
const directory = mkdtempSync(join(tmpdir(), 'samferd-fuzz-api-'));
const service = await Service.start({
  timetable: false,
  processes: [
    'salesCustomersWorker',
    'eventsWorker',
    'salesPaymentsWorker',
    'paymentPagesWorker',
    'salesOrdersWorker',
    'salesDocumentsWorker',
    'providerSimulator',
  ],
  // Every generated catalogue reaches its checks.
  env: { AUDITED_CALLS_PER_MINUTE: '1000000', CATALOGUE_FILE: fuzzCatalogueFile() },
});
try {
  const people = await createPeople(service);
  await publishTrains(service);
  const payments = await createPayments(service, people.token);
  const tickets = await createTickets(service, people);
  const receipts = await createReceipts(service, tickets.lists.ticketOrders);
  const refunds = await createRefunds(service, people.token);
  const pages = await createPages(service, people.token);
  const verdicts: Verdict[] = [];
  for (const [name, usual] of runs)
    verdicts.push(
      ...(await fuzzArea(name, Number(casesGiven ?? usual), people, {
        lists: { ...payments, ...tickets.lists, ...receipts, ...refunds.lists, ...pages.lists },
        bodies: { ...tickets.bodies, ...refunds.bodies, ...pages.bodies },
      })),
    );
  const cases = verdicts.reduce((sum, verdict) => sum + verdict.cases, 0);
  const failures = verdicts.reduce((sum, verdict) => sum + verdict.failures, 0);
  console.log(`${cases - failures} passed, ${failures} failed`);
  process.exitCode = failures > 0 ? 1 : 0;
} finally {
  await service.stop();
  rmSync(directory, { recursive: true, force: true });
}

async function fuzzArea(name: string, cases: number, people: People, others: Sales): Promise<readonly Verdict[]> {
  const served = (await (await fetch(`${service.apiUrl}/api-docs/${name}`)).json()) as Json;
  const sales = await createSales(service, people.token);
  const lists = { ...listsOf(people), ...others.lists, ...sales.lists };
  const tested = toTestedDocument(served, examplesFrom(lists), { ...others.bodies, ...sales.bodies });
  const [documentPath, config] = [join(directory, `${name}.json`), join(directory, `${name}.toml`)];
  writeFileSync(documentPath, JSON.stringify(tested.document));
  writeFileSync(config, toConfig(people.token, lists, tested));
  console.log(`${name}: ${tested.operations.length} operations, seed ${seed}`);
  const verdicts = PHASES.map(async ({ phases, share }) => {
    const examples = Math.max(1, Math.ceil((cases * share) / tested.operations.length));
    const options = { directory, document: documentPath, config, url: service.apiUrl, phases, examples, seed };
    const verdict = await runSchemathesis(packages, options);
    const { accepted, failures } = verdict;
    const depth = accepted > 0 ? `, ${accepted} answered with success` : '';
    console.log(`  ${phases}: ${verdict.cases} cases${depth}, ${failures} failures`);
    if (failures > 0) console.log(verdict.text);
    return verdict;
  });
  const settled = await Promise.all(verdicts);
  const { lines, unreached } = depthOf(settled, tested.operations);
  for (const line of lines) console.log(`  ${line}`);
  const done = settled.reduce((sum, verdict) => sum + verdict.cases, 0);
  if (done < cases) throw new Error(`${name}: only ${done} of ${cases} cases were tried`);
  if (unreached.length > 0) throw new Error(`${name}: never succeeded, and can: ${unreached.join(', ')}`);
  return settled;
}
