/**
 * Clients of the authentication server from a shell, as `/admin/clients` has them over HTTP:
 *
 *     npm run -s client -- create --name NAME --organisation ID --scopes 'a b' [--codespaces abc,def] [--operator]
 *     npm run -s client -- list
 *     npm run -s client -- rotate CLIENT_ID        # a second secret; the old one stays valid for SECRET_OVERLAP_SECONDS
 *     npm run -s client -- disable CLIENT_ID
 *
 * Works on the database that MONGODB_URI and CLIENT_SECRET_KEY name, else on the running local stack; `--local DIR` for one that keeps its
 * state elsewhere. Prints JSON, and a new secret only this once. `--operator` says that the organisation is the operator's own: only its
 * clients may administer. Makes the first client of a new environment, which HTTP cannot.
 */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { findForbiddenScopes, SCOPES } from '../activities/auth/client-scopes.ts';
import { ClientStore } from '../activities/auth/client-store.ts';
import type { ClientDetails, NewClient } from '../activities/auth/client-types.ts';
import { redactText } from '../platform/log.ts';
import { connectMongo } from '../platform/mongo/mongo.ts';
import { describeMissing, findInstallation } from './installation.ts';

const USAGE = `npm run -s client -- create --name NAME --organisation ID --scopes 'a b' [--codespaces abc,def] [--operator]
npm run -s client -- list
npm run -s client -- rotate CLIENT_ID
npm run -s client -- disable CLIENT_ID`;
const NEEDED = ['MONGODB_URI', 'CLIENT_SECRET_KEY'] as const;
const PER_PAGE = 100;
const DEFAULT_OVERLAP_SECONDS = '86400';

class UsageError extends Error {}

const words = (separator: RegExp) => (text: string) => text.split(separator).filter((word) => word !== '');
const newClient = z.object({
  name: z.string().min(1).max(200),
  organisationId: z.coerce.number().int().min(1),
  codespaces: z
    .string()
    .default('')
    .transform(words(/[ ,]+/))
    .pipe(z.array(z.string().regex(/^(\*|[a-z]{3})$/, 'must be three lower-case letters or *')).max(200)),
  scopes: z
    .string()
    .transform(words(/[ ,]+/))
    .pipe(z.array(z.enum(SCOPES as [string, ...string[]])).min(1)),
});

const options = {
  name: { type: 'string' },
  organisation: { type: 'string' },
  scopes: { type: 'string' },
  codespaces: { type: 'string' },
  operator: { type: 'boolean' },
  local: { type: 'string' },
} as const;

function readArguments() {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

type Given = ReturnType<typeof readArguments>['values'];

function readNewClient({ organisation, operator = false, local: _, ...given }: Given): NewClient {
  const { success, data, error } = newClient.safeParse({ ...given, organisationId: organisation });
  if (!success) {
    const problems = error.issues.map(({ path: [member = ''], message }) => `${String(member)}: ${message}`);
    throw new UsageError(problems.join('\n').replaceAll('organisationId', 'organisation'));
  }
  const forbidden = operator ? [] : findForbiddenScopes(data.scopes);
  const reasons = forbidden.map(({ index, reason }) => `${data.scopes[index]}: ${reason}`);
  if (reasons.length > 0)
    throw new UsageError(`${reasons.join('\n')}\n--operator says that the organisation is the operator's`);
  return data;
}

async function run(store: ClientStore, command: string | undefined, clientId: string | undefined, given: Given) {
  if (command === 'create') {
    const { client, secret } = await store.create(readNewClient(given));
    return { ...present(client), client_secret: secret };
  }
  if (command === 'list') return await listAll(store);
  if (clientId === undefined) throw new UsageError(USAGE);
  if (command === 'rotate') {
    const overlap = z.coerce.number().int().positive();
    const seconds = overlap.parse(process.env.SECRET_OVERLAP_SECONDS || DEFAULT_OVERLAP_SECONDS);
    const { secretId, secret } = await store.addSecret(clientId, seconds);
    return { client_id: clientId, secretId, client_secret: secret };
  }
  if (command === 'disable') return present(await store.disable(clientId));
  throw new UsageError(USAGE);
}

async function listAll(store: ClientStore): Promise<readonly object[]> {
  const found: object[] = [];
  for (let page = 1; ; page += 1) {
    const { items } = await store.list(page, PER_PAGE);
    found.push(...items.map(present));
    if (items.length < PER_PAGE) return found;
  }
}

function present({ clientId, jwks, disabledAt, ...shown }: ClientDetails): object {
  return { client_id: clientId, ...shown, keys: jwks.length, ...(disabledAt && { disabledAt }) };
}

try {
  const { values, positionals } = readArguments();
  const [command, clientId, ...more] = positionals;
  if (more.length > 0 || !['create', 'list', 'rotate', 'disable'].includes(command ?? '')) throw new UsageError(USAGE);
  const installation = findInstallation(NEEDED, values.local);
  if (!installation) throw new UsageError(describeMissing(NEEDED));
  const key = Buffer.from(installation.CLIENT_SECRET_KEY, 'base64');
  if (key.length !== 32) throw new UsageError('CLIENT_SECRET_KEY must be 32 bytes in base64');
  const connection = await connectMongo(installation.MONGODB_URI);
  try {
    console.log(JSON.stringify(await run(new ClientStore(connection, key), command, clientId, values), null, 2));
  } finally {
    await connection.close();
  }
} catch (error) {
  console.error(redactText(error instanceof Error ? error.message : String(error)));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
