/**
 * Tests the import of lines, patterns, stops, notices and interchanges, of several datasets, and of data that is not
 * public.
 */
import assert from 'node:assert/strict';
import { importAll, type Options } from './recorded-import.ts';
import {
  type Common,
  commonFile,
  dataset,
  journey,
  LINE,
  type LineFile,
  line,
  lineFile,
  pattern,
  REGISTER,
} from './small-network.ts';

const imported = (file: LineFile, common?: Common, options?: Options) =>
  importAll([dataset(file, common)], { register: REGISTER, ...options });
const TIMES = ['10:00', '10:05', '10:10'];
const P = pattern({ id: 'P', stops: ['a', 'b', 'c'] });
const J = journey({ id: 'J', pattern: 'P', times: TIMES });

describe('import of lines', () => {
  it('maps codes, mode, colours, booking, branding, groups, and the zone of the authority', async () => {
    const { lines, authorities, operators, groups } = await imported(
      {
        lines: `<FlexibleLine id="F" version="1"><Name>Hent</Name><TransportMode>water</TransportMode><TransportSubmode><WaterSubmode>localCarFerry</WaterSubmode></TransportSubmode><PublicCode>1</PublicCode><PrivateCode>11</PrivateCode><OperatorRef ref="O"/><RepresentedByGroupRef ref="G"/><BrandingRef ref="B"/><Presentation><Colour>a0b1c2</Colour><TextColour>red</TextColour></Presentation><FlexibleLineType>mixedFlexible</FlexibleLineType><BookingMethods>online</BookingMethods><LatestBookingTime>15:00:00.000</LatestBookingTime></FlexibleLine>`,
      },
      {
        organisations:
          '<Authority id="A2" version="1"><Name>Two</Name></Authority><Branding id="B" version="1"><Name>Brand</Name></Branding>',
        service:
          '<additionalNetworks><Network id="N2" version="1"><AuthorityRef ref="A2"/><groupsOfLines><GroupOfLines id="G" version="1"><Name>Boats</Name></GroupOfLines></groupsOfLines></Network></additionalNetworks>',
      },
    );
    const [ferry] = lines;
    assert.deepEqual(
      [ferry?.mode, ferry?.submode, ferry?.publicCode, ferry?.privateCode, ferry?.colour, ferry?.textColour],
      ['water', 'localCarFerry', '1', '11', 'A0B1C2', undefined],
    );
    assert.deepEqual([ferry?.authorityId, ferry?.operatorId, ferry?.groupIds], ['A2', 'O', ['G']]);
    assert.equal(ferry?.branding?.name, 'Brand');
    assert.equal(ferry?.flexibleLineType, 'mixedFlexible');
    assert.deepEqual([ferry?.booking?.methods, ferry?.booking?.latestBookingTime], [['online'], '15:00:00']);
    assert.deepEqual(
      authorities.map(({ id, timeZone }) => [id, timeZone]),
      [
        ['A', 'Europe/Stockholm'],
        ['A2', 'Europe/Stockholm'],
      ],
    );
    assert.deepEqual(
      operators.map(({ name }) => name),
      ['Oper'],
    );
    assert.deepEqual(
      groups.map(({ name }) => name),
      ['Boats'],
    );
  });

  it('drops submodes that the interface lacks, and recognises other spellings of modes', async () => {
    const { lines } = await imported({
      lines:
        '<Line id="1" version="1"><TransportMode>trolleyBus</TransportMode><TransportSubmode><BusSubmode>rocketBus</BusSubmode></TransportSubmode><RepresentedByGroupRef ref="N"/></Line>' +
        '<Line id="2" version="1"><TransportMode>ferry</TransportMode><RepresentedByGroupRef ref="N"/></Line>' +
        '<Line id="3" version="1"><TransportMode>sledge</TransportMode><RepresentedByGroupRef ref="N"/></Line>',
    });
    assert.deepEqual(
      lines.map(({ mode, submode }) => [mode, submode]),
      [
        ['trolleybus', undefined],
        ['water', undefined],
        ['unknown', undefined],
      ],
    );
  });

  it('finds the authority of a line in a network or as the only one, else counts the line', async () => {
    const bare = '<Line id="X" version="1"><TransportMode>bus</TransportMode></Line>';
    const { lines: one } = await imported({ lines: bare });
    assert.equal(one[0]?.authorityId, 'A');
    const organisations = '<Authority id="A2" version="1"/>';
    const { lines: none, rejected } = await imported(
      { lines: bare, patterns: pattern({ id: 'P', stops: ['a', 'b'], line: 'X' }) },
      { organisations },
    );
    assert.deepEqual(none, []);
    assert.deepEqual(rejected, [
      'line: no authority is known: X',
      'journeyPattern: its line is not known or was left out: P',
    ]);
    const listed =
      '<Network id="M" version="1"><AuthorityRef ref="A2"/><members><LineRef ref="X"/></members></Network>';
    assert.equal((await imported({ lines: bare }, { organisations, service: listed })).lines[0]?.authorityId, 'A2');
  });
});

