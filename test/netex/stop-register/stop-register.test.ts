import assert from 'node:assert/strict';
import { BlockFormatError } from '../../../netex/stop-register/packed-block.ts';
import { StopRegister } from '../../../netex/stop-register/stop-register.ts';
import { DatasetStopsBuilder, StopRegisterReader } from '../../../netex/stop-register/stop-register-reader.ts';
import { delivery, file, stopRegisterOf } from '../support/sample-files.ts';

const centroid = (latitude: number, longitude: number) =>
  `<Centroid><Location><Longitude>${longitude}</Longitude><Latitude>${latitude}</Latitude></Location></Centroid>`;
const between = (from: string, to?: string) =>
  `<ValidBetween><FromDate>${from}</FromDate>${to === undefined ? '' : `<ToDate>${to}</ToDate>`}</ValidBetween>`;
const open = (content: string) => StopRegister.open(stopRegisterOf(content));

function openAt(at: string, ...frames: string[]): StopRegister {
  const reader = new StopRegisterReader(Date.parse(at));
  for (const frame of frames) {
    reader.addFile(
      file('_stops.xml', delivery(`<SiteFrame id="NSR:SiteFrame:1" version="1">${frame}</SiteFrame>`)).bytes,
    );
  }
  return reader.build();
}

/** A hub of a metro station, and a separate bus stop. */
const HUB = open(
  `<FrameDefaults><DefaultLocale><DefaultLanguage>nor</DefaultLanguage></DefaultLocale></FrameDefaults><stopPlaces>
  <StopPlace id="NSR:StopPlace:1" version="4">
    <keyList><KeyValue><Key>IS_PARENT_STOP_PLACE</Key><Value>true</Value></KeyValue></keyList>
    <Name>Torget</Name>${centroid(59.9121461, 10.75)}
    <alternativeNames>
      <AlternativeName id="1"><NameType>translation</NameType><Name lang="eng">The Square</Name></AlternativeName>
      <AlternativeName id="2"><NameType>label</NameType><Name>T</Name></AlternativeName>
    </alternativeNames>
    <TopographicPlaceRef ref="KVE:TopographicPlace:0301"/><AirSubmode>unknown</AirSubmode>
  </StopPlace>
  <StopPlace id="NSR:StopPlace:2" version="7">
    <Description lang="nor">Under torget</Description>${centroid(59.9122, 10.7501)}
    <AccessibilityAssessment id="NSR:AccessibilityAssessment:1"><MobilityImpairedAccess>true</MobilityImpairedAccess>
      <limitations><AccessibilityLimitation><WheelchairAccess>true</WheelchairAccess><StepFreeAccess>partial</StepFreeAccess>
      </AccessibilityLimitation></limitations></AccessibilityAssessment>
    <ParentSiteRef ref="NSR:StopPlace:1" version="4"/><TransportMode>metro</TransportMode><MetroSubmode>urbanRailway</MetroSubmode>
    <tariffZones><TariffZoneRef ref="RUT:TariffZone:1"/><FareZoneRef ref="RUT:FareZone:4"/></tariffZones>
    <StopPlaceType>metroStation</StopPlaceType><Weighting>preferredInterchange</Weighting>
    <quays>
      <Quay id="NSR:Quay:21" version="7"><PrivateCode>V</PrivateCode>${centroid(59.91225, 10.7502)}<PublicCode>2</PublicCode>
        <CompassBearing>271.5</CompassBearing>
        <boardingPositions><BoardingPosition id="NSR:BoardingPosition:1" version="1"><PublicCode>A</PublicCode></BoardingPosition></boardingPositions>
      </Quay>
      <Quay id="NSR:Quay:22" version="7"><Name>Østgående</Name></Quay>
    </quays>
  </StopPlace>
  <StopPlace id="NSR:StopPlace:3" version="1"><Name lang="sme">Skuvla</Name><TransportMode>bus</TransportMode></StopPlace>
  </stopPlaces>
  <groupsOfStopPlaces><GroupOfStopPlaces id="NSR:GroupOfStopPlaces:1" version="1"><Name>Oslo</Name>
    <members><StopPlaceRef ref="NSR:StopPlace:1"/><StopPlaceRef ref="NSR:StopPlace:3"/></members></GroupOfStopPlaces></groupsOfStopPlaces>
  <topographicPlaces><TopographicPlace id="KVE:TopographicPlace:0301" version="2"><IsoCode>NO-0301</IsoCode>
    <Descriptor><Name lang="nor">Oslo</Name></Descriptor><TopographicPlaceType>municipality</TopographicPlaceType>
    <CountryRef ref="no"/><ParentTopographicPlaceRef ref="KVE:TopographicPlace:03"/></TopographicPlace></topographicPlaces>`,
);

