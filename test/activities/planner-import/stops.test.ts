/** Tests the import of stops, zones, transfers and areas of flexible lines, from the register and from datasets. */
import assert from 'node:assert/strict';
import { importAll, type Options } from './recorded-import.ts';
import { type Common, dataset, journey, type LineFile, pattern, REGISTER } from './small-network.ts';

const imported = (file: LineFile, common?: Common, options?: Options) =>
  importAll([dataset(file, common)], { register: REGISTER, ...options });
const centroid = (latitude: number, longitude: number): string =>
  `<Centroid><Location><Longitude>${longitude}</Longitude><Latitude>${latitude}</Latitude></Location></Centroid>`;
const wheelchair = (value: string): string =>
  `<AccessibilityAssessment id="x" version="1"><limitations><AccessibilityLimitation><WheelchairAccess>${value}</WheelchairAccess></AccessibilityLimitation></limitations></AccessibilityAssessment>`;

const PLACES =
  '<topographicPlaces><TopographicPlace id="T1" version="1"><Descriptor><Name>Fylket</Name></Descriptor><TopographicPlaceType>county</TopographicPlaceType></TopographicPlace>' +
  '<TopographicPlace id="T2" version="1"><Descriptor><Name>Byen</Name></Descriptor><TopographicPlaceType>municipality</TopographicPlaceType><ParentTopographicPlaceRef ref="T1"/></TopographicPlace></topographicPlaces>' +
  '<tariffZones><TariffZone id="Z1" version="1"><Name>Sone 1</Name></TariffZone><FareZone id="Z2" version="1"><Name>Sone 2</Name><members><ScheduledStopPointRef ref="sp"/></members></FareZone></tariffZones>' +
  '<stopPlaces><StopPlace id="Parent" version="1"><keyList><KeyValue><Key>IS_PARENT_STOP_PLACE</Key><Value>true</Value></KeyValue></keyList><Name>Sentrum</Name></StopPlace>' +
  `<StopPlace id="Bus" version="1"><Name>Terminal</Name><Description>Ved sjøen</Description>${centroid(60, 10)}${wheelchair('true')}<TopographicPlaceRef ref="T2"/><ParentSiteRef ref="Parent"/><TransportMode>bus</TransportMode><BusSubmode>railReplacementBus</BusSubmode><Weighting>preferredInterchange</Weighting><tariffZones><TariffZoneRef ref="Z1"/></tariffZones><quays><Quay id="Q1" version="1">${centroid(60.001, 10)}<PublicCode>A</PublicCode></Quay><Quay id="Q2" version="1">${centroid(60.002, 10)}${wheelchair('false')}</Quay></quays></StopPlace>` +
  `<StopPlace id="Rail" version="1"><Name>Stasjon</Name>${centroid(60, 10.01)}<ParentSiteRef ref="Parent"/><TransportMode>rail</TransportMode><quays><Quay id="Q3" version="1">${centroid(60, 10.01)}</Quay></quays></StopPlace>` +
  `<StopPlace id="Old" version="1"><ValidBetween><FromDate>2010-01-01T00:00:00</FromDate><ToDate>2020-01-01T00:00:00</ToDate></ValidBetween><Name>Nedlagt</Name><quays><Quay id="Q4" version="1">${centroid(61, 10)}</Quay></quays></StopPlace></stopPlaces>` +
  '<pathLinks><PathLink id="PL" version="1"><Distance>80</Distance><From><PlaceRef ref="Q1"/></From><To><PlaceRef ref="Q3"/></To><TransferDuration><DefaultDuration>PT3M</DefaultDuration><MobilityRestrictedTravellerDuration>PT8M</MobilityRestrictedTravellerDuration></TransferDuration></PathLink><PathLink id="PM" version="1"><From><PlaceRef ref="Q1"/></From><To><PlaceRef ref="nowhere"/></To></PathLink></pathLinks>';

