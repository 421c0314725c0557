/** The conversion of stops, agencies and routes. */
import assert from 'node:assert/strict';
import { FEATURE_FEEDS } from './feature-feeds.ts';
import { changeOf, convertTables, findId } from './small-feed.ts';

describe('stops of a feed', () => {
  const converted = convertTables(FEATURE_FEEDS.stations);

  it('become quays of stop places, at the positions of the feed to six decimals', async () => {
    const { stops } = await converted;
    const quay = findId(stops, 'TWN:Quay:S1');
    assert.equal(quay.at('PublicCode'), '1');
    assert.equal(quay.at('PrivateCode'), '101');
    assert.equal(quay.at('Name'), undefined);
    assert.equal(findId(stops, 'TWN:Quay:S2').at('Name'), 'Central bus');
    const place = findId(stops, 'TWN:StopPlace:S');
    assert.equal(place.at('Name'), 'Central');
    assert.equal(place.at('Centroid/Location/Longitude'), '-74.000000');
    assert.equal(place.at('Centroid/Location/Latitude'), '40.700000');
    assert.equal(place.at('Url'), 'https://central.example/');
    assert.equal(place.at('Locale/TimeZone'), 'America/Chicago');
    assert.equal(findId(stops, 'TWN:StopPlace:C').at('Name'), 'Cedar, "the" gate');
  });

  it('have a parent, and a stop place for each mode, where several modes call', async () => {
    const { stops } = await converted;
    const parent = findId(stops, 'TWN:StopPlace:S');
    assert.deepEqual(
      [...parent.all('KeyValue')].map((one) => `${one.at('Key')}=${one.at('Value')}`),
      ['IS_PARENT_STOP_PLACE=true'],
    );
    assert.equal(parent.child('quays'), undefined);
    for (const [mode, quays] of [
      ['rail', ['TWN:Quay:S1']],
      ['bus', ['TWN:Quay:S2', 'TWN:Quay:P']],
    ] as const) {
      const child = findId(stops, `TWN:StopPlace:S-${mode}`);
      assert.equal(child.at('TransportMode'), mode);
      assert.equal(child.ref('ParentSiteRef'), 'TWN:StopPlace:S');
      assert.deepEqual(
        [...child.all('Quay')].map(({ id }) => id),
        quays,
      );
    }
    assert.equal(findId(stops, 'TWN:StopPlace:B').at('TransportMode'), undefined, 'bus and rail call at one quay');
  });

  it('keep wheelchair access and tariff zone', async () => {
    const { stops } = await converted;
    const access = (id: string) => [...findId(stops, id).all('WheelchairAccess')][0]?.text;
    assert.equal(access('TWN:Quay:S1'), 'false');
    assert.equal(access('TWN:StopPlace:C'), undefined);
    const zones = [...findId(stops, 'TWN:StopPlace:S-bus').all('TariffZoneRef')].map((ref) => ref.attributes.ref);
    assert.deepEqual(zones, ['TWN:TariffZone:Z_1']);
    assert.equal(findId(stops, 'TWN:TariffZone:Z_1').at('Name'), 'Z 1');
  });

  it('leave out entrances and nodes, join boarding areas to their platform, and take a missing position from the station', async () => {
    const result = await converted;
    const ids = [...result.stops.everything()].map(({ id }) => id);
    for (const id of ['E1', 'N1', 'S1a']) assert.ok(!ids.includes(`TWN:Quay:${id}`), id);
    const assigned = [...result.shared.all('PassengerStopAssignment')].map((one) => one.ref('QuayRef'));
    assert.deepEqual(assigned, ['TWN:Quay:S1', 'TWN:Quay:S2', 'TWN:Quay:B', 'TWN:Quay:C', 'TWN:Quay:P']);
    assert.equal(changeOf(result, 'stops without a position, put at their station'), 1);
    assert.equal(changeOf(result, 'whose stop is none to board at'), 1);
    assert.equal(changeOf(result, 'whose parent is no station'), 1);
  });

  it('have path links from the transfers, also between the stop places of a station', async () => {
    const result = await converted;
    const links = [...result.stops.all('PathLink')].map((link) => {
      const [from, to] = [...link.all('PlaceRef')].map((ref) => ref.attributes.ref?.slice(4));
      return `${from} ${to} ${link.at('AllowedUse')} ${link.at('TransferDuration/DefaultDuration')}`;
    });
    assert.deepEqual(links, [
      'StopPlace:S-rail StopPlace:S-rail twoWay PT120S',
      'StopPlace:S-rail StopPlace:S-bus twoWay PT120S',
      'StopPlace:S-bus StopPlace:S-bus twoWay PT120S',
      'Quay:S1 Quay:B twoWay PT300S',
      'StopPlace:S-rail Quay:C oneWay PT0S',
      'StopPlace:S-bus Quay:C oneWay PT0S',
      'Quay:C Quay:B oneWay PT0S',
    ]);
    assert.equal(changeOf(result, '"not possible" of two stops'), 1);
  });

  it('keep dots in their ids, as no other element does, and stay distinct when other characters are removed', async () => {
    const { stops, lines, shared } = await convertTables(FEATURE_FEEDS.oddIds);
    assert.deepEqual(
      [...stops.all('Quay')].map(({ id }) => id),
      ['TWN:Quay:_.1', 'TWN:Quay:_.1-2', 'TWN:Quay:C_1_x'],
    );
    assert.deepEqual(
      lines.flatMap((line) => [...line.all('Line')].map(({ id }) => id)),
      ['TWN:Line:r_1', 'TWN:Line:r_1-2', 'TWN:Line:R_1'],
    );
    const journeys = lines.flatMap((line) => [...line.all('ServiceJourney')].map(({ id }) => id));
    assert.deepEqual(journeys, ['TWN:ServiceJourney:t_1', 'TWN:ServiceJourney:t_1-2', 'TWN:ServiceJourney:t-1']);
    assert.equal(shared.name === '' && [...shared.all('DayType')][0]?.id, 'TWN:DayType:W_K');
  });
});

