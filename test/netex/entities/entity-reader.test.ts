/** The output of the reader for each kind of entity. */
import assert from 'node:assert/strict';
import { kindsOf, read } from './read-entities.ts';

const frame = (content: string, defaults = ''): string =>
  `<CompositeFrame id="C">${defaults}<frames><ServiceFrame id="S">${content}</ServiceFrame></frames></CompositeFrame>`;
const locale = (zone: string): string =>
  `<FrameDefaults><DefaultLocale><TimeZone>${zone}</TimeZone><DefaultLanguage>no</DefaultLanguage></DefaultLocale></FrameDefaults>`;

describe('entity reader: organisations and lines', () => {
  it('reads an authority with its contacts, zone and language of the frame', () => {
    const [authority] = read(
      'organisation',
      frame(
        '<organisations><Authority id="A"><Name>Ruter</Name><ContactDetails><Phone>177</Phone><Url> https://r.example </Url></ContactDetails></Authority></organisations>',
        locale('Europe/Stockholm'),
      ),
    );
    assert.deepEqual(authority, {
      kind: 'Authority',
      id: 'A',
      name: 'Ruter',
      url: 'https://r.example',
      phone: '177',
      timeZone: 'Europe/Stockholm',
      language: 'no',
    });
  });

  it('uses the contacts of customer service where there are no others, and the locale of the organisation itself', () => {
    const [operator] = read(
      'organisation',
      frame(
        '<Operator id="O"><LegalName>Buss AS</LegalName><Locale><TimeZone>Europe/Helsinki</TimeZone></Locale><CustomerServiceContactDetails><Phone>1</Phone></CustomerServiceContactDetails></Operator>',
        locale('Europe/Oslo'),
      ),
    );
    assert.equal(operator?.name, 'Buss AS');
    assert.equal(operator?.phone, '1');
    assert.equal(operator?.timeZone, 'Europe/Helsinki');
  });

  it('applies the defaults of the innermost frame within it', () => {
    const zones = read(
      'organisation',
      `<CompositeFrame id="C">${locale('Europe/Oslo')}<frames>
        <ResourceFrame id="R">${locale('Europe/Paris')}<Operator id="1"/></ResourceFrame>
        <ResourceFrame id="S"><Operator id="2"/></ResourceFrame></frames></CompositeFrame>`,
    ).map(({ timeZone }) => timeZone);
    assert.deepEqual(zones, ['Europe/Paris', 'Europe/Oslo']);
  });

  it('reads a network with its groups and their lines', () => {
    const [network] = read(
      'network',
      frame(
        '<Network id="N"><Name>Net</Name><AuthorityRef ref="A"/><members><LineRef ref="L0"/></members><groupsOfLines><GroupOfLines id="G"><Name>Night</Name><PrivateCode>n</PrivateCode><members><LineRef ref="L1"/><FlexibleLineRef ref="L2"/></members></GroupOfLines></groupsOfLines></Network>',
      ),
    );
    assert.equal(network?.authorityRef, 'A');
    assert.deepEqual(network?.lineRefs, ['L0']);
    assert.deepEqual(network?.groups[0]?.lineRefs, ['L1', 'L2']);
    assert.equal(network?.groups[0]?.privateCode, 'n');
  });

  it('reads a flexible line: codes, colours, mode, booking, branding, accessibility', () => {
    const [line] = read(
      'line',
      frame(`<FlexibleLine id="F"><Name>Hent meg</Name><TransportMode>bus</TransportMode>
        <TransportSubmode><RailSubmode>unknown</RailSubmode><BusSubmode>localBus</BusSubmode></TransportSubmode>
        <PublicCode>H</PublicCode><PrivateCode>9</PrivateCode><OperatorRef ref="O"/><RepresentedByGroupRef ref="G"/>
        <BrandingRef ref="B"/><Presentation><Colour>00FF00</Colour><TextColour>000000</TextColour></Presentation>
        <AccessibilityAssessment id="X"><MobilityImpairedAccess>unknown</MobilityImpairedAccess><limitations>
        <AccessibilityLimitation><WheelchairAccess>true</WheelchairAccess></AccessibilityLimitation></limitations></AccessibilityAssessment>
        <FlexibleLineType>fixed</FlexibleLineType><BookingContact><Phone>12</Phone></BookingContact>
        <BookingMethods>callOffice online</BookingMethods><BookWhen>advanceOnly</BookWhen>
        <LatestBookingTime>15:00:00</LatestBookingTime><MinimumBookingPeriod>PT2H</MinimumBookingPeriod><BookingNote/></FlexibleLine>`),
    );
    assert.equal(line?.kind, 'FlexibleLine');
    assert.equal(line?.transportSubmode, 'localBus');
    assert.deepEqual(
      [line?.publicCode, line?.privateCode, line?.colour, line?.textColour],
      ['H', '9', '00FF00', '000000'],
    );
    assert.deepEqual([line?.operatorRef, line?.representedByGroupRef, line?.brandingRef], ['O', 'G', 'B']);
    assert.equal(line?.wheelchairAccess, 'true');
    assert.deepEqual(line?.booking?.methods, ['callOffice', 'online']);
    assert.equal(line?.booking?.contact?.phone, '12');
    assert.equal(line?.booking?.note, undefined);
    assert.equal(line?.booking?.latestBookingTime, '15:00:00');
  });
});

