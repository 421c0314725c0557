/**
 * Tests the catalogue over HTTP: partners read it, the operator replaces it, and the first start loads it from a file.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import type { CatalogueStore } from '../../../activities/catalogue/catalogue-store.ts';
import { type AuditedAction, type AuditTrail, NO_AUDIT } from '../../../activities/shared/audit.ts';
import type { CatalogueContent } from '../../../activities/shared/catalogue.ts';
import { loadCatalogue, readCatalogue } from '../../../api/catalogue/load-catalogue.ts';
import { createApp } from '../../../api/shared/app.ts';
import { type RunningServer, serve } from '../../../api/shared/serve.ts';
import { demoCatalogueFile } from '../../../dev/demo/catalogue/catalogue-file.ts';
import { catalogue, channel, ONE, openCatalogue } from '../../activities/catalogue/support.ts';
import { sampleCatalogue } from '../../spec/support/catalogue-case.ts';
import { temporaryDirectory } from '../../support/folders.ts';
import { catalogueArea } from '../support/catalogue-area.ts';
import { keyedRequests } from '../support/keyed-requests.ts';
import { readPlainToken, silentLog } from '../support/parcels.ts';

const PARTNER = { authorization: 'Bearer partner/1/offers:search' };
const OPERATOR = { authorization: 'Bearer operator/1000/offers:search,catalogue:write' };
const DEMO = demoCatalogueFile();

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown> & { readonly errors?: readonly { readonly pointer: string }[] };
}

describe('the catalogue over HTTP', () => {
  let connection: Connection;
  let store: CatalogueStore;
  let server: RunningServer;
  beforeEach(async () => {
    ({ connection, store } = await openCatalogue());
    const { area, findChannel } = catalogueArea(connection, store);
    const app = createApp({
      areas: [area],
      log: silentLog,
      verifyToken: readPlainToken,
      findChannel,
      idempotency: keyedRequests(connection),
    });
    server = await serve(app, { host: '127.0.0.1', port: 0, graceMs: 1_000 });
  });
  afterEach(async () => {
    await server.close();
    await connection.dropDatabase();
    await connection.close();
  });

  const answerOf = async (response: Response): Promise<Answer> => ({
    status: response.status,
    body: (await response.json()) as Answer['body'],
  });
  const get = async (query = '', headers: Record<string, string> = PARTNER) =>
    await answerOf(await fetch(`${server.url}/v1/catalogue${query}`, { headers }));
  const put = async (content: unknown, headers: Record<string, string> = OPERATOR) =>
    await answerOf(
      await fetch(`${server.url}/v1/catalogue`, {
        method: 'PUT',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(content),
      }),
    );

  it('returns what was put, with its version', async () => {
    assert.deepEqual(await put(catalogue()), { status: 200, body: { version: 1 } });
    assert.deepEqual(await get(), { status: 200, body: { version: 1, ...catalogue() } });
  });

  it('says what receipts tell of a seller, and refuses what they cannot print', async () => {
    const seller = {
      legalName: 'One AS',
      vatNumber: '915 123 456 MVA',
      address: ['Strandgata 7'],
      contact: 'x@one.example',
    };
    const [one, ...others] = catalogue().organisations;
    const withSeller = (facts: object) => ({ ...catalogue(), organisations: [{ ...one, seller: facts }, ...others] });
    assert.equal((await put(withSeller(seller))).status, 200);
    assert.deepEqual((await get()).body, { version: 1, ...withSeller(seller) });
    for (const wrong of [{ address: 'Strandgata 7' }, { legalName: '' }, { colour: 'red' }])
      assert.equal((await put(withSeller(wrong))).status, 400, JSON.stringify(wrong));
    assert.equal((await put(withSeller({}))).status, 200);
  });

  it('returns fares, rules and seat plans as they were put', async () => {
    assert.deepEqual((await put(sampleCatalogue())).body, { version: 1 });
    assert.deepEqual((await get()).body, { version: 1, ...sampleCatalogue() });
  });

  it('returns lists that were left out, and amounts with their decimals', async () => {
    const { organisations, distributionChannels, consentDefinitions } = catalogue();
    await put({ organisations, distributionChannels, consentDefinitions });
    assert.deepEqual((await get()).body, { version: 1, ...catalogue() });
    const { prices = [], ...others } = sampleCatalogue();
    const last = { productId: 'dog', basis: { kind: 'FLAT', amount: '22' } };
    await put({ ...others, prices: [...prices.slice(0, -1), last] });
    assert.deepEqual((await get()).body, { version: 2, ...sampleCatalogue() });
  });

  it('takes the seats of a whole railway, and no body beyond its limit', async () => {
    const seat = { seatNumber: '1', seatingProperties: { fareClass: 'STANDARD', accommodationFacility: 'SEATING' } };
    const carriages = Array.from({ length: 12 }, (_, index) => ({
      carriageNumber: String(index + 1),
      seats: Array.from({ length: 60 }, (_, number) => ({
        ...seat,
        seatNumber: String(number + 1),
        seatingProperties: { ...seat.seatingProperties, position: 'WINDOW', facilities: ['POWER_SOCKET', 'TABLE'] },
      })),
    }));
    const plansOf = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ id: `plan-${index}`, carriages }));
    assert.deepEqual(await put({ ...catalogue(), seatPlans: plansOf(45) }), { status: 200, body: { version: 1 } });
    assert.equal((await store.current()).content.seatPlans.length, 45);
    assert.equal((await put({ ...catalogue(), seatPlans: plansOf(75) })).status, 413);
  }).timeout(60_000);

  it('refuses a product, an area or a price of an unknown kind', async () => {
    const { fareProducts = [], prices = [] } = sampleCatalogue();
    for (const [changes, pointer] of [
      [{ fareProducts: [{ ...fareProducts[0], kind: 'PASS' }] }, '/fareProducts/0/kind'],
      [{ fareProducts: [{ ...fareProducts[0], area: { kind: 'SEA' } }] }, '/fareProducts/0/area/kind'],
      [{ prices: [{ ...prices[0], basis: { amount: '1.00' } }] }, '/prices/0/basis/kind'],
      [{ fareProducts: [{ ...fareProducts[5], transferable: true }] }, '/fareProducts/0/transferable'],
    ] as const) {
      const { status, body } = await put({ ...sampleCatalogue(), ...changes });
      assert.deepEqual([status, body.errors?.map((each) => each.pointer)], [400, [pointer]]);
    }
  });

  it('lists the payment methods of a channel', async () => {
    await put(sampleCatalogue());
    const url = `${server.url}/v1/payment-methods`;
    const list = async (channelId: string) =>
      await fetch(url, { headers: { ...PARTNER, 'service-distribution-channel': channelId } });
    const id = 'SVC:DistributionChannel:Web';
    const visa = {
      paymentMethodId: 1,
      paymentTypeGroup: 'PAYMENTCARD',
      paymentType: 'VISA',
      name: 'Visa',
      active: true,
    };
    const invoice = { paymentMethodId: 2, paymentTypeGroup: 'INVOICE', paymentType: 'INVOICE', name: 'Invoice' };
    assert.deepEqual(await (await list(id)).json(), [
      { ...visa, distributionChannelId: id },
      { ...invoice, active: false, distributionChannelId: id },
    ]);
    const { distributionChannels, ...others } = sampleCatalogue();
    const moved = distributionChannels.map((each) => ({
      ...each,
      paymentMethods: each.paymentMethods.map((method) => ({ ...method, provider: 'STRIPE' })),
    }));
    await put({ ...others, distributionChannels: moved });
    const [unpayable] = (await (await list(id)).json()) as readonly { readonly active: boolean }[];
    assert.deepEqual(unpayable, { ...visa, active: false, distributionChannelId: id }, 'no such provider is set up');
    assert.deepEqual(await (await list('SVC:DistributionChannel:App')).json(), []);
    const refused = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code];
    assert.deepEqual(await refused(await fetch(url, { headers: PARTNER })), [400, 'MISSING_HEADER']);
    assert.deepEqual(await refused(await list('App')), [400, 'UNKNOWN_DISTRIBUTION_CHANNEL']);
    assert.deepEqual(await refused(await fetch(url)), [401, 'MISSING_TOKEN']);
  });

  it('takes an answer back, and no catalogue over one that the caller has not seen', async () => {
    const url = `${server.url}/v1/catalogue`;
    const send = async (content: unknown, etag: string) =>
      await fetch(url, {
        method: 'PUT',
        headers: { ...OPERATOR, 'content-type': 'application/json', 'if-match': etag },
        body: JSON.stringify(content),
      });
    assert.equal((await send(catalogue(), '"0"')).headers.get('etag'), '"1"');
    const read = await fetch(url, { headers: PARTNER });
    const [etag, content] = [read.headers.get('etag') ?? '', (await read.json()) as object];
    assert.equal(etag, '"1"');
    const same = await send(content, etag);
    assert.deepEqual([same.status, await same.json()], [200, { version: 1 }]);
    const changed = { ...content, distributionChannels: [] };
    assert.equal((await send(changed, etag)).headers.get('etag'), '"2"');
    assert.equal((await send(changed, etag)).status, 200, 'it is there already');
    const late = await send(content, etag);
    const { code, detail } = (await late.json()) as { code: string; detail: string };
    assert.deepEqual([late.status, code], [412, 'REVISION_CONFLICT']);
    assert.match(detail, /its ETag is "2" now/);
    assert.deepEqual((await get()).body, { version: 2, ...catalogue({ distributionChannels: [] }) });
    const day = await fetch(`${url}?travelDate=2026-11-21`, { headers: PARTNER });
    assert.equal(day.headers.get('etag'), null, 'journeys change without the catalogue');
  });

  it('gives the same version to equal content, and another to different content', async () => {
    await put(catalogue());
    assert.deepEqual((await put(catalogue())).body, { version: 1 });
    assert.deepEqual((await put(catalogue({ distributionChannels: [] }))).body, { version: 2 });
  });

  it('is read with offers:search and written with catalogue:write', async () => {
    assert.equal((await get('', {})).status, 401);
    assert.equal((await get('', { authorization: 'Bearer a/1/catalogue:write' })).status, 403);
    assert.equal((await put(catalogue(), PARTNER)).status, 403);
    assert.equal((await get()).body.version, 0);
  });

  it('accepts a day of travel, and refuses an invalid one', async () => {
    assert.equal((await get('?travelDate=2026-11-21')).status, 200);
    for (const query of ['?travelDate=2026-02-30', '?travelDate=tomorrow', '?traveldate=2026-11-21']) {
      const { status, body } = await get(query);
      assert.deepEqual([status, body.code], [400, 'VALIDATION_FAILED']);
    }
  });

  it('refuses a wrong shape with 400', async () => {
    const wrong: Partial<Record<keyof CatalogueContent | string, unknown>>[] = [
      { organisations: [{ id: '1', name: 'One' }] },
      { organisations: undefined },
      { trams: [] },
      { distributionChannels: [channel({ id: 'PaymentPage' })] },
      { consentDefinitions: [{ consentCode: 'A', version: 0, terms: [] }] },
    ];
    for (const changes of wrong) {
      const { status, body } = await put({ ...catalogue(), ...changes });
      assert.deepEqual([status, body.code], [400, 'VALIDATION_FAILED'], JSON.stringify(changes));
    }
    assert.equal((await get()).body.version, 0);
  });

  it('names the first of very many faults, and that there are more', async () => {
    const wrong = catalogue({ organisations: Array.from({ length: 80 }, () => ({ id: ONE, name: 'One' })) });
    const { status, body } = await put({
      ...sampleCatalogue(),
      organisations: wrong.organisations,
    });
    assert.equal(status, 422);
    assert.equal(body.errors?.length, 50);
    assert.match(String(body.detail), /^\/organisations\/1\/id .*, and at least 49 more$/);
  });

  it('refuses wrong content with 422 and every fault, and changes nothing', async () => {
    await put(catalogue());
    const wrong = catalogue({ organisations: [] });
    const { status, body } = await put(wrong);
    assert.deepEqual([status, body.status, body.code], [422, 422, 'VALIDATION_FAILED']);
    assert.deepEqual(
      body.errors?.map(({ pointer }) => pointer),
      ['/distributionChannels/0/organisationIds/0', '/consentDefinitions/2/ownerOrganisationId'],
    );
    assert.deepEqual((await get()).body, { version: 1, ...catalogue() });
  });

  describe('from its file', () => {
    it('loads the demo catalogue, which has what its callers need', async () => {
      await loadCatalogue(store, DEMO, NO_AUDIT);
      const { distributionChannels, consentDefinitions, organisations } = (await store.current()).content;
      assert.deepEqual(
        organisations.map(({ id }) => id),
        [1, 2, 1000],
      );
      const page = distributionChannels.find(({ id }) => id === 'SVC:DistributionChannel:PaymentPage');
      assert.deepEqual(page?.organisationIds, [1, 2]);
      assert.deepEqual(page?.refundPaymentTypeGroups, ['PAYMENTCARD', 'MOBILE']);
      const ofOne = distributionChannels.filter((each) => each.organisationIds.some((id) => Number(id) === 1));
      assert.ok(ofOne.length < distributionChannels.length);
      assert.ok(ofOne.some((each) => each.refundPaymentTypeGroups.length === 0));
      const groups = ofOne.map((each) => each.refundPaymentTypeGroups);
      assert.ok(groups.some((each) => each.length > 0 && !each.includes('PAYMENTCARD')));
      assert.ok(new Set(consentDefinitions.map(({ consentCode }) => consentCode)).size >= 3);
    });

    it('is recorded in the audit log before it is stored, and once', async () => {
      const recorded: AuditedAction[] = [];
      const trail: AuditTrail = {
        record: async (action, act) => {
          recorded.push(action);
          return await act();
        },
      };
      const away: AuditTrail = {
        record: async () => {
          throw new Error('the audit log is away');
        },
      };
      await assert.rejects(loadCatalogue(store, DEMO, away), /audit log/);
      assert.equal((await store.current()).version, 0);
      for (const _ of [1, 2]) await loadCatalogue(store, DEMO, trail);
      assert.equal((await store.current()).version, 1);
      const actor = { kind: 'PROCESS', id: 'api' };
      assert.deepEqual(recorded, [{ action: 'catalogue.load', actor, resource: { type: 'catalogue' } }]);
    });

    it('keeps an existing catalogue', async () => {
      await put(catalogue());
      await loadCatalogue(store, DEMO, NO_AUDIT);
      assert.deepEqual((await get()).body, { version: 1, ...catalogue() });
    });

    it('stops the process with one sentence when it is invalid', () => {
      const file = join(temporaryDirectory('catalogue'), 'catalogue.json');
      assert.throws(() => readCatalogue(file), /CATALOGUE_FILE: .* cannot be read/);
      writeFileSync(file, '{');
      assert.throws(() => readCatalogue(file), /cannot be read/);
      writeFileSync(file, JSON.stringify({ organisations: [] }));
      assert.throws(() => readCatalogue(file), /no catalogue: \/distributionChannels is required/);
      writeFileSync(file, JSON.stringify(catalogue({ organisations: [] })));
      assert.throws(() => readCatalogue(file), /no catalogue: \/distributionChannels\/0\/organisationIds\/0/);
    });
  });
});
