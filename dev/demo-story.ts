/**
 * `npm run demo`: walks one whole story against the running service and prints each step with what came back. Ends with
 * exit code 1 at the first step that is not as it should be, saying what was wrong and what to do.
 *
 * `--local DIR` takes a service whose addresses and clients are elsewhere, `--environment` one that is not of
 * development. `--lines 301,302` uploads these lines alone, which takes less time but replaces the whole region.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { eventEnvironment } from '../platform/events/outbox.ts';
import { ApiError, type ClientCredentials, fetchToken, TimetableClient } from './demo/api-client.ts';
import { tellCustomer } from './demo/customer-story.ts';
import { tellSale } from './demo/sales-story.ts';
import { StoryError, say } from './demo/story.ts';
import { tellTimetable } from './demo/timetable-story.ts';
import { LocalState } from './stack/local-state.ts';

const OPERATOR = 'timetable-demo';
const PARTNER = 'partner-1';

const REPLACES = 'replace the whole demo timetable: coaches, trains and every other line go.';
const GET_BACK = 'Run `npm run demo` without --lines to get all lines back.';
const USAGE = `npm run demo [-- OPTIONS]
  Walks one story against the running service (\`npm start\`) and prints each step. It uploads the demo timetable again,
  keeps and erases a customer, and pays two orders with test cards: by the API, and on a payment page. It ends with
  tickets and receipts in the in-box, and a refund of one of two travellers.

  --lines 301,302      upload these lines alone, in less time. They
                       ${REPLACES}
                       ${GET_BACK}
  --local DIR          folder of the service's state (default .local)
  --environment NAME   development (default), staging or production
  --help               print this text`;

type Options = ReturnType<typeof readOptions>;

interface Stage {
  readonly folder: string;
  readonly environment: string;
  readonly lines: string | undefined;
}

type Client = ClientCredentials & { readonly name: string; readonly organisationId: number };

interface Service {
  readonly apiUrl: string;
  readonly authUrl: string;
  readonly plannerUrl: string;
  /** Absent where a mail server of the user's own takes the mails. */
  readonly mailUrl: string | undefined;
  readonly clients: readonly Client[];
}

async function findService(directory: string): Promise<Service> {
  const read = async (name: string): Promise<unknown> => {
    try {
      return JSON.parse(await readFile(join(directory, name), 'utf8'));
    } catch {
      throw new StoryError(`${join(directory, name)} cannot be read`, new LocalState(directory).describeAbsence());
    }
  };
  const { api, auth, journeyPlanner, mail } = (await read('endpoints.json')) as Record<
    'api' | 'auth' | 'journeyPlanner',
    string
  > & { readonly mail?: string };
  const clients = (await read('clients.json')) as Client[];
  say('The service is found', `API ${api}`, `authentication server ${auth}`, `journey planner ${journeyPlanner}`);
  return { apiUrl: api, authUrl: auth, plannerUrl: journeyPlanner, mailUrl: mail, clients };
}

async function tokenOf({ authUrl, clients }: Service, name: string): Promise<{ token: string; client: Client }> {
  const client = clients.find((each) => each.name === name);
  if (!client) throw new StoryError(`There is no client ${name}`, '`npm run reset`, then `npm start`.');
  const { token_type, expires_in, scope, access_token } = await fetchToken(authUrl, client);
  say(`A token of ${name}`, `${token_type}, for ${expires_in} s, scope: ${scope}`);
  return { token: access_token, client };
}

async function tellStory(service: Service, { folder, environment: name, lines }: Stage): Promise<void> {
  const { apiUrl, plannerUrl, mailUrl } = service;
  const operator = await tokenOf(service, OPERATOR);
  const timetable = new TimetableClient(apiUrl, operator.token);
  await tellTimetable({ timetable, plannerUrl, folder, ...(lines && { lines: lines.split(',').map(Number) }) });
  const partner = await tokenOf(service, PARTNER);
  const { organisationId } = partner.client;
  const environment = eventEnvironment(z.enum(['development', 'staging', 'production']).parse(name));
  await tellCustomer({ apiUrl, token: partner.token, environment }, organisationId);
  await tellSale({ apiUrl, token: partner.token, plannerUrl, organisationId, mailUrl, environment });
}

function adviceFor(error: unknown): string {
  if (error instanceof StoryError) return error.advice;
  if (!(error instanceof ApiError)) return 'Is the service running? Start it with `npm start`.';
  if (error.status === 401)
    return 'The clients of .local are not those of this service: start it again. If that does not help: `npm run reset`, then `npm start`.';
  return 'The service answered otherwise than its interface says; its log under .local tells more.';
}

function readOptions() {
  return parseArgs({
    options: {
      local: { type: 'string', default: '.local' },
      environment: { type: 'string', default: 'development' },
      lines: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  }).values;
}

async function main({ local, environment, lines }: Options): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'demo-story-'));
  if (lines !== undefined) console.log(`Lines ${lines} alone ${REPLACES}`);
  try {
    await tellStory(await findService(local), { folder, environment, lines });
    console.log('\nAll as it should be.');
  } catch (error) {
    console.error(`\nNot as it should be: ${error instanceof Error ? error.message : error}`);
    console.error(adviceFor(error));
    process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
    if (lines !== undefined) console.log(`\nThe demo timetable may now have lines ${lines} alone. ${GET_BACK}`);
  }
}

let options: Options | undefined;
try {
  options = readOptions();
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  process.exitCode = 1;
}
if (options?.help) console.log(USAGE);
else if (options) await main(options);