describe('the stop register: stops', () => {
  it('a stop place has its name, position, mode, parent and other members', () => {
    const stop = HUB.findStop('NSR:StopPlace:2');
    assert.ok(stop);
    assert.deepEqual(
      {
        kind: stop.kind,
        version: stop.version,
        name: stop.name,
        description: stop.description,
        position: [stop.latitude, stop.longitude],
        mode: [stop.transportMode, stop.transportSubmode],
        parentId: stop.parentId,
        placeType: stop.placeType,
        weighting: stop.weighting,
        access: [stop.wheelchairAccess, stop.stepFreeAccess],
        zoneIds: stop.zoneIds,
        isMultimodalParent: stop.isMultimodalParent,
      },
      {
        kind: 'StopPlace',
        version: '7',
        name: undefined,
        description: 'Under torget',
        position: [59.9122, 10.7501],
        mode: ['metro', 'urbanRailway'],
        parentId: 'NSR:StopPlace:1',
        placeType: 'metroStation',
        weighting: 'preferredInterchange',
        access: ['true', 'partial'],
        zoneIds: ['RUT:TariffZone:1', 'RUT:FareZone:4'],
        isMultimodalParent: false,
      },
    );
  });

  it('a quay has the mode of its stop place, which is its parent', () => {
    const quay = HUB.findStop('NSR:Quay:21');
    assert.deepEqual(
      [quay?.transportMode, quay?.transportSubmode, quay?.parentId, quay?.publicCode, quay?.privateCode],
      ['metro', 'urbanRailway', 'NSR:StopPlace:2', '2', 'V'],
    );
    assert.equal(quay?.compassBearingDegrees, 271.5);
    assert.deepEqual([quay?.latitude, quay?.longitude], [59.91225, 10.7502]);
    assert.deepEqual(
      [HUB.findStop('NSR:Quay:22')?.latitude, HUB.findStop('NSR:Quay:22')?.weighting],
      [undefined, undefined],
    );
    assert.equal(HUB.findStop('NSR:BoardingPosition:1')?.parentId, 'NSR:Quay:21');
  });

  it('names have their own language or that of the frame; alternative names have types', () => {
    const parent = HUB.findStop('NSR:StopPlace:1');
    assert.equal(parent?.nameLanguage, 'nor');
    assert.deepEqual(parent?.alternativeNames, [
      { nameType: 'translation', language: 'eng', text: 'The Square' },
      { nameType: 'label', language: 'nor', text: 'T' },
    ]);
    assert.deepEqual(HUB.findName('NSR:StopPlace:3'), { text: 'Skuvla', language: 'sme' });
  });

  it('a quay without a name has that of its place, or of the parent', () => {
    assert.deepEqual(HUB.findName('NSR:Quay:21'), { text: 'Torget', language: 'nor' });
    assert.deepEqual(HUB.findName('NSR:Quay:22'), { text: 'Østgående', language: 'nor' });
    assert.equal(HUB.findName('NSR:Quay:404'), undefined);
  });

  it('lists quays of a place, children of a parent, members of a group, and all of a kind', () => {
    const ids = (stops: Iterable<{ id: string }>) => [...stops].map(({ id }) => id);
    assert.deepEqual(ids(HUB.quaysOf('NSR:StopPlace:2')), ['NSR:Quay:21', 'NSR:Quay:22']);
    assert.deepEqual(ids(HUB.childrenOf('NSR:StopPlace:1')), ['NSR:StopPlace:2']);
    assert.deepEqual(HUB.membersOf('NSR:GroupOfStopPlaces:1'), ['NSR:StopPlace:1', 'NSR:StopPlace:3']);
    assert.deepEqual(ids(HUB.stops('StopPlace')), ['NSR:StopPlace:1', 'NSR:StopPlace:2', 'NSR:StopPlace:3']);
    assert.equal(ids(HUB.stops()).length, HUB.size);
    assert.deepEqual([HUB.quaysOf('NSR:StopPlace:404'), HUB.childrenOf('NSR:StopPlace:3')], [[], []]);
  });

  it('a stop place is a parent by its key or by its children, and then has no own mode', () => {
    const stop = HUB.findStop('NSR:StopPlace:1');
    assert.deepEqual(
      [stop?.isMultimodalParent, stop?.transportMode, stop?.transportSubmode],
      [true, undefined, undefined],
    );
    const unmarked = open(
      '<StopPlace id="NSR:StopPlace:1"/><StopPlace id="NSR:StopPlace:2"><ParentSiteRef ref="NSR:StopPlace:1"/></StopPlace>',
    );
    assert.equal(unmarked.findStop('NSR:StopPlace:1')?.isMultimodalParent, true);
  });

  it('a topographic place has its name, type, country and surrounding place', () => {
    const place = HUB.findStop('KVE:TopographicPlace:0301');
    assert.deepEqual(
      [place?.name, place?.placeType, place?.ownerRef, place?.parentId],
      ['Oslo', 'municipality', 'no', 'KVE:TopographicPlace:03'],
    );
    assert.equal(HUB.findStop('NSR:StopPlace:1')?.topographicPlaceId, 'KVE:TopographicPlace:0301');
  });
});