describe('import of journey patterns', () => {
  it('maps stops with flags, displays, vias, booking and polylines', async () => {
    const { patterns, rejected } = await imported(
      {
        service:
          '<routes><Route id="R" version="1"><LineRef ref="L"/><DirectionRef ref="Dir"/></Route></routes><directions><Direction id="Dir"><DirectionType>inbound</DirectionType></Direction></directions>',
        patterns: pattern({
          id: 'P',
          stops: [
            { point: 'a', more: '<ForAlighting>false</ForAlighting><DestinationDisplayRef ref="D"/>' },
            {
              point: 'b',
              more: '<RequestStop>true</RequestStop><BookingArrangements><BookingNote>Ring</BookingNote></BookingArrangements>',
            },
            { point: 'c', more: '<ForBoarding>false</ForBoarding>' },
          ],
          more: '<RouteRef ref="R"/><linksInSequence><ServiceLinkInJourneyPattern id="1" order="1"><ServiceLinkRef ref="bc"/></ServiceLinkInJourneyPattern><ServiceLinkInJourneyPattern id="2" order="2"><ServiceLinkRef ref="gone"/></ServiceLinkInJourneyPattern></linksInSequence>',
        }),
      },
      {
        service:
          '<serviceLinks><ServiceLink id="bc" version="1"><Distance>7</Distance><projections><LinkSequenceProjection id="x" version="1"><gml:LineString gml:id="y"><gml:posList>60.1 10 60.2 10.5</gml:posList></gml:LineString></LinkSequenceProjection></projections><FromPointRef ref="b"/><ToPointRef ref="c"/></ServiceLink></serviceLinks>' +
          '<destinationDisplays><DestinationDisplay id="D" version="1"><FrontText>Sentrum</FrontText><vias><Via><DestinationDisplayRef ref="V"/></Via></vias></DestinationDisplay><DestinationDisplay id="V" version="1"><FrontText>Torget</FrontText></DestinationDisplay></destinationDisplays>',
      },
    );
    const stops = patterns[0]?.stops ?? [];
    assert.equal(patterns[0]?.direction, 'inbound');
    assert.deepEqual(
      stops.map(({ quayId, forBoarding, forAlighting, requestStop }) => [
        quayId,
        forBoarding,
        forAlighting,
        requestStop,
      ]),
      [
        ['NSR:Quay:a', true, false, false],
        ['NSR:Quay:b', true, true, true],
        ['NSR:Quay:c', false, true, false],
      ],
    );
    assert.deepEqual([stops[0]?.frontText, stops[0]?.vias], ['Sentrum', ['Torget']]);
    assert.equal(stops[1]?.booking?.note, 'Ring');
    // The link is at a wrong index of the list; its ends show its position.
    assert.deepEqual([stops[0]?.path, stops[1]?.path, stops[1]?.pathMetres], [undefined, [60.1, 10, 60.2, 10.5], 7]);
    assert.deepEqual(rejected, ['serviceLink: not known: gone']);
  });

  it('leaves out a pattern with an unknown stop, and its journeys', async () => {
    const { patterns, rejected } = await imported({
      patterns: pattern({ id: 'P', stops: ['a', 'nowhere', 'c'] }),
      journeys: J,
    });
    assert.deepEqual(patterns, []);
    assert.deepEqual(rejected, [
      'journeyPattern: a stop point stands for no known stop: P at nowhere',
      'serviceJourney: its journey pattern is not known or was left out: J',
    ]);
  });

  it('maps notices of lines, patterns, their stops, journeys and calls', async () => {
    const assign = (id: string, notice: string, object: string): string =>
      `<NoticeAssignment id="${id}" version="1" order="1"><NoticeRef ref="${notice}"/><NoticedObjectRef ref="${object}"/></NoticeAssignment>`;
    const { notices, lines, patterns, journeys, rejected } = await imported(
      {
        patterns: P,
        journeys: J,
        timetable: `<noticeAssignments>${assign('1', 'n1', 'L')}${assign('2', 'n1', 'P')}${assign('3', 'n2', 'P-2')}${assign('4', 'n2', 'J')}${assign('5', 'n1', 'J-t3')}${assign('6', 'n2', 'J-t3')}${assign('7', 'n9', 'J')}</noticeAssignments>`,
      },
      {
        service:
          '<notices><Notice id="n1" version="1"><Text>Hei</Text><PublicCode>h</PublicCode></Notice><Notice id="n2" version="1"><Text>Du</Text></Notice></notices>',
      },
    );
    assert.deepEqual(
      notices.map(({ id, text, publicCode }) => [id, text, publicCode]),
      [
        ['n1', 'Hei', 'h'],
        ['n2', 'Du', undefined],
      ],
    );
    assert.deepEqual(
      [lines[0]?.noticeIds, patterns[0]?.noticeIds, patterns[0]?.stops[1]?.noticeIds],
      [['n1'], ['n1'], ['n2']],
    );
    assert.deepEqual(journeys[0]?.noticeIds, ['n2', 'n9']);
    assert.deepEqual([...(journeys[0]?.callNoticeIds ?? [])], [[2, ['n1', 'n2']]]);
    // The builder counts the unknown `n9`.
    assert.deepEqual(rejected, []);
  });
});

