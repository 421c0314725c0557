/**
 * Clients of the authentication server from a shell, as `/admin/clients` has them over HTTP:
 *
 *     npm run -s client -- create --name NAME --organisation ID --scopes 'a b' [--codespaces abc,def] [--operator] [--with-token]
 *     npm run -s client -- list
 *     npm run -s client -- rotate CLIENT_ID        # a second secret; the old one stays valid for SECRET_OVERLAP_SECONDS
 *     npm run -s client -- disable CLIENT_ID
 *     npm run -s client -- trust CLIENT_ID         # accepts the rights of a client that this service did not write, with a new secret
 *
 * Works on the database that MONGODB_URI, CLIENT_SECRET_KEY and AUDIT_KEYS name, else on the running local stack;
 * `--local DIR` for one that keeps its state elsewhere. Prints JSON, and a new secret only this once. `--operator` says
 * that the organisation is the operator's own: only its clients may administer. The first client of an installation,
 * which HTTP cannot make, gets the scope `clients:write` and nothing else. With its access token in TOKEN, `create
 * --with-token` makes the others over HTTP (AUTH_ADMIN_URL), so the server checks and logs who made them.
 */
import { z } from 'zod';
import { AuditLog } from '../activities/audit/audit-log.ts';
import { findForbiddenScopes, SCOPES } from '../activities/auth/client-scopes.ts';
import { ClientStore } from '../activities/auth/client-store.ts';
import type { ClientDetails, NewClient } from '../activities/auth/client-types.ts';
import { auditShape } from '../activities/shared/audit.ts';
import { parseConfig } from '../platform/config.ts';
import { createLog, redactText } from '../platform/log.ts';
import { connectMongo } from '../platform/mongo/mongo.ts';

import { type RecordClient, recordClientIn } from './audited-command.ts';

import { type Administration, createOverHttp } from './client-over-http.ts';

import { describeMissing, findInstallation } from './installation.ts';
import { readArguments, UsageError } from './read-arguments.ts';

const USAGE = `npm run -s client -- create --name NAME --organisation ID --scopes 'a b' [--codespaces abc,def] [--operator] [--with-token]
npm run -s client -- list
npm run -s client -- rotate CLIENT_ID
npm run -s client -- disable CLIENT_ID
npm run -s client -- trust CLIENT_ID`;
const NEEDED = ['MONGODB_URI', 'CLIENT_SECRET_KEY', 'AUDIT_KEYS'] as const;
const COMMANDS = ['create', 'list', 'rotate', 'disable', 'trust'];
const PER_PAGE = 100;
const DEFAULT_OVERLAP_SECONDS = '86400';

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
  'with-token': { type: 'boolean' },
  local: { type: 'string' },
} as const;

type Given = ReturnType<typeof readArguments<typeof options>>['values'];

function readNewClient({ organisation, operator = false, local: _, 'with-token': __, ...given }: Given): NewClient {
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

async function run(
  store: ClientStore,
  recorded: RecordClient,
  [command, clientId]: readonly string[],
  given: Given,
): Promise<object> {
  if (command === 'create') {
    const wanted = readNewClient(given);
    if (await isFirst(store)) refuseAllButAdministration(wanted);
    const make = async () => await store.create(wanted);
    const { client, secret } = await recorded('create', undefined, make, (made) => made.client.clientId);
    return { ...present(client), client_secret: secret };
  }
  if (command === 'list') return await listAll(store);
  if (clientId === undefined) throw new UsageError(USAGE);
  if (command === 'rotate') {
    const overlap = z.coerce.number().int().positive();
    const seconds = overlap.parse(process.env.SECRET_OVERLAP_SECONDS || DEFAULT_OVERLAP_SECONDS);
    const add = async () => await store.addSecret(clientId, seconds);
    const { secretId, secret } = await recorded('add-secret', clientId, add);
    return { client_id: clientId, secretId, client_secret: secret };
  }
  if (command === 'disable') return present(await recorded('disable', clientId, () => store.disable(clientId)));
  if (command === 'trust') {
    const { client, secret } = await recorded('trust', clientId, async () => await store.trust(clientId));
    return { ...present(client), client_secret: secret };
  }
  throw new UsageError(USAGE);
}

async function isFirst(store: ClientStore): Promise<boolean> {
  return (await store.list(1, 1)).totalItems === 0;
}

/** A first client that could do everything would be used for everything, and for ever. */
function refuseAllButAdministration({ scopes, codespaces }: NewClient): void {
  if (scopes.join(' ') === 'clients:write' && codespaces.length === 0) return;
  throw new UsageError(
    'There is no client yet. The first one makes the others and may do nothing else: --scopes clients:write --operator, ' +
      'without --codespaces',
  );
}

async function listAll(store: ClientStore): Promise<readonly object[]> {
  const found: object[] = [];
  for (let page = 1; ; page += 1) {
    const { items } = await store.list(page, PER_PAGE);
    found.push(...items.map(present));
    if (items.length < PER_PAGE) return found;
  }
}

function present({ clientId, jwks, disabledAt, isTrusted, ...shown }: ClientDetails): object {
  return { client_id: clientId, ...shown, trusted: isTrusted, keys: jwks.length, ...(disabledAt && { disabledAt }) };
}

async function perform(): Promise<unknown> {
  const { values, positionals } = readArguments(options);
  const [command, , ...more] = positionals;
  if (more.length > 0 || !COMMANDS.includes(command ?? '')) throw new UsageError(USAGE);
  if (command === 'create' && values['with-token']) {
    return await createOverHttp(findAdministration(values.local), readNewClient(values));
  }
  const installation = findInstallation(NEEDED, values.local);
  if (!installation) throw new UsageError(describeMissing(NEEDED));
  const key = Buffer.from(installation.CLIENT_SECRET_KEY, 'base64');
  if (key.length !== 32) throw new UsageError('CLIENT_SECRET_KEY must be 32 bytes in base64');
  const { AUDIT_KEYS: auditKeys } = parseConfig(auditShape, installation);
  const connection = await connectMongo(installation.MONGODB_URI);
  try {
    // The output is JSON for the caller; the head of the audit log reaches the log output of the processes.
    const destination = { write: (line: string) => void process.stderr.write(line) };
    const log = createLog({ level: 'error', name: 'client', destination });
    const auditLog = new AuditLog({ connection, keys: auditKeys, log });
    return await run(new ClientStore(connection, key), recordClientIn(auditLog), positionals, values);
  } finally {
    await connection.close();
  }
}

function findAdministration(local: string | undefined): Administration {
  const url = findInstallation(['AUTH_ADMIN_URL'], local)?.AUTH_ADMIN_URL;
  if (url === undefined) throw new UsageError(describeMissing(['AUTH_ADMIN_URL']));
  const token = process.env.TOKEN;
  if (!token) throw new UsageError('Set TOKEN to an access token of a client with the scope clients:write');
  return { url, token };
}

try {
  console.log(JSON.stringify(await perform(), null, 2));
} catch (error) {
  console.error(redactText(error instanceof Error ? error.message : String(error)));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