describe('the stop register: versions', () => {
  const version = (number: number, name: string, validity: string) =>
    `<StopPlace id="NSR:StopPlace:1" version="${number}">${validity}<Name>${name}</Name></StopPlace>`;
  const nameAt = (at: string, ...versions: string[]) => openAt(at, ...versions).findStop('NSR:StopPlace:1')?.name;
  const old = version(1, 'Old', between('2020-01-01T00:00:00', '2024-12-31T23:59:59'));
  const now = version(2, 'Now', between('2025-01-01T00:00:00'));
  const later = version(3, 'Later', between('2027-01-01T00:00:00'));

  it('the version in force is used, in any order', () => {
    for (const versions of [
      [old, now, later],
      [later, now, old],
      [now, later, old],
    ]) {
      assert.equal(nameAt('2026-11-21', ...versions), 'Now');
      assert.equal(nameAt('2021-01-01', ...versions), 'Old');
      assert.equal(nameAt('2027-06-01', ...versions), 'Later');
    }
  });

  it('the higher of two versions in force is used, compared as numbers', () => {
    const [nine, ten] = [version(9, 'Nine', ''), version(10, 'Ten', '')];
    assert.equal(nameAt('2026-11-21', nine, ten), 'Ten');
    assert.equal(nameAt('2026-11-21', ten, nine), 'Ten');
  });

  it('the next version is used where none is in force, otherwise the last', () => {
    assert.equal(
      nameAt('2024-12-31T23:59:59.500Z', later, old, version(4, 'Latest', between('2028-01-01T00:00:00'))),
      'Later',
    );
    const older = version(7, 'Older', between('2010-01-01T00:00:00', '2012-01-01T00:00:00'));
    assert.equal(nameAt('2026-11-21', old, older), 'Old');
    assert.equal(nameAt('2026-11-21', older, old), 'Old');
  });

  it('the period may be among validity conditions', () => {
    const conditions = (validity: string) => `<validityConditions>${validity}</validityConditions>`;
    const past = version(9, 'Past', conditions(between('2020-01-01T00:00:00', '2021-01-01T00:00:00')));
    assert.equal(nameAt('2026-11-21', now, past), 'Now');
  });

  it('a deleted version is not used while another exists', () => {
    const deleted = '<StopPlace id="NSR:StopPlace:1" version="9" modification="delete"><Name>Gone</Name></StopPlace>';
    assert.equal(nameAt('2026-11-21', now, deleted), 'Now');
  });

  it('lists, zones and names of an unused version are not returned', () => {
    const place = (number: number, quay: string, validity: string) =>
      `<StopPlace id="NSR:StopPlace:1" version="${number}">${validity}
      <tariffZones><TariffZoneRef ref="RUT:TariffZone:${number}"/></tariffZones>
      <quays><Quay id="NSR:Quay:1" version="${number}"/><Quay id="${quay}" version="1"/></quays></StopPlace>`;
    const register = openAt(
      '2026-11-21',
      place(1, 'NSR:Quay:8', between('2020-01-01T00:00:00', '2024-01-01T00:00:00')),
      place(2, 'NSR:Quay:9', between('2024-01-01T00:00:00')),
    );
    assert.deepEqual(register.findStop('NSR:StopPlace:1')?.zoneIds, ['RUT:TariffZone:2']);
    assert.deepEqual(
      register.quaysOf('NSR:StopPlace:1').map(({ id }) => id),
      ['NSR:Quay:1', 'NSR:Quay:9'],
    );
    assert.equal(register.findStop('NSR:Quay:1')?.version, '2');
    // A closed stop is known with the end of its place's validity, since timetables may still name it.
    assert.equal(register.findStop('NSR:Quay:8')?.validToMs, Date.parse('2024-01-01T00:00:00Z'));
  });

  it('a moved quay belongs to its present place', () => {
    const place = (id: number, validity: string) =>
      `<StopPlace id="NSR:StopPlace:${id}" version="1">${validity}<TransportMode>${id === 1 ? 'bus' : 'tram'}</TransportMode>
      <quays><Quay id="NSR:Quay:1" version="${id}"/></quays></StopPlace>`;
    const places = [
      place(1, between('2020-01-01T00:00:00', '2024-01-01T00:00:00')),
      place(2, between('2024-01-01T00:00:00')),
    ];
    for (const frames of [places, places.toReversed()]) {
      const register = openAt('2026-11-21', ...frames);
      const quay = register.findStop('NSR:Quay:1');
      assert.deepEqual([quay?.parentId, quay?.transportMode], ['NSR:StopPlace:2', 'tram']);
      assert.deepEqual(register.quaysOf('NSR:StopPlace:1'), []);
      assert.equal(register.quaysOf('NSR:StopPlace:2').length, 1);
    }
  });
});

