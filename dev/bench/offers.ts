/**
 * Offers under load: `npm run bench:offers [-- rate seconds]`. The demo region and catalogue in the whole service, which
 * shares the machine with the clients. Asks at a steady rate (20 a second for a minute): seven of ten searches are for
 * trips of the planner, the others for places, zones and an authority. Fails when a search fails or finds nothing for a
 * trip, or when the slowest twentieth takes too long.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Service } from '../../test/support/service.ts';
import { importDemo } from '../demo/import.ts';
import { queryPlanner, untilPlannerAnswers } from '../demo/planner-client.ts';
import { createRandom } from '../demo/random.ts';
import { addDays, todayInOslo } from '../demo/service-days.ts';
import {
  type PlannedTrips,
  ridesOf,
  type SearchedPattern,
  searchedPatterns,
  TRIP_PATTERNS,
} from '../demo/trip-patterns.ts';
import { expectThat, hasFailed } from './expectation.ts';
import { measureProcessors } from './processor-time.ts';
import { type Answered, call, steadyLoad, tellLoad } from './steady-load.ts';

const [rate = 20, seconds = 60] = process.argv.slice(2).map(Number);
const P95_LIMIT_MS = 250;
const WARM_UP_SECONDS = 10;
const PATTERNS = 120;
const COAST = 'DEM:Authority:Kysten';
const PARTIES = [
  [{ id: 't1', age: 34 }],
  [
    { id: 't1', age: 34 },
    { id: 't2', age: 12 },
  ],
  [
    { id: 't1', age: 34 },
    { id: 't2', age: 36 },
    { id: 't3', age: 8 },
    { id: 't4', age: 70 },
  ],
] as const;

interface Search {
  readonly kind: string;
  readonly body: string;
}

const random = createRandom('offers');
const tomorrow = addDays(todayInOslo(new Date()), 1);
const directory = mkdtempSync(join(tmpdir(), 'samferd-bench-offers-'));
const processes = ['timetableWorker', 'timetableValidationWorker', 'plannerBuildWorker', 'journeyPlanner'] as const;
const service = await Service.start({ planner: true, processes });
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

async function places(token: string): Promise<readonly string[]> {
  const url = `${service.apiUrl}/v1/catalogue?travelDate=${tomorrow}&perPage=1`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const { stopPlaces } = (await answer.json()) as { readonly stopPlaces: readonly { readonly id: string }[] };
  return stopPlaces.map(({ id }) => id);
}

async function drawPatterns(ids: readonly string[]): Promise<readonly SearchedPattern[]> {
  const found: SearchedPattern[] = [];
  while (found.length < PATTERNS) {
    const variables = { from: random.pick(ids), to: random.pick(ids), at: `${tomorrow}T08:00:00+01:00`, count: 2 };
    const trips = await queryPlanner<PlannedTrips>(service.plannerUrl, TRIP_PATTERNS, variables);
    found.push(...searchedPatterns(trips).filter((pattern) => ridesOf(pattern).length > 0));
  }
  return found;
}

function searchOf(count: number, patterns: readonly SearchedPattern[], ids: readonly string[]): Search {
  const travellers = random.pick(PARTIES);
  const make = (kind: string, body: object) => ({ kind, body: JSON.stringify({ travellers, ...body }) });
  switch (count % 10) {
    case 7:
      return make('stop-places', { from: random.pick(ids), to: random.pick(ids), travelDate: tomorrow });
    case 8:
      return make('zones', { zones: ['NSR:FareZone:1', 'NSR:FareZone:2'], travelDate: tomorrow });
    case 9:
      return make('authority', { authority: COAST, travelDate: tomorrow });
    default:
      return make('trip-pattern', { tripPattern: random.pick(patterns) });
  }
}

try {
  const parties = { operator: await service.credentials(), client: await service.credentials() };
  await importDemo({ apiUrl: service.apiUrl, authUrl: service.authUrl, ...parties, directory });
  await untilPlannerAnswers(service.plannerUrl);
  const token = await service.token(['offers:search']);
  const ids = await places(token);
  const patterns = await drawPatterns(ids);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const asked: Search[] = [];
  const ask = async (count: number): Promise<Answered> => {
    const search = searchOf(count, patterns, ids);
    asked[count] = search;
    const url = `${service.apiUrl}/offers/v2/search/${search.kind}`;
    return await call({ method: 'POST', url, headers, body: search.body }, agent);
  };
  await steadyLoad(rate, Math.min(WARM_UP_SECONDS, seconds), ask);
  const measured = measureProcessors({ api: service.pid('api'), mongod: service.pid('mongod') });
  const load = await steadyLoad(rate, seconds, ask);
  tellLoad(`${rate} searches a second`, load);
  const used = Object.entries(measured()).map(
    ([name, spent]) => `${name} ${((1_000 * spent) / load.answers.length).toFixed(1)}`,
  );
  console.log(`each took, in ms of a core: ${used.join(', ')}`);
  const sizes = load.answers.map(({ body }) => body.length).toSorted((a, b) => a - b);
  console.log(`an answer has ${sizes[Math.floor(sizes.length / 2)]} bytes, at most ${sizes.at(-1)}`);
  const isEmpty = ({ body }: Answered, at: number) =>
    asked[at]?.kind === 'trip-pattern' && body.startsWith('{"offers":[]');
  const wrong = load.answers.find((answer, at) => answer.status !== 200 || isEmpty(answer, at));
  expectThat(`every search was answered${wrong ? ` (${wrong.status} ${wrong.body.slice(0, 300)})` : ''}`, !wrong);
  expectThat(`p95 ${load.p95.toFixed(1)} ms, ${P95_LIMIT_MS} allowed`, load.p95 < P95_LIMIT_MS);
} finally {
  agent.destroy();
  await service.stop();
  rmSync(directory, { recursive: true, force: true });
}
process.exitCode = hasFailed() ? 1 : 0;