describe('entity reader: patterns and links', () => {
  it('reads the stops of a pattern in their order, without timing points', () => {
    const [pattern] = read(
      'pattern',
      frame(`<ServiceJourneyPattern id="P"><Name>Ut</Name><RouteRef ref="R"/><DirectionType>inbound</DirectionType><pointsInSequence>
        <StopPointInJourneyPattern id="2" order="3"><ScheduledStopPointRef ref="b"/><ForBoarding>false</ForBoarding><RequestStop>true</RequestStop></StopPointInJourneyPattern>
        <TimingPointInJourneyPattern id="t" order="2"/>
        <StopPointInJourneyPattern id="1" order="1"><ScheduledStopPointRef ref="a"/><DestinationDisplayRef ref="D"/>
        <BookingArrangements><BookingNote>Ring</BookingNote></BookingArrangements></StopPointInJourneyPattern></pointsInSequence>
        <linksInSequence><ServiceLinkInJourneyPattern id="l" order="1"><ServiceLinkRef ref="L"/></ServiceLinkInJourneyPattern></linksInSequence></ServiceJourneyPattern>`),
    );
    assert.deepEqual(
      pattern?.stops.map(({ id, scheduledStopPointRef, forBoarding, requestStop }) => [
        id,
        scheduledStopPointRef,
        forBoarding,
        requestStop,
      ]),
      [
        ['1', 'a', true, false],
        ['2', 'b', false, true],
      ],
    );
    assert.equal(pattern?.stops[0]?.booking?.note, 'Ring');
    assert.deepEqual(pattern?.serviceLinkRefs, ['L']);
    assert.equal(pattern?.directionType, 'inbound');
  });

  it('reads the geometry of a link, from a list or from single positions, in two dimensions or three', () => {
    const link = (line: string): string =>
      frame(
        `<ServiceLink id="L"><Distance>120.5</Distance><projections><LinkSequenceProjection id="x">${line}</LinkSequenceProjection></projections><FromPointRef ref="a"/><ToPointRef ref="b"/></ServiceLink>`,
      );
    const positions = (line: string): number[] => [...(read('serviceLink', link(line))[0]?.positions ?? [])];
    const expected = [600_000_000, 100_000_000, 601_000_000, 101_000_000];
    assert.deepEqual(
      positions('<gis:LineString><gis:posList>60 10 60.1 10.1</gis:posList></gis:LineString>'),
      expected,
    );
    assert.deepEqual(
      positions('<gis:LineString srsDimension="3"><gis:posList>60 10 5 60.1 10.1 6</gis:posList></gis:LineString>'),
      expected,
    );
    assert.deepEqual(
      positions('<gis:LineString><gis:pos>60 10</gis:pos><gis:pos>60.1 10.1</gis:pos></gis:LineString>'),
      expected,
    );
    assert.deepEqual(positions('<gis:LineString><gis:posList>600 10 60 10</gis:posList></gis:LineString>'), []);
    assert.equal(read('serviceLink', link(''))[0]?.distanceMetres, 120.5);
  });

  it('reads displays with vias by reference and by name', () => {
    const [display] = read(
      'destinationDisplay',
      frame(
        '<DestinationDisplay id="D"><FrontText>Sentrum</FrontText><vias><Via><DestinationDisplayRef ref="V"/></Via><Via><Name>Torget</Name></Via></vias></DestinationDisplay>',
      ),
    );
    assert.equal(display?.frontText, 'Sentrum');
    assert.deepEqual(display?.vias, [
      { displayRef: 'V', name: undefined },
      { displayRef: undefined, name: 'Torget' },
    ]);
  });
});