describe('the stop register: zones and path links', () => {
  const ring = (...positions: number[]) =>
    `<gml:LinearRing xmlns:gml="http://www.opengis.net/gml/3.2"><gml:posList>${positions.join(' ')}</gml:posList></gml:LinearRing>`;
  const polygon = (exterior: string, interior = '') =>
    `<gml:Polygon xmlns:gml="http://www.opengis.net/gml/3.2" gml:id="P"><gml:exterior>${exterior}</gml:exterior>${interior}</gml:Polygon>`;

  it('a zone has its outline, latitude first, its owner and its neighbours', () => {
    const zones = open(
      `<fareZones><FareZone id="RUT:FareZone:4" version="3"><Name>1</Name>
      ${polygon(ring(59, 10, 60, 10, 60, 11, 59, 10), `<gml:interior>${ring(59.5, 10.1, 59.6, 10.1, 59.6, 10.2, 59.5, 10.1)}</gml:interior>`)}
      <ScopingMethod>implicitSpatialProjection</ScopingMethod><AuthorityRef ref="RUT:Authority:RUT"/>
      <neighbours><FareZoneRef ref="RUT:FareZone:5"/></neighbours></FareZone></fareZones>`,
    );
    const [outer, hole, more] = zones.ringsOf('RUT:FareZone:4');
    assert.deepEqual(outer?.slice(0, 2), [
      { latitude: 59, longitude: 10 },
      { latitude: 60, longitude: 10 },
    ]);
    assert.deepEqual([outer?.length, hole?.[0], more], [4, { latitude: 59.5, longitude: 10.1 }, undefined]);
    const zone = zones.findStop('RUT:FareZone:4');
    assert.deepEqual([zone?.ownerRef, zone?.scopingMethod], ['RUT:Authority:RUT', 'implicitSpatialProjection']);
    assert.deepEqual(zones.neighboursOf('RUT:FareZone:4'), ['RUT:FareZone:5']);
    assert.deepEqual(zones.ringsOf('RUT:FareZone:404'), []);
  });

  it('a flexible stop place has its area', () => {
    const register = open(
      `<flexibleStopPlaces><FlexibleStopPlace id="NSR:FlexibleStopPlace:1" version="1"><Name>Dalen</Name><TransportMode>bus</TransportMode>
      <areas><FlexibleArea id="NSR:FlexibleArea:1" version="1">${polygon(ring(59, 10, 60, 10, 60, 11, 59, 10))}</FlexibleArea></areas>
      </FlexibleStopPlace></flexibleStopPlaces>`,
    );
    assert.equal(register.findStop('NSR:FlexibleArea:1')?.parentId, 'NSR:FlexibleStopPlace:1');
    assert.equal(register.ringsOf('NSR:FlexibleArea:1')[0]?.length, 4);
    assert.equal(register.findStop('NSR:FlexibleStopPlace:1')?.transportMode, 'bus');
  });

  it('a zone has the stops that it lists and those that refer to it, each once', () => {
    const reader = new StopRegisterReader();
    reader.addFile(
      file(
        '_stops.xml',
        delivery(
          `<ServiceFrame id="NSR:ServiceFrame:1" version="1">
          <scheduledStopPoints><ScheduledStopPoint id="NSR:ScheduledStopPoint:S2" version="1"/><ScheduledStopPoint id="NSR:ScheduledStopPoint:S1" version="1"/></scheduledStopPoints>
          <stopAssignments><PassengerStopAssignment id="NSR:PassengerStopAssignment:1" version="1" order="1"><ScheduledStopPointRef ref="NSR:ScheduledStopPoint:S2"/><StopPlaceRef ref="NSR:StopPlace:2"/></PassengerStopAssignment>
          <PassengerStopAssignment id="NSR:PassengerStopAssignment:2" version="1" order="1"><ScheduledStopPointRef ref="NSR:ScheduledStopPoint:S1"/><StopPlaceRef ref="NSR:StopPlace:1"/></PassengerStopAssignment></stopAssignments></ServiceFrame>
          <SiteFrame id="NSR:SiteFrame:1" version="1"><stopPlaces>
          <StopPlace id="NSR:StopPlace:1" version="1"><tariffZones><TariffZoneRef ref="RUT:FareZone:4"/></tariffZones></StopPlace>
          <StopPlace id="NSR:StopPlace:2" version="1"/></stopPlaces></SiteFrame>
          <FareFrame id="NSR:FareFrame:1" version="1"><fareZones><FareZone id="RUT:FareZone:4" version="1">
          <members><ScheduledStopPointRef ref="NSR:ScheduledStopPoint:S2"/><ScheduledStopPointRef ref="NSR:ScheduledStopPoint:S1"/></members></FareZone></fareZones></FareFrame>`,
        ),
      ).bytes,
    );
    const register = reader.build();
    assert.deepEqual(
      register.stopsOfZone('RUT:FareZone:4').map(({ id }) => id),
      ['NSR:StopPlace:1', 'NSR:StopPlace:2'],
    );
    assert.equal(register.findStop('NSR:ScheduledStopPoint:S2')?.parentId, 'NSR:StopPlace:2');
  });

  it('path links and site connections have the walking times between stops', () => {
    const way = (kind: string, id: number, inside: string) =>
      `<${kind} id="NSR:${kind}:${id}" version="1">${inside}</${kind}>`;
    const ends = '<From><PlaceRef ref="NSR:Quay:1"/></From><To><PlaceRef ref="NSR:Quay:2"/></To>';
    const register = open(
      way(
        'PathLink',
        1,
        `<Distance>80.4</Distance>${ends}<AllowedUse>twoWay</AllowedUse><TransferDuration><DefaultDuration>PT2M30S</DefaultDuration>
        <FrequentTravellerDuration>PT90S</FrequentTravellerDuration><OccasionalTravellerDuration>PT3M</OccasionalTravellerDuration>
        <MobilityRestrictedTravellerDuration>PT1H</MobilityRestrictedTravellerDuration></TransferDuration>`,
      ) +
        way('PathLink', 2, `${ends}<AllowedUse>oneWay</AllowedUse>`) +
        way('PathLink', 3, `${ends}<AllowedUse>oneWayReverse</AllowedUse>`) +
        way(
          'SiteConnection',
          4,
          `<TransferDuration><DefaultDuration>PT9M</DefaultDuration></TransferDuration><WalkTransferDuration><DefaultDuration>PT5M</DefaultDuration></WalkTransferDuration>
          <BothWays>false</BothWays><From><StopPlaceRef ref="NSR:StopPlace:1"/></From><To><StopPlaceRef ref="NSR:StopPlace:2"/><QuayRef ref="NSR:Quay:2"/></To>`,
        ) +
        way('PathLink', 5, '<From><PlaceRef ref="NSR:Quay:1"/></From>'),
    );
    const [timed, there, back, connection, ...more] = register.transfers();
    assert.deepEqual(timed, {
      id: 'NSR:PathLink:1',
      kind: 'PathLink',
      fromId: 'NSR:Quay:1',
      toId: 'NSR:Quay:2',
      bothWays: true,
      distanceMetres: 80,
      defaultSeconds: 150,
      frequentTravellerSeconds: 90,
      occasionalTravellerSeconds: 180,
      mobilityRestrictedSeconds: 3600,
    });
    assert.deepEqual([there?.fromId, there?.bothWays, there?.defaultSeconds], ['NSR:Quay:1', false, undefined]);
    assert.deepEqual([back?.fromId, back?.toId, back?.bothWays], ['NSR:Quay:2', 'NSR:Quay:1', false]);
    assert.deepEqual(
      [connection?.kind, connection?.fromId, connection?.toId, connection?.bothWays, connection?.defaultSeconds],
      ['SiteConnection', 'NSR:StopPlace:1', 'NSR:Quay:2', false, 300],
    );
    assert.deepEqual(more, []);
  });
});