describe('agencies and routes of a feed', () => {
  const converted = convertTables(FEATURE_FEEDS.agencies);

  it('become authority and operator, each with its time zone and address', async () => {
    const { shared } = await converted;
    const authority = findId(shared, 'TWN:Authority:T');
    assert.equal(authority.at('ContactDetails/Url'), 'http://town.example/x');
    assert.equal(authority.at('ContactDetails/Phone'), '555 1');
    assert.equal(authority.at('Locale/TimeZone'), 'America/New_York');
    assert.equal(findId(shared, 'TWN:Operator:U_1').at('ContactDetails/Url'), 'https://publisher.example/');
    assert.equal(findId(shared, 'TWN:Authority:U_1').at('Locale/TimeZone'), 'America/Chicago');
    assert.equal([...shared.all('DefaultLanguage')][0]?.text, 'en');
    assert.equal([...shared.all('Description')][0]?.text, 'Converted from GTFS: Publisher & Sons, version 7');
  });

  it('become lines with mode, colours, names and address, a file each', async () => {
    const { lines, names } = await converted;
    assert.deepEqual(names.slice(2), [
      'TWN_TWN_Line_1_1_Main-Street.xml',
      'TWN_TWN_Line_2_2.xml',
      'TWN_TWN_Line_3_R3.xml',
    ]);
    const [first, second, third] = lines.map((file) => [...file.all('Line')][0]);
    assert.equal(first?.at('Name'), 'Main Street');
    assert.equal(first?.at('Description'), 'Along the river');
    assert.equal(first?.at('TransportSubmode/BusSubmode'), 'regionalBus');
    assert.equal(first?.at('Presentation/Colour'), 'FF0000');
    assert.equal(first?.at('Presentation/TextColour'), '000000');
    assert.equal(first?.at('Url'), 'https://town.example/1');
    assert.equal(second?.at('TransportMode'), 'tram');
    assert.equal(second?.at('Presentation/Colour'), '00FF00');
    assert.equal(second?.at('Presentation/TextColour'), undefined);
    assert.equal(second?.ref('RepresentedByGroupRef'), 'TWN:Network:U_1');
    assert.equal([...(lines[1]?.all('TimeZone') ?? [])][0]?.text, 'America/Chicago');
    assert.equal(third?.at('Name'), 'R3');
    assert.equal(third?.at('TransportMode'), 'unknown');
    assert.equal(third?.at('PublicCode'), undefined);
  });

  it('are counted when they cannot be kept', async () => {
    const result = await converted;
    for (const [words, count] of [
      ['routes left out without any trip', 1],
      ['routes of an unknown agency', 1],
      ['routes of an unknown type', 1],
      ['whose route is not in routes.txt', 1],
      ['whose service is in no calendar', 1],
      ['colours filled up with zeros', 1],
      ['colours left out', 1],
      ['agencies in another time zone', 1],
    ] as const) {
      assert.equal(changeOf(result, words), count, words);
    }
  });
});
