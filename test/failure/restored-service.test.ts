/**
 * Restores the service after the loss of database, objects and Temporal. Only a back-up, the customers' keys and the
 * configuration remain. The service must serve the same datasets, accept the same secrets but no earlier token, and
 * know the same customers. Those erased since the back-up must be gone.
 */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findCustomerSecrets } from '../../activities/customers/customer-config.ts';
import { ImportStore } from '../../activities/timetable/import-store.ts';
import { ReceiptStore } from '../../activities/timetable/receipt-store.ts';
import { type ClientCredentials, fetchToken, TimetableClient } from '../../dev/demo/api-client.ts';
import { backUp } from '../../ops/backup/back-up.ts';
import { BackupFolder } from '../../ops/backup/backup-folder.ts';
import type { Places } from '../../ops/backup/place-types.ts';
import { findAuditKeys } from '../../ops/backup/places.ts';
import { restore } from '../../ops/backup/restore.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { Codespace } from '../../workflows/shared/ids.ts';
import { newBackupKeys } from '../support/backup-keys.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { publishArchive } from '../support/publish-archive.ts';
import { Service } from '../support/service.ts';
import { useMongo } from '../support/stack.ts';
import { until } from '../support/until.ts';

const SCOPES = ['profiles:read', 'profiles:write', 'events:read'];
const PROCESSES = ['timetableWorker', 'salesCustomersWorker', 'eventsWorker'] as const;
const PARTS = ['auth', 'api', ...PROCESSES] as const;
/** Large enough for an upload of several parts. */
const ARCHIVE_BYTES = 6 * 1024 * 1024;
const TEMPORARY = '/customers/v2/profiles/temporary';
const DAY_MS = 86_400_000;
const newKey = () => randomBytes(32).toString('base64');
const SECRETS = { CUSTOMER_MASTER_KEYS: `t:${newKey()}`, CUSTOMER_SEARCH_KEY: newKey() };
const NO_OPTIONS = { replace: false, eraseKeyless: false };
const silent = () => undefined;

