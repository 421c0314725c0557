/** What tickets show of lines and zones: the names that travellers know. */
import assert from 'node:assert/strict';
import { packOffers } from '../../../activities/offers/packed-search.ts';
import { TicketSheets } from '../../../activities/tickets/ticket-sheets.ts';
import { draftOffers } from '../../../workflows/offers/rules/draft-offers.ts';
import type { NewLine } from '../../../workflows/orders/rules/lines.ts';
import { later, sampleLine, seatedLine } from '../../support/sample-orders.ts';
import { theTicket } from '../../support/sample-tickets.ts';
import { searchOf } from '../offers/support.ts';
import { TicketFixture } from './ticket-fixture.ts';

describe('what tickets show', () => {
  const fixture = new TicketFixture('ticket-sheets');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  const [leg] = seatedLine({ departure: later(90) }).line.travelSpecification.legs;
  assert.ok(leg);

  async function shown(travel: Partial<NewLine['travelSpecification']>, members: object = {}) {
    const travelSpecification = { ...sampleLine().travelSpecification, ...travel };
    const [stored] = await fixture.issue(await fixture.sell({ line: { travelSpecification } }));
    assert.ok(stored);
    const lists = { organisations: [], userTypes: [], entitlements: [], distributionChannels: [] };
    const catalogue = {
      current: async () => ({ version: 1, content: { ...lists, timeZone: 'Europe/Oslo' } }) as never,
    };
    const customers = { listReachable: async () => fixture.customers };
    const { barcodes } = fixture.here;
    const sheets = new TicketSheets({ barcodes, catalogue, customers, isProduction: true });
    const [sheet] = await sheets.make(
      [{ group: stored.group, ticket: { ...theTicket(stored.group), ...members } }],
      'nob',
    );
    assert.ok(sheet);
    const { legs, zones, supplements, isSuccessor } = sheet;
    return {
      isSuccessor,
      lines: legs.map(({ line }) => line),
      zones: zones?.names,
      allZones: zones?.allZones,
      supplements,
      seats: legs.flatMap(({ seats }) => seats),
    };
  }

  it('is each place as what it is: a seat, a couchette or a berth', async () => {
    const berth = {
      legId: leg.legId,
      carriageNumber: '5',
      seatNumber: '11',
      seatingProperties: { fareClass: 'STANDARD', accommodationFacility: 'SLEEPER', facilities: [] },
    };
    const { seats } = await shown({ legs: [leg] }, { legs: [leg], seatReservations: [berth] });
    assert.deepEqual(seats, [{ carriageNumber: '5', seatNumber: '11', accommodation: 'SLEEPER' }]);
  });

  it('is the public code of a line, with the number of the train', async () => {
    const named = { ...leg, linePublicCode: 'R10' };
    const legs = [named, { ...named, legId: 'leg-2', serviceJourneyPrivateCode: '61' }];
    assert.deepEqual((await shown({ legs })).lines, ['R10', 'R10 (61)']);
    assert.deepEqual((await shown({ legs: [leg] })).lines, ['1']);
    // Any other private code is for the operator alone.
    const coded = { ...named, serviceJourneyPrivateCode: '401-1-Daily-1000' };
    const coach = { ...named, legId: 'leg-2', mode: 'coach', serviceJourneyPrivateCode: '61' };
    assert.deepEqual((await shown({ legs: [coded, coach] })).lines, ['R10', 'R10']);
  });

  it('is the name of a zone, as it was when the offer was made', async () => {
    const zones = ['RUT:FareZone:1', 'RUT:FareZone:2V'];
    assert.deepEqual((await shown({ zones, zoneNames: ['Sone 1', 'Sone 2V'] })).zones, ['Sone 1', 'Sone 2V']);
    assert.deepEqual((await shown({ zones })).zones, ['1', '2V']);
  });

  it('is each zone of a ticket that is valid throughout the zones of its product, and else all zones', async () => {
    const everywhere = { fullAreaValidity: true };
    const named = await shown({ zones: ['RUT:FareZone:1'], zoneNames: ['Sone 1'] }, everywhere);
    assert.deepEqual([named.zones, named.allZones], [['Sone 1'], false]);
    const all = await shown({ legs: [] }, { ...everywhere, topology: { fareZones: [] } });
    assert.deepEqual([all.zones, all.allZones], [[], true]);
  });

  it('says of a successor that it is one', async () => {
    assert.equal((await shown({}, { replaces: 1 as never })).isSuccessor, true);
    assert.equal((await shown({})).isSuccessor, undefined);
  });

  it('is the name of each supplement, with how many there are of it', async () => {
    const bicycle = [
      { lang: 'eng', value: 'Bicycle' },
      { lang: 'nob', value: 'Sykkel' },
    ] as const;
    const supplementNames = [bicycle, [{ lang: 'nob', value: 'Nistepakke' }], bicycle] as const;
    assert.deepEqual((await shown({}, { supplementNames })).supplements, ['2 × Sykkel', 'Nistepakke']);
    assert.deepEqual((await shown({})).supplements, []);
  });

  it('is kept with the offer, beside the ids of the zones', () => {
    const ride = { line: 'B1', authority: 'CITY', mode: 'bus', km: 4, calls: ['A 10:00 z1', 'B 10:12 z2'] };
    const search = searchOf({ products: ['SINGLE'], travellers: ['ADULT'], rides: [ride] });
    const seated = draftOffers(search).drafts.map((draft) => ({ draft, isAvailable: true, needs: [] }));
    const { offers } = packOffers(seated, search.travel, search.fares, (id) => `Sone ${id}`);
    assert.ok(offers.length > 0);
    for (const { geographicalValidity } of offers) {
      const { zoneIds, zoneNames } = geographicalValidity;
      assert.deepEqual(
        zoneNames,
        zoneIds?.map((id) => `Sone ${id}`),
      );
      assert.ok(zoneNames && zoneNames.length > 0);
    }
  });
});
