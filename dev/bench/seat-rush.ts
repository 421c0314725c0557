/**
 * A rush for the last seats: `npm run bench:seat-rush [-- callers]`, 500 unless given. The whole service, with the demo
 * region and an account for each process, shares the machine with the clients. All reserve a coach with few seats at
 * once, on stretches that overlap. Fails when a seat is sold twice on a hop, when a refused caller leaves a hold, when
 * somebody is refused who could have had a seat, or when an answer comes after 5 s.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Service } from '../../test/support/service.ts';
import { importDemo } from '../demo/import.ts';
import { untilPlannerAnswers } from '../demo/planner-client.ts';
import { addDays, todayInOslo } from '../demo/service-days.ts';
import { type Ask, type DemoJourney, findOffersOn, listJourneys } from './demo-journeys.ts';
import { expectThat, hasFailed } from './expectation.ts';
import { measureProcessors } from './processor-time.ts';
import { type Answered, call, summarise, tellLoad } from './steady-load.ts';

const callers = Number(process.argv[2] ?? 500);
const LONGEST_MS = 5_000;
const COACH = 'DEM:Line:402';
const CHANNEL = 'SVC:DistributionChannel:PaymentPage';
const PAGE = 100;

interface Arrangement {
  readonly fromStopPlaceId: string;
  readonly toStopPlaceId: string;
  readonly carriageNumber: string;
  readonly seatNumber: string;
}
interface Hop {
  readonly from: number;
  readonly to: number;
}
interface Carriages {
  readonly carriages: readonly { readonly seats: readonly { readonly free: boolean }[] }[];
}

const tomorrow = addDays(todayInOslo(new Date()), 1);
const directory = mkdtempSync(join(tmpdir(), 'samferd-bench-rush-'));
const processes = ['timetableWorker', 'timetableValidationWorker', 'plannerBuildWorker', 'journeyPlanner'] as const;
const service = await Service.start({ planner: true, accounts: true, processes: [...processes, 'salesOrdersWorker'] });
const agent = new Agent({ keepAlive: true, maxSockets: callers });

async function ask(path: string, headers: Record<string, string>, body?: object): Promise<Answered> {
  const sent = body && { ...headers, 'content-type': 'application/json' };
  const json = body && { body: JSON.stringify(body) };
  const url = `${service.apiUrl}${path}`;
  return await call({ method: body ? 'POST' : 'GET', url, headers: sent ?? headers, ...json }, agent);
}

async function get<T>(path: string, headers: Record<string, string>, body?: object): Promise<T> {
  const { status, body: text } = await ask(path, headers, body);
  if (status !== 200) throw new Error(`${path} was answered ${status}: ${text}`);
  return JSON.parse(text) as T;
}

async function findCoach(ask: Ask): Promise<DemoJourney> {
  for (let page = 1; ; page++) {
    const journeys = await listJourneys(ask, tomorrow, page);
    const coach = journeys.find(({ lineId, calls }) => lineId === COACH && calls.length > 2);
    if (coach) return coach;
    if (journeys.length === 0) throw new Error(`The line ${COACH} has no journey of three calls tomorrow`);
  }
}

/** Every stretch of the journey. */
function stretchesOf({ calls }: DemoJourney): readonly Hop[] {
  return calls.flatMap((_, from) => calls.slice(from + 1).map((__, at) => ({ from, to: from + 1 + at })));
}

async function offerOn(ask: Ask, journey: DemoJourney, stretch: Hop): Promise<string> {
  const offers = await findOffersOn(ask, journey, stretch, [{ id: 't1', age: 34 }]);
  const seated = offers.find(({ seating }) => seating.required);
  const { from, to } = stretch;
  if (!seated) throw new Error(`No seat is offered from call ${from} to ${to} of ${journey.datedServiceJourneyId}`);
  return seated.id;
}

async function listSold(journey: DemoJourney, headers: Record<string, string>): Promise<readonly Arrangement[]> {
  const sold: Arrangement[] = [];
  for (let page = 1; ; page++) {
    const id = encodeURIComponent(journey.datedServiceJourneyId);
    const path = `/v1/seating-arrangements?datedServiceJourneyId=${id}&status=ne:RELEASED&page=${page}&perPage=${PAGE}`;
    const { items, totalPages } = await get<{ readonly items: Arrangement[]; readonly totalPages: number }>(
      path,
      headers,
    );
    sold.push(...items);
    if (page >= totalPages) return sold;
  }
}

