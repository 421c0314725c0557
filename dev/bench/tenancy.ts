/**
 * Whether time tells another organisation's customer from one that is not there: `npm run bench:tenancy [-- tries]`.
 * Each operation names a customer in another form. It gets 2,000 requests of the one kind and 2,000 of the other, one
 * after the other. The order within each pair is random, so that other load on the machine affects both alike. Every
 * customer and every absent number or address is asked for once an operation. The whole service and the client on one
 * machine. Fails when an answer differs by a byte, or medians by 5 %.
 */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { Service } from '../../test/support/service.ts';
import { expectThat, hasFailed } from './expectation.ts';
import { type Answered, call, summarise } from './steady-load.ts';

const tries = Number(process.argv[2] ?? 2_000);
const MEDIAN_SHARE = 0.05;
const WARM_PAIRS = 300;
const CREATORS = 8;
const CHANNEL = 'SVC:DistributionChannel:PaymentPage';
const SCOPES = ['profiles:read', 'profiles:write', 'consents:read', 'consents:write'];
const JSON_TYPE = { 'content-type': 'application/json' };
/** The same of every request, so that answers can be compared. */
const CORRELATION = { 'x-correlation-id': randomUUID() };
const CHANGE = { changedBy: 'bench', changedByChannel: 'bench' };
const REPLACEMENT = { firstName: 'Ola', surname: 'Nordmann', email: 'ola@example.org', ...CHANGE };

/** The names of a customer. */
interface Names {
  readonly number: string;
  readonly reference: string;
  readonly email: string;
}

interface Question {
  readonly method: string;
  readonly path: (names: Names) => string;
  readonly body?: object;
  readonly status: number;
}

const byNumber = (below = '') => ((names) => `/profiles/${names.number}${below}`) satisfies Question['path'];

const QUESTIONS: Readonly<Record<string, Question>> = {
  'GET profile': { method: 'GET', path: byNumber(), status: 404 },
  'GET profile by reference': { method: 'GET', path: ({ reference }) => `/profiles/${reference}`, status: 404 },
  'GET consents': { method: 'GET', path: byNumber('/consents'), status: 404 },
  'POST consent': {
    method: 'POST',
    path: byNumber('/consents'),
    status: 404,
    body: { consentCode: 'NEWSLETTER', consentChoice: true, distributionChannel: CHANNEL },
  },
  'PATCH profile': {
    method: 'PATCH',
    path: byNumber(),
    status: 404,
    body: { firstName: 'Ola', ...CHANGE },
  },
  'PATCH profile, wrong body': { method: 'PATCH', path: byNumber(), body: { nonsense: true }, status: 404 },
  'PUT profile': { method: 'PUT', path: byNumber(), body: REPLACEMENT, status: 404 },
  'DELETE profile': { method: 'DELETE', path: byNumber(), status: 404 },
  'Search by e-mail': {
    method: 'GET',
    path: ({ email }) => `/profiles-search?${new URLSearchParams({ email })}`,
    status: 200,
  },
};

const service = await Service.start({ timetable: false, processes: ['salesCustomersWorker', 'eventsWorker'] });
const agent = new Agent({ keepAlive: true, maxSockets: CREATORS });

async function send(token: string, method: string, path: string, body?: object): Promise<Answered> {
  const headers = { authorization: `Bearer ${token}`, ...CORRELATION, ...(body && JSON_TYPE) };
  const text = body && { body: JSON.stringify(body) };
  return await call({ method, url: `${service.apiUrl}/customers/v2${path}`, headers, ...text }, agent);
}

/** Makes names in the form of existing ones. */
function makeNames(number = `${randomInt(1e9, 1e10)}`): Names {
  return { number, reference: randomUUID(), email: `${randomBytes(8).toString('hex')}@example.org` };
}

/** A customer with a consent. */
async function createOne(token: string, organisationId: number): Promise<Names> {
  const { reference, email } = makeNames();
  const by = { createdBy: 'bench', createdByChannel: CHANNEL, organisationId };
  const profile = { firstName: 'Kari', surname: 'Nordmann', email, customerRef: reference, ...by };
  const created = await send(token, 'POST', '/profiles', profile);
  if (created.status !== 201) throw new Error(`A customer was not created: ${created.status} ${created.body}`);
  const { customerNumber: number } = JSON.parse(created.body) as { customerNumber: string };
  const given = { consentCode: 'NEWSLETTER', consentChoice: true, distributionChannel: CHANNEL };
  const consent = await send(token, 'POST', `/profiles/${number}/consents`, given);
  if (consent.status !== 201) throw new Error(`A consent was not given: ${consent.status} ${consent.body}`);
  return { number, reference, email };
}

async function createMany(organisationId: number, count: number): Promise<Names[]> {
  const token = await service.token(SCOPES, organisationId);
  const made: Names[] = [];
  let left = count;
  const creator = async (): Promise<void> => {
    while (left-- > 0) made.push(await createOne(token, organisationId));
  };
  await Promise.all(Array.from({ length: CREATORS }, creator));
  return made;
}

/** The content of an answer apart from the question's own address and the time of day. */
function withoutPlace({ status, body }: Answered): string {
  return `${status} ${body.replace(/"(instance|timestamp)":"[^"]*"/g, '"$1"')}`;
}

async function compare(name: string, token: string, foreign: readonly Names[]): Promise<void> {
  const { method, path, body, status } = QUESTIONS[name] as Question;
  const answers: Record<'foreign' | 'absent', Answered[]> = { foreign: [], absent: [] };
  const askPair = async (there: Names, kept: boolean): Promise<void> => {
    const pair = [['foreign', there] as const, ['absent', makeNames()] as const];
    for (const [kind, names] of randomInt(2) === 0 ? pair : pair.toReversed()) {
      const answer = await send(token, method, path(names), body);
      if (kept) answers[kind].push(answer);
    }
  };
  for (const there of foreign.slice(0, WARM_PAIRS)) await askPair(there, false);
  for (const there of foreign) await askPair(there, true);
  const all = [...answers.foreign, ...answers.absent];
  const texts = [...new Set(all.map(withoutPlace))];
  const isAlike = texts.length === 1 && texts[0]?.startsWith(`${status} `);
  expectThat(
    `${name}: one answer to all${isAlike ? '' : ` (${texts.slice(0, 2).join(' | ').slice(0, 400)})`}`,
    isAlike === true,
  );
  const [there, absent] = [summarise(answers.foreign).p50, summarise(answers.absent).p50];
  const apart = Math.max(there, absent) / Math.min(there, absent) - 1;
  const text = `another's ${there.toFixed(3)} ms, absent ${absent.toFixed(3)} ms, ratio ${(there / absent).toFixed(3)}`;
  expectThat(`${name}: ${answers.foreign.length} of each, medians: ${text}`, apart < MEDIAN_SHARE);
}

try {
  const [foreign] = await Promise.all([createMany(2, tries), createMany(1, tries)]);
  const token = await service.token(SCOPES, 1);
  for (const name of Object.keys(QUESTIONS)) await compare(name, token, foreign);
} finally {
  agent.destroy();
  await service.stop();
}
process.exitCode = hasFailed() ? 1 : 0;