describe('import of the register', () => {
  const register = { register: PLACES, atMs: Date.UTC(2026, 10, 21) };

  it('maps stop places with parents, modes, names of places, zones, priority, accessibility', async () => {
    const { stopPlaces, tariffZones } = await importAll([], register);
    assert.deepEqual(
      stopPlaces.map(({ id }) => id),
      ['Parent', 'Bus', 'Rail'],
    );
    const [parent, bus] = stopPlaces;
    assert.deepEqual([parent?.name, parent?.modes], ['Sentrum', ['bus', 'rail']]);
    assert.deepEqual(
      [
        bus?.name,
        bus?.description,
        bus?.parentId,
        bus?.locality,
        bus?.county,
        bus?.interchangePriority,
        bus?.accessibility,
      ],
      ['Terminal', 'Ved sjøen', 'Parent', 'Byen', 'Fylket', 'preferred', 'possible'],
    );
    assert.deepEqual([bus?.submodes, bus?.tariffZoneIds], [['railReplacementBus'], ['Z1']]);
    assert.deepEqual(
      tariffZones.map(({ id, name }) => [id, name]),
      [
        ['Z1', 'Sone 1'],
        ['Z2', 'Sone 2'],
      ],
    );
  });

  it('maps quays with values of their stop place as defaults', async () => {
    const { quays } = await importAll([], register);
    assert.deepEqual(
      quays.map(({ id, publicCode, stopPlaceId, accessibility, latitude }) => [
        id,
        publicCode,
        stopPlaceId,
        accessibility,
        latitude,
      ]),
      [
        ['Q1', 'A', 'Bus', 'possible', 60.001],
        ['Q2', undefined, 'Bus', 'notPossible', 60.002],
        ['Q3', undefined, 'Rail', undefined, 60],
      ],
    );
  });

  it('maps paths on foot in both directions, and counts those that end at no stop', async () => {
    const { transfers, rejected } = await importAll([], register);
    assert.deepEqual(transfers, [
      { fromId: 'Q1', toId: 'Q3', metres: 80, minimumSeconds: 180, wheelchairSeconds: 480 },
      { fromId: 'Q3', toId: 'Q1', metres: 80, minimumSeconds: 180, wheelchairSeconds: 480 },
    ]);
    assert.deepEqual(rejected, ['transfer: an end is no stop: PM']);
  });

  it('maps stops that are no longer in force only where a journey calls', async () => {
    const common = {
      service:
        '<stopAssignments><PassengerStopAssignment id="1" order="1"><ScheduledStopPointRef ref="old"/><QuayRef ref="Q4"/></PassengerStopAssignment></stopAssignments>',
    };
    const file = { patterns: pattern({ id: 'P', stops: ['old', 'old'] }) };
    const { quays, stopPlaces } = await importAll([dataset(file, common)], register);
    assert.ok(quays.some(({ id }) => id === 'Q4'));
    assert.ok(stopPlaces.some(({ id }) => id === 'Old'));
    const always = await importAll([], { register: PLACES });
    assert.equal(always.quays.length, 4);
  });
});