describe('a restored service', function () {
  this.timeout(900_000);
  let service: Service;
  let places: Places;
  let partner: ClientCredentials;
  /** Issued before the disaster, and used after it. */
  let [token, uploadToken, earlierToken] = ['', '', ''];
  const folder = new BackupFolder(join(temporaryDirectory('restored'), 'data'), newBackupKeys());
  const customers = { kept: '', erased: '', temporary: '' };
  let known: { profile: unknown; dataset: unknown; lastOffset: number };
  let unfinished = '';

  async function call(method: string, path: string, body?: object, type = 'application/json') {
    return await fetch(`${service.apiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  async function create(path: string, more: object = {}): Promise<string> {
    const by = { createdBy: 'test', createdByChannel: 'test' };
    const person = { firstName: 'Kari', surname: 'Nordmann', email: `${randomUUID()}@example.org`, organisationId: 1 };
    const answer = await call('POST', path, { ...person, ...by, ...more });
    assert.equal(answer.status, 201, await answer.clone().text());
    return ((await answer.json()) as { customerNumber: string }).customerNumber;
  }

  const read = async (customerNumber: string) => await call('GET', `/customers/v2/profiles/${customerNumber}`);
  const timetable = () => new TimetableClient(service.apiUrl, uploadToken);

  interface Page {
    readonly events: readonly { readonly type: string; readonly subject: string; readonly offset?: number }[];
    readonly nextOffset: number;
  }
  const events = async (after: number | 'latest') =>
    (await (await call('GET', `/v1/events/customer-changed-dev?after=${after}`)).json()) as Page;

  const keysOf = async (customerNumber: string) => {
    const connection = await connectMongo(places.customerKeysUri ?? '');
    const found = await connection.collection('subject_keys').countDocuments({ subject: `customer/${customerNumber}` });
    await connection.close();
    return found;
  };

  before(async () => {
    const keysUri = (await useMongo()).uri(`restored-keys-${randomUUID().slice(0, 8)}`);
    // The keys are outside the lost database.
    service = await Service.start({
      timetable: false,
      processes: PROCESSES,
      env: { ...SECRETS, CUSTOMER_KEYS_MONGODB_URI: keysUri },
    });
    const { mongoUri: mongodbUri, objectStore } = service;
    places = {
      mongodbUri,
      objectStore: objectStore as unknown as Places['objectStore'],
      customerKeysUri: keysUri,
      customerSecrets: findCustomerSecrets(SECRETS),
      auditKeys: findAuditKeys({ AUDIT_KEYS: service.auditKeys }),
    };
    partner = await service.clientWith(SCOPES);
    token = (await fetchToken(service.authUrl, partner)).access_token;
    uploadToken = (await fetchToken(service.authUrl, await service.credentials())).access_token;
    await publishAndLeaveOneUnfinished();
    customers.kept = await create('/customers/v2/profiles/');
    customers.erased = await create('/customers/v2/profiles/');
    customers.temporary = await create(TEMPORARY, { expirationDate: new Date(Date.now() + DAY_MS).toISOString() });
    known = {
      profile: await (await read(customers.kept)).json(),
      dataset: await timetable().download('dem', 'latest'),
      lastOffset: (await events('latest')).nextOffset,
    };
    await backUp(places, 'data', folder, silent);
    assert.equal((await timetable().status('dem', unfinished)).state, 'IN_PROGRESS', 'the worker is away');
    await eraseAndLoseAll();
  });
  after(() => service?.stop());

  async function publishAndLeaveOneUnfinished(): Promise<void> {
    const rest = { allowedXmlns: ['NSR', 'PEN'], profile: 'timetable', ownerOrganisationId: 1 };
    await timetable().putCodespace('dem', { name: 'Demo', xmlns: 'DEM', ...rest });
    const [connection, objects] = [await connectMongo(service.mongoUri), ObjectStore.connect(places.objectStore)];
    const imports = new ImportStore(connection, { environment: 'dev' });
    const stores = { imports, receipts: new ReceiptStore(connection), objects };
    await publishArchive(stores, { codespace: 'dem' as Codespace, bytes: randomBytes(ARCHIVE_BYTES) });
    objects.close();
    await connection.close();
    // The workflow starts while the worker is away, and is lost with Temporal.
    await service.kill('timetableWorker');
    const file = join(temporaryDirectory('restored'), 'a.zip');
    await writeFile(file, 'no archive at all');
    unfinished = await timetable().upload('dem', file);
  }

  async function eraseAndLoseAll(): Promise<void> {
    assert.equal((await call('DELETE', `/customers/v2/profiles/${customers.erased}`)).status, 202);
    await until(async () => (await keysOf(customers.erased)) === 0, {
      timeoutMs: 60_000,
      everyMs: 100,
      what: 'the erasure',
    });
    for (const part of PARTS) await service.kill(part);
    for (const server of ['mongod', 'minio', 'temporal'] as const) {
      await service.lose(server);
      await service.restart(server);
    }
  }

  it('refuses to be restored without the customers’ keys', async () => {
    const customerKeysUri = (await useMongo()).uri(`no-keys-${randomUUID().slice(0, 8)}`);
    const restoring = restore({ ...places, customerKeysUri }, 'data', folder, NO_OPTIONS, silent);
    await assert.rejects(restoring, /Nothing was changed: 3 of 3 customers have no key/);
  });

  it('serves the same datasets, and ends the imports begun before', async () => {
    await restore(places, 'data', folder, NO_OPTIONS, silent);
    for (const part of PARTS) await service.restart(part);
    earlierToken = token;
    token = (await fetchToken(service.authUrl, partner)).access_token;
    uploadToken = (await fetchToken(service.authUrl, await service.credentials())).access_token;
    assert.deepEqual(await timetable().download('dem', 'latest'), known.dataset);
    const state = async () => (await timetable().status('dem', unfinished)).state;
    // Temporal has lost the workflow; the sweep starts it again a minute after its last step.
    await until(async () => (await state()) === 'FAILED', {
      timeoutMs: 240_000,
      everyMs: 250,
      what: 'the import that was begun',
    });
    const [, refused] = await timetable().events('dem', unfinished);
    assert.equal(refused?.errorCode, 'ERROR_FILE_NOT_A_ZIP_FILE');
  });

  it('accepts the secrets issued before, and no token issued before', async () => {
    assert.equal((await read(customers.kept)).status, 200);
    token = earlierToken;
    assert.equal((await read(customers.kept)).status, 401);
    token = (await fetchToken(service.authUrl, partner)).access_token;
  });

  it('knows the customers of the back-up', async () => {
    assert.deepEqual(await (await read(customers.kept)).json(), known.profile);
    const found = await (await call('GET', '/customers/v2/profiles-search?surname=nordmann')).json();
    assert.deepEqual((found as { items: unknown[] }).items, [known.profile]);
  });

  it('has no customer erased since the back-up, and writes the event of the erasure', async () => {
    assert.equal((await read(customers.erased)).status, 404);
    const isReported = async () =>
      (await events(known.lastOffset)).events.some(
        ({ type, subject }) => type.endsWith('CustomerErased.v1') && subject === customers.erased,
      );
    await until(isReported, { timeoutMs: 90_000, everyMs: 250, what: 'the event of the erasure' });
  });

  it('lets profiles expire whose workflows were lost with Temporal', async () => {
    const soon = new Date(Date.now() + 1_000).toISOString();
    const change = { expirationDate: soon, changedBy: 'test', changedByChannel: 'test' };
    const path = `${TEMPORARY}/${customers.temporary}`;
    const answer = await call('PATCH', path, change, 'application/merge-patch+json');
    assert.equal(answer.status, 200, await answer.text());
    await until(async () => (await keysOf(customers.temporary)) === 0, {
      timeoutMs: 60_000,
      everyMs: 100,
      what: 'the expiry',
    });
    assert.equal((await call('GET', path)).status, 404);
  });
});