describe('the stop register: its bytes', () => {
  it('open in shared memory and in the middle of a buffer, repeatedly', () => {
    const { bytes } = HUB;
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    for (const form of [shared, shifted.subarray(3)]) {
      const register = StopRegister.open(form);
      assert.deepEqual(register.findName('NSR:Quay:21'), { text: 'Torget', language: 'nor' });
      assert.equal(register.findStop('NSR:Quay:22')?.name, 'Østgående');
    }
  });

  it('are refused when they have another format', () => {
    for (const bytes of [
      new Uint8Array(100),
      new Uint8Array(),
      HUB.bytes.subarray(0, 400),
      HUB.bytes.subarray(0, 12),
    ]) {
      assert.throws(() => StopRegister.open(bytes), BlockFormatError);
    }
  });

  it('are the same for the same files', () => {
    const bytes = () => stopRegisterOf('<StopPlace id="NSR:StopPlace:1" version="1"><Name>A</Name></StopPlace>');
    assert.deepEqual(bytes(), bytes());
  });

  it('grow with the stops: a country takes at most 60 MB', () => {
    const places = 3_000;
    const register = open(
      Array.from({ length: places }, (_, n) => {
        const quay = (id: number) =>
          `<Quay id="NSR:Quay:${100_000 + id}" version="3">${centroid(59 + n / 1e4, 10 + id / 1e4)}<PublicCode>${id % 9}</PublicCode></Quay>`;
        return `<StopPlace id="NSR:StopPlace:${50_000 + n}" version="3"><Name lang="nor">Stoppestedet ${n}</Name>${centroid(59 + n / 1e4, 10)}
        <TopographicPlaceRef ref="KVE:TopographicPlace:${n % 350}"/><TransportMode>bus</TransportMode>
        <tariffZones><TariffZoneRef ref="RUT:TariffZone:${n % 90}"/><FareZoneRef ref="RUT:FareZone:${n % 90}"/></tariffZones>
        <quays>${quay(2 * n)}${quay(2 * n + 1)}</quays></StopPlace>`;
      }).join(''),
    );
    assert.equal(register.size, places * 3);
    assert.ok(register.bytes.length / register.size < 200, `${register.bytes.length / register.size} bytes a stop`);
    for (let n = 0; n < places; n++) {
      assert.equal(register.findStop(`NSR:Quay:${100_000 + 2 * n + 1}`)?.parentId, `NSR:StopPlace:${50_000 + n}`);
    }
  });

  it('may be empty', () => {
    const register = open('');
    assert.deepEqual(
      [register.size, register.has('NSR:Quay:1'), [...register.stops()], [...register.transfers()]],
      [0, false, [], []],
    );
  });
});

