/** Tests fares as other areas read them: the version in force, whichever process stored it, made once for each version. */
import assert from 'node:assert/strict';
import type { Connection } from 'mongoose';
import { contentOf } from '../../../activities/catalogue/catalogue-content.ts';
import { CatalogueFares, faresOf } from '../../../activities/catalogue/catalogue-fares.ts';
import { CatalogueStore } from '../../../activities/catalogue/catalogue-store.ts';
import { trainOf } from '../../../activities/shared/fares.ts';
import { sampleCatalogue } from '../../spec/support/catalogue-case.ts';
import { catalogue, channel, given, ONE, openCatalogue, PAGE, TWO } from './support.ts';

describe('The fares of the catalogue', () => {
  let connection: Connection;
  let store: CatalogueStore;
  let fares: CatalogueFares;
  beforeEach(async () => {
    ({ connection, store } = await openCatalogue());
    fares = new CatalogueFares(store);
  });
  afterEach(async () => {
    await connection.dropDatabase();
    await connection.close();
  });

  it('are none before the first catalogue, and of one without fares', async () => {
    const none = await fares.current();
    assert.deepEqual([none.catalogueVersion, none.timeZone, none.products.size], [0, 'Europe/Oslo', 0]);
    await store.replace(contentOf(given()));
    const small = await fares.current();
    assert.deepEqual([small.catalogueVersion, small.prices.size, small.trains.byLine.size], [1, 0, 0]);
  });

  it('hold integers, and every default', async () => {
    await store.replace(contentOf(sampleCatalogue()));
    const { products, prices, refundRuleSets, changeRuleSets, seatPlans, userTypes } = await fares.current();
    assert.deepEqual(products.get('dog')?.tax, { code: 'VAT_HIGH', basisPoints: 2500 });
    assert.deepEqual(prices.get('zone-ticket'), [
      {
        productId: 'zone-ticket',
        basis: {
          kind: 'ZONES',
          steps: [
            { zones: 1, amountMinor: 4400 },
            { zones: 2, amountMinor: 6650 },
          ],
        },
      },
      {
        productId: 'zone-ticket',
        userTypeId: 'CHILD',
        basis: { kind: 'ZONES', steps: [{ zones: 1, amountMinor: 2200 }] },
      },
    ]);
    const distance = {
      kind: 'DISTANCE',
      baseMinor: 4000,
      perKilometreMinor: 135,
      minimumMinor: 9900,
      roundToMinor: 100,
    };
    assert.deepEqual(prices.get('express')?.[0]?.basis, distance);
    assert.deepEqual(
      refundRuleSets.get('fee')?.rules.map(({ feeAmountMinor }) => feeAmountMinor),
      [0, 5000],
    );
    assert.deepEqual(changeRuleSets.get('none'), { id: 'none', currency: 'NOK', rules: [] });
    assert.equal(seatPlans.get('coach')?.carriages[1]?.seats[0]?.properties.accommodationFacility, 'SLEEPER');
    assert.equal(userTypes.length, 3);
  });

  it('fill in what a caller leaves out', async () => {
    const { fareProducts = [], seatPlans = [], ...others } = sampleCatalogue();
    const [zone] = fareProducts;
    assert.ok(zone?.kind === 'PREASSIGNED');
    const { latestStartDays, requiredEntitlements, compulsorySupplements, optionalSupplements, currency, ...bare } =
      zone;
    const content = contentOf({ ...others, seatPlans, fareProducts: [bare, ...fareProducts.slice(1)] });
    const lists = { requiredEntitlements: [], compulsorySupplements: [], optionalSupplements: [] };
    const tax = { code: 'VAT_LOW', basisPoints: 1200 };
    const { modifiesSeating: _, ...fare } = bare;
    assert.deepEqual(content.fareProducts[0], { ...fare, tax, currency: 'NOK', latestStartDays: 30, ...lists });
  });

  it('give payment methods a provider by their group', () => {
    const [visa] = channel().paymentMethods;
    assert.ok(visa);
    const { provider, ...bare } = visa;
    const methods = [bare, { ...bare, paymentMethodId: 2, paymentTypeGroup: 'CASH' }];
    const { distributionChannels } = contentOf(
      given({ distributionChannels: [{ ...channel(), paymentMethods: methods }] }),
    );
    assert.deepEqual(
      distributionChannels[0]?.paymentMethods.map((each) => each.provider),
      ['DEFAULT', 'BOOK'],
    );
  });

  it('are made once for each version', async () => {
    await store.replace(contentOf(sampleCatalogue()));
    const first = await fares.current();
    assert.equal(await fares.current(), first);
    await new CatalogueStore(connection).replace(contentOf({ ...sampleCatalogue(), timeZone: 'Europe/Stockholm' }));
    const second = await fares.current();
    assert.deepEqual(
      [first.timeZone, second.timeZone, second.catalogueVersion],
      ['Europe/Oslo', 'Europe/Stockholm', 2],
    );
  });

  it('of catalogues stored before there were fares are empty', async () => {
    const { organisations, consentDefinitions } = catalogue();
    const { currency, ...old } = channel({ paymentMethods: [] });
    const content = { organisations, distributionChannels: [old], consentDefinitions };
    await connection
      .collection<{ _id: string; version: number; content: unknown }>('catalogue')
      .insertOne({ _id: 'current', version: 4, content });
    assert.equal((await fares.current()).products.size, 0);
    assert.deepEqual(await store.findChannel(PAGE), channel({ paymentMethods: [] }));
  });

  it('name the train of a journey by its most specific entry', async () => {
    await store.replace(contentOf(sampleCatalogue()));
    const read = await fares.current();
    const train = (serviceJourneyId: string, day: string, lineId: string) =>
      trainOf(read, { serviceJourneyId, datedServiceJourneyId: `${serviceJourneyId}@${day}`, lineId })?.id;
    assert.equal(train('TST:ServiceJourney:1', '2026-11-23', 'TST:Line:1'), 'day');
    assert.equal(train('TST:ServiceJourney:1', '2026-11-24', 'TST:Line:1'), 'journey');
    assert.equal(train('TST:ServiceJourney:2', '2026-11-23', 'TST:Line:1'), 'line');
    assert.equal(train('TST:ServiceJourney:2', '2026-11-23', 'TST:Line:2'), undefined);
  });

  it('find the train of a journey without a look at all trains', () => {
    let looks = 0;
    const trains = Array.from({ length: 50 }, (_, at) => ({
      ...{ id: `train ${at}`, seatPlanId: 'coach', seatReservation: 'OPTIONAL' as const },
      get lineIds() {
        looks += 1;
        return [`TST:Line:${at}`];
      },
    }));
    const made = faresOf(1, catalogue({ trains }));
    looks = 0;
    const journey = { serviceJourneyId: 'TST:ServiceJourney:1', datedServiceJourneyId: 'TST:DatedServiceJourney:1' };
    assert.equal(trainOf(made, { ...journey, lineId: 'TST:Line:49' })?.id, 'train 49');
    assert.equal(trainOf(made, { ...journey, lineId: 'TST:Line:50' }), undefined);
    assert.equal(looks, 0);
  });
});

describe('The default channel of an organisation', () => {
  let connection: Connection;
  let store: CatalogueStore;
  before(async () => {
    ({ connection, store } = await openCatalogue());
    await store.replace(contentOf(sampleCatalogue()));
  });
  after(async () => {
    await connection.dropDatabase();
    await connection.close();
  });

  it('is the one it names, else the first that is granted to it', async () => {
    assert.equal((await store.findDefaultChannel(ONE))?.id, 'SVC:DistributionChannel:App');
    assert.equal((await store.findDefaultChannel(TWO))?.id, 'SVC:DistributionChannel:Web');
    assert.equal(await store.findDefaultChannel(3 as typeof ONE), undefined);
  });
});
