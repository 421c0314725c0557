/**
 * `npm run try-city -- feed.zip [--codespace cty] [--interpolate evenly] [--local DIR]`: converts a GTFS feed, uploads
 * it to the running local stack, waits until it is published and asks the planner for a first trip. Each step is one of
 * docs/try-your-city.md.
 */
import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Conversion, convertFeed } from '../gtfs-to-netex/convert.ts';
import { describeConversion } from '../gtfs-to-netex/describe-conversion.ts';
import { instantOf } from '../gtfs-to-netex/feed/instant.ts';
import { DAY_MS } from '../workflows/shared/spans.ts';
import { fetchToken, TimetableClient } from './demo/api-client.ts';
import { watchImport } from './demo/watch-import.ts';
import { LocalState } from './stack/local-state.ts';
import type { ClientEntry } from './stack/prepare.ts';

const OWNER_ORGANISATION_ID = 1;
const CLIENT_NAME = 'samferd-try_city';
const LOADING_MS = 20_000;
const POLL_MS = 500;

interface Stack {
  readonly api: string;
  readonly auth: string;
  readonly planner: string;
  readonly operator: ClientEntry;
}

function findStack(state: LocalState): Stack {
  const endpoints = state.read('endpoints.json') as Record<string, string> | undefined;
  const clients = (state.read('clients.json') ?? []) as readonly ClientEntry[];
  const operator = clients.find(({ name }) => name === 'operator');
  const { api, auth, journeyPlanner: planner } = endpoints ?? {};
  if (!api || !auth || !planner || !operator) {
    throw new Error(state.describeAbsence());
  }
  return { api, auth, planner, operator };
}

async function upload({ api, auth, operator }: Stack, codespace: string, dataset: string): Promise<void> {
  const token = await fetchToken(auth, operator);
  const client = new TimetableClient(api, token.access_token);
  await client.putCodespace(codespace, {
    name: `Converted from GTFS (${codespace})`,
    xmlns: codespace.toUpperCase(),
    allowedXmlns: ['NSR', 'PEN'],
    profile: 'timetable',
    ownerOrganisationId: OWNER_ORGANISATION_ID,
  });
  const correlationId = await client.upload(codespace, dataset);
  console.log(`Uploaded to ${codespace}: ${correlationId}`);
  const outcome = await watchImport(client, codespace, correlationId, {
    onEvent: ({ action, state }) => console.log(`  ${action} ${state}`),
  });
  if (outcome.state === 'FAILED') throw new Error(`The import failed: ${outcome.reason}`);
  if (outcome.state === 'DUPLICATE') console.log('The same dataset is published already.');
}

const QUERY = `query ($from: String!, $to: String!, $at: DateTime!) {
  trip(from: {place: $from}, to: {place: $to}, dateTime: $at, numTripPatterns: 3) {
    tripPatterns { expectedStartTime expectedEndTime legs { mode line { publicCode name } fromPlace { name } toPlace { name } } }
    routingErrors { code description }
  }
}`;

interface TripAnswer {
  readonly data?: {
    readonly trip?: {
      readonly tripPatterns: readonly {
        readonly expectedStartTime: string;
        readonly expectedEndTime: string;
        readonly legs: readonly {
          readonly mode: string;
          readonly line: { readonly publicCode: string | null; readonly name: string | null } | null;
          readonly fromPlace: { readonly name: string | null };
          readonly toPlace: { readonly name: string | null };
        }[];
      }[];
      readonly routingErrors: readonly { readonly code: string; readonly description: string }[];
    };
  };
  readonly errors?: readonly { readonly message: string }[];
}

/** A planner process takes a new snapshot within seconds of its being published. */
async function askWhenLoaded(planner: string, variables: Readonly<Record<string, string>>): Promise<TripAnswer> {
  const until = Date.now() + LOADING_MS;
  for (;;) {
    const response = await fetch(`${planner}/journey-planner/v3/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'ET-Client-Name': CLIENT_NAME },
      body: JSON.stringify({ query: QUERY, variables }),
    });
    const answer = (await response.json()) as TripAnswer;
    const isUnknown = answer.data?.trip?.routingErrors.some(({ code }) => code === 'locationNotFound') ?? false;
    if (!isUnknown || Date.now() > until) return answer;
    await delay(POLL_MS);
  }
}

async function ask({ planner }: Stack, codespace: string, conversion: Conversion): Promise<void> {
  const example = conversion.findExample(Math.floor(Date.now() / DAY_MS));
  if (!example) return;
  const at = instantOf(example.day, example.departure - 60, example.timeZone);
  const quay = (key: string): string => `${codespace.toUpperCase()}:Quay:${key}`;
  const variables = { from: quay(example.from.key), to: quay(example.to.key), at };
  const local = new Date(at).toLocaleString('sv-SE', { timeZone: example.timeZone });
  console.log(`\nFrom ${example.from.name} to ${example.to.name}, after ${local} (line ${example.line}):`);
  const { data, errors = [] } = await askWhenLoaded(planner, variables);
  for (const { message } of errors) console.log(`  ${message}`);
  for (const { code, description } of data?.trip?.routingErrors ?? []) console.log(`  ${code}: ${description}`);
  for (const { expectedStartTime, expectedEndTime, legs } of data?.trip?.tripPatterns ?? []) {
    const parts = legs.map(({ mode, line, toPlace }) =>
      [mode, line?.publicCode ?? line?.name, 'to', toPlace.name].filter((part) => part).join(' '),
    );
    console.log(`  ${expectedStartTime} – ${expectedEndTime}  ${parts.join(', ')}`);
  }
  if (Date.parse(at) < Date.now() - DAY_MS) {
    console.log(
      '\nThe feed lies in the past: ask for times of its own days; departure boards of today show nothing of it.',
    );
  }
  const ends = `from: {place: "${variables.from}"}, to: {place: "${variables.to}"}, dateTime: "${at}"`;
  console.log(`\nAsk more at ${planner}/journey-planner/v3/ide, for example\n${exampleQuery(ends)}`);
}

function exampleQuery(ends: string): string {
  return `{ trip(${ends}) { tripPatterns { expectedStartTime expectedEndTime legs { mode line { publicCode } } } } }`;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      codespace: { type: 'string', default: 'cty' },
      interpolate: { type: 'string', default: 'distance' },
      local: { type: 'string' },
    },
  });
  const [feed] = positionals;
  const { codespace } = values;
  if (!feed || !/^[a-z]{3}$/.test(codespace)) {
    throw new Error('npm run try-city -- feed.zip [--codespace cty]: a GTFS feed, and three small letters.');
  }
  const state = new LocalState(values.local);
  const stack = findStack(state);
  await mkdir(state.path('try-city'), { recursive: true });
  const dataset = state.path('try-city', `${codespace}.zip`);
  const interpolation = values.interpolate === 'evenly' ? 'evenly' : 'distance';
  const conversion = await convertFeed({ feed, dataset, codespace, interpolation, onProgress: console.error });
  console.log(`${describeConversion(conversion)}\n${dataset}`);
  await upload(stack, codespace, dataset);
  await ask(stack, codespace, conversion);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