describe('entity reader: journeys', () => {
  it('reads passing times with day offsets and windows, and ignores timing points', () => {
    const [journey] = read(
      'serviceJourney',
      frame(`<ServiceJourney id="J"><PrivateCode>7</PrivateCode><dayTypes><DayTypeRef ref="W"/><DayTypeRef ref="X"/></dayTypes>
        <JourneyPatternRef ref="P"/><OperatorRef ref="O"/><passingTimes>
        <TimetabledPassingTime id="t1"><StopPointInJourneyPatternRef ref="1"/><DepartureTime>23:50:00</DepartureTime></TimetabledPassingTime>
        <TimetabledPassingTime><TimingPointInJourneyPatternRef ref="x"/><DepartureTime>23:55:00</DepartureTime></TimetabledPassingTime>
        <TimetabledPassingTime><StopPointInJourneyPatternRef ref="2"/><ArrivalTime>00:10:00</ArrivalTime><ArrivalDayOffset>1</ArrivalDayOffset></TimetabledPassingTime>
        <TimetabledPassingTime><StopPointInJourneyPatternRef ref="3"/><LatestArrivalTime>02:00:00</LatestArrivalTime><LatestArrivalDayOffset>1</LatestArrivalDayOffset><EarliestDepartureTime>01:00:00</EarliestDepartureTime></TimetabledPassingTime>
        </passingTimes><FlexibleServiceProperties><FlexibleServiceType>dynamicPassingTimes</FlexibleServiceType><BookingNote>N</BookingNote></FlexibleServiceProperties></ServiceJourney>`),
    );
    assert.deepEqual(
      journey?.times.map((time) => [
        time.id,
        time.patternStopRef,
        time.arrival,
        time.departure,
        time.latestArrival,
        time.earliestDeparture,
      ]),
      [
        ['t1', '1', -1, 85_800, -1, -1],
        [undefined, '2', 87_000, -1, -1, -1],
        [undefined, '3', -1, -1, 93_600, 3_600],
      ],
    );
    assert.deepEqual(journey?.dayTypeRefs, ['W', 'X']);
    assert.equal(journey?.booking?.note, 'N');
    assert.equal(journey?.flexibleServiceType, 'dynamicPassingTimes');
  });

  it('reads frequency groups inside and outside a template', () => {
    const group =
      '<HeadwayJourneyGroup id="H"><ScheduledHeadwayInterval>PT10M</ScheduledHeadwayInterval><FirstDepartureTime>06:00:00</FirstDepartureTime><LastDepartureTime>00:30:00</LastDepartureTime><LastDayOffset>1</LastDayOffset></HeadwayJourneyGroup>';
    const expected = { id: 'H', firstDeparture: 21_600, lastDeparture: 88_200, intervalSeconds: 600 };
    const [journey] = read(
      'serviceJourney',
      frame(
        `<TemplateServiceJourney id="T"><frequencyGroups>${group}<HeadwayJourneyGroupRef ref="I"/></frequencyGroups></TemplateServiceJourney>`,
      ),
    );
    assert.deepEqual(journey?.headways, [expected]);
    assert.deepEqual(journey?.headwayRefs, ['I']);
    assert.deepEqual(read('headway', frame(group)), [expected]);
  });

  it('reads dated journeys, the journeys they replace in both forms, and interchanges', () => {
    const dated = read(
      'datedServiceJourney',
      frame(`<DatedServiceJourney id="D"><ServiceAlteration>extraJourney</ServiceAlteration><ServiceJourneyRef ref="J"/>
        <DatedServiceJourneyRef ref="a"/><OperatingDayRef ref="Y"/><replacedJourneys><DatedServiceJourneyRef ref="b"/></replacedJourneys></DatedServiceJourney>`),
    );
    assert.deepEqual(dated, [
      {
        id: 'D',
        validity: undefined,
        serviceJourneyRef: 'J',
        operatingDayRef: 'Y',
        serviceAlteration: 'extraJourney',
        replacedRefs: ['a', 'b'],
      },
    ]);
    const [interchange] = read(
      'interchange',
      frame(`<ServiceJourneyInterchange id="I"><Priority>-1</Priority><StaySeated>true</StaySeated><Guaranteed>1</Guaranteed>
        <MaximumWaitTime>PT5M</MaximumWaitTime><FromPointRef ref="a"/><ToPointRef ref="b"/><FromVisitNumber>2</FromVisitNumber>
        <FromJourneyRef ref="J"/><ToJourneyRef ref="K"/></ServiceJourneyInterchange>`),
    );
    assert.deepEqual(interchange, {
      id: 'I',
      fromPointRef: 'a',
      toPointRef: 'b',
      fromVisitNumber: 2,
      toVisitNumber: undefined,
      fromJourneyRef: 'J',
      toJourneyRef: 'K',
      priority: -1,
      staySeated: true,
      guaranteed: true,
      maximumWaitSeconds: 300,
    });
  });

  it('reads notice assignments in a list, inside their element, and with an embedded notice', () => {
    const assignments = read(
      'noticeAssignment',
      frame(
        `<noticeAssignments><NoticeAssignment id="1"><NoticeRef ref="n"/><NoticedObjectRef ref="L"/></NoticeAssignment></noticeAssignments>`,
      ) +
        frame(
          `<Line id="M"><noticeAssignments><NoticeAssignment id="2"><Notice id="m"><Text>Hei</Text></Notice></NoticeAssignment></noticeAssignments></Line>`,
        ),
    );
    assert.equal(assignments[0]?.noticedObjectRef, 'L');
    assert.deepEqual(assignments[1], {
      noticeRef: undefined,
      noticedObjectRef: 'M',
      notice: { id: 'm', text: 'Hei', publicCode: undefined },
    });
    assert.deepEqual(
      kindsOf(
        frame(
          '<Line id="M"><noticeAssignments><NoticeAssignment id="2"><NoticeRef ref="n"/></NoticeAssignment></noticeAssignments></Line>',
        ),
      ),
      ['noticeAssignment -', 'line M'],
    );
  });
});