describe('import of interchanges', () => {
  const interchange = (id: string, more: string): string =>
    `<ServiceJourneyInterchange id="${id}" version="1">${more}</ServiceJourneyInterchange>`;

  it('finds the calls of journeys of any two files', async () => {
    const { interchanges, rejected } = await importAll(
      [
        {
          files: {
            '_ABC.xml': commonFile(),
            'ABC_1.xml': lineFile({
              patterns: pattern({ id: 'P', stops: ['a', 'b', 'c', 'b'] }),
              journeys: journey({ id: 'J', pattern: 'P', times: ['10:00', '10:05', '10:10', '10:15'] }),
              timetable: `<journeyInterchanges>${interchange(
                'I',
                '<Priority>1</Priority><Guaranteed>true</Guaranteed><FromPointRef ref="b"/><ToPointRef ref="b"/><FromJourneyRef ref="J"/><ToJourneyRef ref="K"/>',
              )}${interchange('X', '<FromPointRef ref="b"/><ToPointRef ref="b"/><FromJourneyRef ref="J"/><ToJourneyRef ref="gone"/>')}${interchange(
                'Y',
                '<FromPointRef ref="e"/><ToPointRef ref="b"/><FromJourneyRef ref="J"/><ToJourneyRef ref="K"/>',
              )}${interchange('V', '<FromPointRef ref="b"/><FromVisitNumber>1</FromVisitNumber><FromJourneyRef ref="J"/><ToJourneyRef ref="K"/><StaySeated>true</StaySeated><MaximumWaitTime>PT3M</MaximumWaitTime>')}</journeyInterchanges>`,
            }),
            'ABC_2.xml': lineFile({
              lines: line('M'),
              patterns: pattern({ id: 'Q', line: 'M', stops: ['a', 'b', 'd'] }),
              journeys: journey({ id: 'K', pattern: 'Q', times: TIMES }),
            }),
          },
        },
      ],
      { register: REGISTER },
    );
    assert.deepEqual(
      interchanges.map((it) => [
        it.id,
        it.fromPosition,
        it.toPosition,
        it.guaranteed,
        it.staySeated,
        it.priority,
        it.maximumWaitSeconds,
      ]),
      [
        ['I', 3, 1, true, false, 'recommended', undefined],
        ['V', 1, 0, false, true, undefined, 180],
      ],
    );
    assert.deepEqual(rejected, [
      'interchange: a journey is not known or was left out: X',
      'interchange: a journey does not call at the stop point: Y',
    ]);
  });
});