describe('import of stops of a dataset', () => {
  const assignment = (point: string, stop: string): string =>
    `<PassengerStopAssignment id="PSA-${point}" version="1" order="1"><ScheduledStopPointRef ref="${point}"/>${stop}</PassengerStopAssignment>`;
  const siteFrame = (content: string): string => `<SiteFrame id="SITE" version="1">${content}</SiteFrame>`;
  const own = `<stopPlaces><StopPlace id="ABC:StopPlace:1" version="1"><Name>Egen</Name><quays><Quay id="ABC:Quay:1" version="1">${centroid(62, 10)}</Quay><Quay id="ABC:Quay:2" version="1">${centroid(62, 10)}</Quay></quays></StopPlace></stopPlaces>`;

  it('maps stops with calls that the register lacks, from common files and line files', async () => {
    const service = `<stopAssignments>${assignment('own', '<QuayRef ref="ABC:Quay:1"/>')}</stopAssignments>`;
    const file = { patterns: pattern({ id: 'P', stops: ['a', 'own'] }) };
    for (const [common, inLine] of [
      [siteFrame(own), ''],
      ['', siteFrame(own)],
    ] as const) {
      const { quays, stopPlaces, rejected } = await imported({ ...file, more: inLine }, { service, more: common });
      assert.deepEqual(rejected, []);
      assert.deepEqual(
        quays.filter(({ id }) => id.startsWith('ABC')).map(({ id, stopPlaceId }) => [id, stopPlaceId]),
        [['ABC:Quay:1', 'ABC:StopPlace:1']],
      );
      assert.equal(stopPlaces.find(({ id }) => id === 'ABC:StopPlace:1')?.name, 'Egen');
    }
  });

  it('maps paths on foot between stops with calls', async () => {
    const link = (id: string, from: string, to: string): string =>
      `<PathLink id="${id}" version="1"><From><PlaceRef ref="${from}"/></From><To><PlaceRef ref="${to}"/></To><AllowedUse>oneWay</AllowedUse></PathLink>`;
    const paths = `<pathLinks>${link('1', 'ABC:Quay:1', 'NSR:Quay:a')}${link('2', 'ABC:Quay:1', 'ABC:Quay:2')}</pathLinks>`;
    const service = `<stopAssignments>${assignment('own', '<QuayRef ref="ABC:Quay:1"/>')}${assignment('two', '<QuayRef ref="ABC:Quay:2"/>')}</stopAssignments>`;
    const transfersOf = async (stops: readonly string[]): Promise<string[]> => {
      const file = { patterns: pattern({ id: 'P', stops }) };
      const { transfers } = await imported(file, { service, more: siteFrame(own + paths) });
      return transfers.map(({ fromId, toId }) => `${fromId} ${toId}`);
    };
    assert.deepEqual(await transfersOf(['a', 'own']), ['ABC:Quay:1 NSR:Quay:a']);
    assert.deepEqual(await transfersOf(['two', 'own']), ['ABC:Quay:1 NSR:Quay:a', 'ABC:Quay:1 ABC:Quay:2']);
  });

  it('prefers the register to the dataset', async () => {
    const copy = `<stopPlaces><StopPlace id="NSR:StopPlace:a" version="9"><Name>Copy</Name><quays><Quay id="NSR:Quay:a" version="1">${centroid(50, 10)}</Quay></quays></StopPlace></stopPlaces>`;
    const { quays, stopPlaces } = await imported(
      { patterns: pattern({ id: 'P', stops: ['a', 'b'] }) },
      { more: siteFrame(copy) },
    );
    assert.deepEqual(
      quays.filter(({ id }) => id === 'NSR:Quay:a').map(({ latitude }) => latitude),
      [60],
    );
    assert.ok(stopPlaces.every(({ name }) => name !== 'Copy'));
  });

  it('uses the first quay of a stop place that is assigned to a stop point', async () => {
    const service = `<stopAssignments>${assignment('place', '<StopPlaceRef ref="NSR:StopPlace:c"/>')}</stopAssignments>`;
    const { patterns } = await imported({ patterns: pattern({ id: 'P', stops: ['a', 'place'] }) }, { service });
    assert.equal(patterns[0]?.stops[1]?.quayId, 'NSR:Quay:c');
  });

  it('maps the area of a flexible stop place to a quay, and its journeys are not searchable', async () => {
    const area =
      '<flexibleStopPlaces><FlexibleStopPlace id="ABC:FlexibleStopPlace:1" version="1"><Name>Bygda</Name><TransportMode>bus</TransportMode><areas><FlexibleArea id="ABC:FlexibleArea:1" version="1"><gml:Polygon gml:id="g"><gml:exterior><gml:LinearRing><gml:posList>60 10 60 11 61 11 61 10 60 10</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></FlexibleArea></areas></FlexibleStopPlace></flexibleStopPlaces>';
    const service =
      '<stopAssignments><FlexibleStopAssignment id="1" order="1"><ScheduledStopPointRef ref="flex"/><FlexibleStopPlaceRef ref="ABC:FlexibleStopPlace:1"/></FlexibleStopAssignment></stopAssignments>';
    const { quays, patterns, journeys, rejected } = await imported(
      {
        patterns: pattern({ id: 'P', stops: ['flex', 'flex'] }) + pattern({ id: 'Q', stops: ['a', 'b'] }),
        journeys:
          journey({ id: 'F', pattern: 'P', times: ['10:00', '11:00'] }) +
          journey({ id: 'S', pattern: 'Q', times: ['10:00', '11:00'] }),
      },
      { service, more: siteFrame(area) },
    );
    assert.deepEqual(rejected, []);
    const quay = quays.find(({ id }) => id === 'ABC:FlexibleStopPlace:1');
    assert.deepEqual([quay?.name, quay?.latitude, quay?.longitude, quay?.area?.length], ['Bygda', 60.5, 10.5, 5]);
    assert.deepEqual(quay?.area?.[1], [11, 60]);
    assert.equal(patterns[0]?.stops[0]?.quayId, 'ABC:FlexibleStopPlace:1');
    assert.deepEqual(
      journeys.map(({ id, searchable }) => [id, searchable]),
      [
        ['F', false],
        ['S', undefined],
      ],
    );
  });

  it('maps an area of very many positions', async () => {
    const ring = Array.from({ length: 150_000 }, (_, at) => `60.${100_000 + at} 10.5`).join(' ');
    const area = `<flexibleStopPlaces><FlexibleStopPlace id="ABC:FlexibleStopPlace:1" version="1"><Name>Bygda</Name><areas><FlexibleArea id="ABC:FlexibleArea:1" version="1"><gml:Polygon gml:id="g"><gml:exterior><gml:LinearRing><gml:posList>${ring}</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></FlexibleArea></areas></FlexibleStopPlace></flexibleStopPlaces>`;
    const service =
      '<stopAssignments><FlexibleStopAssignment id="1" order="1"><ScheduledStopPointRef ref="flex"/><FlexibleStopPlaceRef ref="ABC:FlexibleStopPlace:1"/></FlexibleStopAssignment></stopAssignments>';
    const { quays } = await imported(
      { patterns: pattern({ id: 'P', stops: ['flex', 'flex'] }) },
      { service, more: siteFrame(area) },
    );
    const quay = quays.find(({ id }) => id === 'ABC:FlexibleStopPlace:1');
    assert.deepEqual([quay?.latitude?.toFixed(4), quay?.longitude], ['60.1750', 10.5]);
  });
});
