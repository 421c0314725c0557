/**
 * Customers under load: `npm run bench:customers [-- profiles rate seconds]`. Creates profiles (10,000) through the API
 * as fast as it takes them. Then it asks at a steady rate (200 a second for a minute): look-ups by number and by
 * reference, searches by e-mail, name and phone. The whole service and the clients on one machine. Fails when a request
 * fails or the slowest hundredth takes too long.
 */
import { Agent } from 'node:http';
import { Service } from '../../test/support/service.ts';
import { createRandom } from '../demo/random.ts';
import { expectThat, hasFailed } from './expectation.ts';
import { measureProcessors } from './processor-time.ts';
import { type Answered, call, type Load, steadyLoad, summarise, tellLoad } from './steady-load.ts';

const [profiles = 10_000, rate = 200, seconds = 60] = process.argv.slice(2).map(Number);
const P99_LIMIT_MS = 250;
const CREATORS = 8;
const FIRST_NAMES = [
  'Kari',
  'Ola',
  'Ingrid',
  'Nils',
  'Áile',
  'Per',
  'Astrid',
  'Ánte',
  'Liv',
  'Håkon',
  'Sára',
  'Øystein',
];
const SURNAMES = [
  'Hansen',
  'Johansen',
  'Olsen',
  'Larsen',
  'Sara',
  'Eira',
  'Bakke',
  'Berg',
  'Haugen',
  'Sørlie',
  'Ødegård',
];

interface Person {
  readonly number: string;
  readonly reference: string;
  readonly email: string;
  readonly firstName: string;
  readonly surname: string;
  readonly phone: string;
}

const service = await Service.start({ timetable: false, processes: ['salesCustomersWorker', 'eventsWorker'] });
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const random = createRandom('customers');

async function send(token: string, method: string, path: string, body?: object): Promise<Answered> {
  const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) };
  const text = body ? { body: JSON.stringify(body) } : {};
  return await call({ method, url: `${service.apiUrl}/customers/v2${path}`, headers, ...text }, agent);
}

async function createOne(token: string, index: number): Promise<{ answer: Answered; person: Person }> {
  const [firstName, surname] = [random.pick(FIRST_NAMES), `${random.pick(SURNAMES)} ${index % 500}`];
  const fields = {
    firstName,
    surname,
    email: `kunde.${index}@example.org`,
    customerRef: `REF-${index}`,
    countryCode: '47',
    telephoneNumberNoCountryCode: String(40_000_000 + index),
  };
  const by = { createdBy: 'bench', createdByChannel: 'bench', organisationId: 1 };
  const answer = await send(token, 'POST', '/profiles', { ...fields, ...by });
  const number = answer.status === 201 ? String(JSON.parse(answer.body).customerNumber) : '';
  const { email, customerRef: reference, telephoneNumberNoCountryCode: phone } = fields;
  return { answer, person: { number, reference, email, firstName, surname, phone } };
}

async function createAll(token: string): Promise<{ people: Person[]; load: Load }> {
  const people: Person[] = [];
  const answers: Answered[] = [];
  let next = 0;
  const creator = async (): Promise<void> => {
    while (next < profiles) {
      const { answer, person } = await createOne(token, next++);
      answers.push(answer);
      people.push(person);
    }
  };
  await Promise.all(Array.from({ length: CREATORS }, creator));
  return { people, load: summarise(answers) };
}

function question(person: Person, kind: number): string {
  const search = (criteria: Record<string, string>) => `/profiles-search?${new URLSearchParams(criteria)}`;
  switch (kind % 5) {
    case 0:
      return `/profiles/${person.number}`;
    case 1:
      return `/profiles/${person.reference}?organisationId=1`;
    case 2:
      return search({ email: person.email });
    case 3:
      return search({ surname: person.surname, firstName: person.firstName });
    default:
      return search({ countryCode: '47', telephoneNumberNoCountryCode: person.phone });
  }
}

/** Whether the answer has the profile that the question asks for. */
function finds({ status, body }: Answered, person: Person): boolean {
  return status === 200 && body.includes(`"${person.number}"`);
}

function tellProcessors(name: string, seconds: Readonly<Record<string, number>>, requests: number): void {
  const figures = Object.entries(seconds).map(([part, used]) => `${part} ${((1_000 * used) / requests).toFixed(2)}`);
  console.log(`${name} took, in ms of a core: ${figures.join(', ')}`);
}

const pids = Object.fromEntries(service.parts.map((part) => [part, service.pid(part)]));

try {
  const token = await service.token(['profiles:read', 'profiles:write']);
  const begun = performance.now();
  const creating = measureProcessors(pids);
  const { people, load } = await createAll(token);
  tellLoad(`created, ${(people.length / ((performance.now() - begun) / 1000)).toFixed(0)} a second`, load);
  tellProcessors('each', creating(), people.length);
  const lost = load.answers.find(({ status }) => status !== 201);
  expectThat(
    `every profile was created${lost ? ` (${lost.status} ${lost.body.slice(0, 200)})` : ''}`,
    lost === undefined,
  );
  const asked: Person[] = [];
  const ask = (count: number): Promise<Answered> => {
    const person = random.pick(people);
    asked[count] = person;
    return send(token, 'GET', question(person, count));
  };
  await steadyLoad(rate, Math.min(10, seconds), ask);
  const measured = measureProcessors(pids);
  const reading = await steadyLoad(rate, seconds, ask);
  tellLoad(`${rate} reads and searches a second`, reading);
  tellProcessors('each', measured(), reading.answers.length);
  const wrong = reading.answers.find((answer, count) => !finds(answer, asked[count] as Person));
  expectThat(`every one found its profile${wrong ? ` (${wrong.status} ${wrong.body.slice(0, 200)})` : ''}`, !wrong);
  expectThat(`p99 ${reading.p99.toFixed(1)} ms, ${P99_LIMIT_MS} allowed`, reading.p99 < P99_LIMIT_MS);
} finally {
  agent.destroy();
  await service.stop();
}
process.exitCode = hasFailed() ? 1 : 0;