describe('stops inside a dataset', () => {
  const stop =
    '<StopPlace id="ABC:StopPlace:1" version="1"><quays><Quay id="ABC:Quay:1" version="1"/></quays></StopPlace>';

  it('come from the SiteFrames of all its common files', () => {
    const stops = new DatasetStopsBuilder();
    assert.equal(stops.isEmpty, true);
    stops.addFile(
      file(
        '_a.xml',
        delivery(
          `<ServiceFrame id="ABC:ServiceFrame:1"><ScheduledStopPoint id="ABC:ScheduledStopPoint:1"/></ServiceFrame>`,
        ),
      ).bytes,
    );
    assert.equal(stops.isEmpty, true);
    stops.addFile(file('_b.xml', delivery(`<SiteFrame id="ABC:SiteFrame:1">${stop}</SiteFrame>`)).bytes);
    assert.equal(stops.isEmpty, false);
    const register = stops.build();
    assert.deepEqual([register.has('ABC:Quay:1'), register.has('ABC:ScheduledStopPoint:1')], [true, false]);
  });

  it('may be malformed, since the scan of common files precedes validation', () => {
    const nonsense = [
      '<StopPlace id="__proto__"><constructor>1</constructor><toString><hasOwnProperty/><valueOf/></toString></StopPlace>',
      '<StopPlace id="a"><ParentSiteRef ref="a"/><quays><Quay id="a"/></quays></StopPlace>',
      '<StopPlace id=""><Centroid><Location><Latitude>NaN</Latitude><Longitude>999</Longitude></Location></Centroid></StopPlace>',
      '<PathLink id="p"><Distance>9e99</Distance><From><PlaceRef/></From><To><PlaceRef ref="a"/></To></PathLink>',
      '<TariffZone id="z"><x><y><LinearRing xmlns="http://www.opengis.net/gml/3.2"><posList>1 2 x 4 5 6</posList></LinearRing></y></x></TariffZone>',
      '<StopPlace id="d">'.repeat(500) + '</StopPlace>'.repeat(500),
    ];
    const stops = new DatasetStopsBuilder();
    for (const xml of nonsense)
      stops.addFile(file('_a.xml', delivery(`<SiteFrame id="ABC:SiteFrame:1">${xml}</SiteFrame>`)).bytes);
    const register = stops.build();
    assert.equal(register.findStop('__proto__')?.id, '__proto__');
    assert.equal(register.findName('a'), undefined);
    assert.deepEqual([...register.transfers(), ...register.ringsOf('z')], []);
  });

  it('are read from the readable part of a file', () => {
    const stops = new DatasetStopsBuilder();
    stops.addFile(
      file('_a.xml', `<PublicationDelivery xmlns="http://www.netex.org.uk/netex"><SiteFrame>${stop}<broken`).bytes,
    );
    assert.equal(stops.build().has('ABC:Quay:1'), true);
  });
});