describe('import of very many interchanges', () => {
  it('maps all of one file', async () => {
    const all = Array.from(
      { length: 150_000 },
      (_, at) =>
        `<ServiceJourneyInterchange id="${at}" version="1"><FromJourneyRef ref="J"/><ToJourneyRef ref="J"/></ServiceJourneyInterchange>`,
    );
    const { interchanges } = await importAll(
      [
        dataset({
          patterns: pattern({ id: 'P', stops: ['a', 'b'] }),
          journeys: journey({ id: 'J', pattern: 'P', times: ['10:00', '10:05'] }),
          timetable: `<journeyInterchanges>${all.join('')}</journeyInterchanges>`,
        }),
      ],
      { register: REGISTER },
    );
    assert.equal(interchanges.length, all.length);
  });
});

describe('import of several datasets', () => {
  it('reads them in the order of their codespaces', async () => {
    const [one, two] = [
      dataset({ patterns: P, journeys: J }),
      dataset({ lines: line('M'), patterns: pattern({ id: 'Q', line: 'M', stops: ['a', 'b'] }) }),
    ];
    for (const datasets of [
      [
        { ...one, codespace: 'abc' },
        { ...two, codespace: 'xyz' },
      ],
      [
        { ...two, codespace: 'xyz' },
        { ...one, codespace: 'abc' },
      ],
    ]) {
      const { lines, report } = await importAll(datasets, { register: REGISTER });
      assert.deepEqual(
        lines.map(({ id }) => id),
        ['L', 'M'],
      );
      assert.deepEqual(
        report.datasets.map(({ codespace, counts }) => [codespace, counts.serviceJourneys]),
        [
          ['abc', 1],
          ['xyz', undefined],
        ],
      );
    }
  });

  it('reports progress of every file once, and stops when aborted', async () => {
    const seen: string[] = [];
    await imported(
      { patterns: P },
      {},
      { progress: ({ fileName, filesDone, filesTotal }) => seen.push(`${fileName} ${filesDone}/${filesTotal}`) },
    );
    assert.deepEqual(seen, ['_ABC_shared_data.xml 1/2', 'ABC_line.xml 2/2']);
    await assert.rejects(imported({}, {}, { signal: AbortSignal.abort(new Error('enough')) }), /enough/);
  });

  it('skips and counts a file that is not XML', async () => {
    const files = { '_ABC.xml': commonFile(), 'ABC_1.xml': '<a>', 'ABC_2.xml': lineFile({ patterns: P }) };
    const { lines, rejected } = await importAll([{ files }], { register: REGISTER });
    assert.equal(lines.length, 1);
    assert.match(rejected.join(), /^file: cannot be read to its end: ABC_1.xml/);
  });
});

describe('import for the public', () => {
  const seen = async (file: LineFile, common?: Common) => {
    const { lines, patterns, journeys, notices, rejected } = await imported(file, common);
    assert.deepEqual(rejected, []);
    return [...lines, ...patterns, ...journeys, ...notices].map(({ id }) => id);
  };

  it('never maps restricted data, nor data that depends on it', async () => {
    const other = pattern({ id: 'Q', line: 'M', stops: ['a', 'b', 'c'] }) + P;
    const journeys = J + journey({ id: 'K', pattern: 'Q', times: TIMES });
    assert.deepEqual(
      await seen({ lines: LINE + line('M', '', ' publication="restricted"'), patterns: other, journeys }),
      ['L', 'P', 'J'],
    );
    assert.deepEqual(
      await seen({
        lines: LINE + line('M'),
        patterns: other,
        journeys: journeys.replace('<ServiceJourney id="J"', '<ServiceJourney publication="private" id="J"'),
      }),
      ['L', 'M', 'Q', 'P', 'K'],
    );
  });

  it('never maps restricted frames, dead runs or blocks', async () => {
    const more =
      `<TimetableFrame id="X" version="1" publication="confidential"><vehicleJourneys>${journey({ id: 'K', pattern: 'P', times: TIMES })}</vehicleJourneys></TimetableFrame>` +
      `<TimetableFrame id="Y" version="1"><vehicleJourneys>${journey({ id: 'DR', pattern: 'P', times: TIMES, kind: 'DeadRun' })}</vehicleJourneys></TimetableFrame>` +
      '<VehicleScheduleFrame id="V" version="1"><blocks><Block id="B" version="1"><journeys><VehicleJourneyRef ref="J"/></journeys></Block></blocks></VehicleScheduleFrame>';
    assert.deepEqual(await seen({ patterns: P, journeys: J, more }), ['L', 'P', 'J']);
  });
});
