/**
 * `npm run demo`: walks one whole story against the running service and prints each step with what came back. Ends with
 * exit code 1 at the first step that is not as it should be, saying what was wrong and what to do.
 *
 * `--local DIR` takes a service whose addresses and clients are elsewhere, `--environment` one that is not of
 * development. `--lines 301,302` uploads these lines alone, which takes less time.
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

type Client = ClientCredentials & { readonly name: string; readonly organisationId: number };

interface Service {
  readonly apiUrl: string;
  readonly authUrl: string;
  readonly plannerUrl: string;
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
  const { api, auth, journeyPlanner } = (await read('endpoints.json')) as Record<
    'api' | 'auth' | 'journeyPlanner',
    string
  >;
  const clients = (await read('clients.json')) as Client[];
  say('The service is found', `API ${api}`, `authentication server ${auth}`, `journey planner ${journeyPlanner}`);
  return { apiUrl: api, authUrl: auth, plannerUrl: journeyPlanner, clients };
}

async function tokenOf({ authUrl, clients }: Service, name: string): Promise<{ token: string; client: Client }> {
  const client = clients.find((each) => each.name === name);
  if (!client) throw new StoryError(`There is no client ${name}`, '`npm run reset`, then `npm start`.');
  const { token_type, expires_in, scope, access_token } = await fetchToken(authUrl, client);
  say(`A token of ${name}`, `${token_type}, for ${expires_in} s, scope: ${scope}`);
  return { token: access_token, client };
}

async function tellStory(service: Service, folder: string): Promise<void> {
  const { apiUrl, plannerUrl } = service;
  const operator = await tokenOf(service, OPERATOR);
  const lines = values.lines?.split(',').map(Number);
  const timetable = new TimetableClient(apiUrl, operator.token);
  await tellTimetable({ timetable, plannerUrl, folder, ...(lines && { lines }) });
  const partner = await tokenOf(service, PARTNER);
  await tellSale({ apiUrl, token: partner.token, plannerUrl });
  const environment = eventEnvironment(z.enum(['development', 'staging', 'production']).parse(values.environment));
  await tellCustomer({ apiUrl, token: partner.token, environment }, partner.client.organisationId);
}

function adviceFor(error: unknown): string {
  if (error instanceof StoryError) return error.advice;
  if (!(error instanceof ApiError)) return 'Is the service running? Start it with `npm start`.';
  if (error.status === 401)
    return 'The clients of .local are not those of this service: start it again. If that does not help: `npm run reset`, then `npm start`.';
  return 'The service answered otherwise than its interface says; its log under .local tells more.';
}

const { values } = parseArgs({
  options: {
    local: { type: 'string', default: '.local' },
    environment: { type: 'string', default: 'development' },
    lines: { type: 'string' },
  },
});
const folder = await mkdtemp(join(tmpdir(), 'demo-story-'));
try {
  await tellStory(await findService(values.local), folder);
  console.log('\nAll as it should be.');
} catch (error) {
  console.error(`\nNot as it should be: ${error instanceof Error ? error.message : error}`);
  console.error(adviceFor(error));
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