describe('entity reader: ignored elements', () => {
  it('leaves out non-public elements, by their own attribute, their frame or the given list', () => {
    assert.deepEqual(
      kindsOf(
        `${frame(
          '<Line id="1" publication="restricted"/><Line id="2"/><Line id="3" publication="public"/><Line id="4"/>',
        )}<ServiceFrame id="F" publication="test"><Line id="5"/></ServiceFrame>`,
        (id) => id === '4',
      ),
      ['line 2', 'line 3'],
    );
  });

  it('leaves restricted parts out of an entity', () => {
    const [line] = read(
      'line',
      frame('<Line id="1"><PrivateCode publication="private">x</PrivateCode><PublicCode>4</PublicCode></Line>'),
    );
    assert.equal(line?.privateCode, undefined);
    assert.equal(line?.publicCode, '4');
  });

  it('ignores SiteFrames, vehicle schedules and extensions', () => {
    assert.deepEqual(
      kindsOf(
        '<SiteFrame id="S"><tariffZones><TariffZone id="Z"/></tariffZones></SiteFrame><VehicleScheduleFrame id="V"><Line id="1"/></VehicleScheduleFrame>' +
          frame('<Extensions><Line id="2"/></Extensions><Notice id="n"/>') +
          '<FareFrame id="F"><TariffZone id="Y"/></FareFrame>',
      ),
      ['notice n', 'zone Y'],
    );
  });
});