function countTwice({ calls }: DemoJourney, sold: readonly Arrangement[]): number {
  const at = (stop: string) => calls.findIndex(({ stopPlaceId }) => stopPlaceId === stop);
  const hops = sold.flatMap(({ carriageNumber, seatNumber, fromStopPlaceId, toStopPlaceId }) => {
    const [from, to] = [at(fromStopPlaceId), at(toStopPlaceId)];
    return Array.from({ length: to - from }, (_, hop) => `${carriageNumber}/${seatNumber} ${from + hop}`);
  });
  return hops.length - new Set(hops).size;
}

async function countFree(
  { datedServiceJourneyId, calls }: DemoJourney,
  { from, to }: Hop,
  headers: Record<string, string>,
) {
  const places = { from: calls[from]?.stopPlaceId ?? '', to: calls[to]?.stopPlaceId ?? '' };
  const query = new URLSearchParams({ datedServiceJourneyId, ...places });
  const { carriages } = await get<Carriages>(`/v1/seating-arrangements/availability?${query}`, headers);
  return carriages.flatMap(({ seats }) => seats).filter(({ free }) => free).length;
}

try {
  const parties = { operator: await service.credentials(), client: await service.credentials() };
  await importDemo({ apiUrl: service.apiUrl, authUrl: service.authUrl, ...parties, directory });
  await untilPlannerAnswers(service.plannerUrl);
  const token = await service.token(['offers:search', 'orders:read', 'orders:write', 'seating:read']);
  const headers = { authorization: `Bearer ${token}`, 'service-distribution-channel': CHANNEL };
  const getHere: Ask = async (path, body) => await get(path, headers, body);
  const journey = await findCoach(getHere);
  const stretches = stretchesOf(journey);
  const offers = await Promise.all(stretches.map((stretch) => offerOn(getHere, journey, stretch)));
  const wanted = Array.from({ length: callers }, (_, at) => at % stretches.length);
  console.log(
    `${callers} callers want ${await countFree(journey, stretches[0] as Hop, headers)} seats of ${journey.datedServiceJourneyId}`,
  );
  const measured = measureProcessors({ api: service.pid('api'), mongod: service.pid('mongod') });
  const answers = await Promise.all(
    wanted.map((at) => ask('/v1/reserve-offers', headers, { offerConfigurations: [{ offerId: offers[at] }] })),
  );
  tellLoad('reservations at once', summarise(answers));
  const used = Object.entries(measured()).map(([name, spent]) => `${name} ${((1_000 * spent) / callers).toFixed(1)}`);
  console.log(`each took, in ms of a core: ${used.join(', ')}`);
  const isSold = ({ status }: Answered) => status === 200;
  const isRefused = ({ status, body }: Answered) => status === 409 && body.includes('"SEAT_UNAVAILABLE"');
  const wrong = answers.find((answer) => !isSold(answer) && !isRefused(answer));
  expectThat(`each has a seat or none${wrong ? ` (${wrong.status} ${wrong.body.slice(0, 300)})` : ''}`, !wrong);
  const sold = await listSold(journey, headers);
  const count = answers.filter(isSold).length;
  expectThat(`${count} callers have ${sold.length} seats, and no other is held`, count === sold.length && count > 0);
  expectThat('no seat is sold twice on a hop', countTwice(journey, sold) === 0);
  const refused = new Set(wanted.filter((_, at) => !isSold(answers[at] as Answered)));
  const left = await Promise.all([...refused].map((at) => countFree(journey, stretches[at] as Hop, headers)));
  expectThat(
    `nobody was refused a free seat (${refused.size} stretches)`,
    left.every((free) => free === 0),
  );
  expectThat(`the last answer came within ${LONGEST_MS} ms`, summarise(answers).longest < LONGEST_MS);
} finally {
  agent.destroy();
  await service.stop();
  rmSync(directory, { recursive: true, force: true });
}
process.exitCode = hasFailed() ? 1 : 0;
