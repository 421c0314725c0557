import assert from 'node:assert/strict';
import { IdIndex } from '../../../netex/dataset/id-index.ts';
import { codesOf, registerOfQuays, serviceFrame, validateCommon, validateLine } from '../support/sample-files.ts';

/** Targets for the references of a case. */
const KNOWN = IdIndex.of(
  ['Authority', 'ScheduledStopPoint', 'DestinationDisplay'].map((kind) => ({
    id: `ABC:${kind}:1`,
    label: '_other.xml',
  })),
).bytes;
const REGISTER = registerOfQuays('NSR:Quay:1', 'NSR:Quay:2');
const context = { commonIds: KNOWN, stopRegister: REGISTER };

const FAMILY = /^(NETWORK|SERVICE_FRAME|PASSENGER_STOP|DESTINATION|SERVICE_LINK)_/;
const codes = (content: string) => codesOf(validateLine(serviceFrame(content), context), FAMILY);
const element = (name: string, content = '', number = 1) =>
  `<${name} id="ABC:${name}:${number}" version="1">${content}</${name}>`;

describe('rules: networks', () => {
  const NAME = '<Name>Byen</Name>';
  const AUTHORITY = '<AuthorityRef ref="ABC:Authority:1"/>';
  const group = (content: string) => `<groupsOfLines>${element('GroupOfLines', content)}</groupsOfLines>`;

  it('NETWORK_1: a network has an authority', () => {
    assert.deepEqual(codes(element('Network', NAME + AUTHORITY)), []);
    assert.deepEqual(codes(element('Network', NAME)), ['NETWORK_1']);
  });

  it('NETWORK_2: a network has a name', () => {
    assert.deepEqual(codes(element('Network', AUTHORITY)), ['NETWORK_2']);
    assert.deepEqual(codes(element('Network', `<Name> </Name>${AUTHORITY}`)), ['NETWORK_2']);
  });

  it('NETWORK_1, NETWORK_2: additional networks are checked, too', () => {
    const more = (content: string) => `<additionalNetworks>${element('Network', content)}</additionalNetworks>`;
    assert.deepEqual(codes(more(NAME + AUTHORITY)), []);
    assert.deepEqual(codes(more('')), ['NETWORK_1', 'NETWORK_2']);
  });

  it('NETWORK_3: its groups of lines have names', () => {
    assert.deepEqual(codes(element('Network', NAME + AUTHORITY + group(NAME))), []);
    assert.deepEqual(codes(element('Network', NAME + AUTHORITY + group(''))), ['NETWORK_3']);
  });

  it('SERVICE_FRAME_1: groups of lines are in a network', () => {
    assert.deepEqual(codes(group('')), ['SERVICE_FRAME_1']);
  });
});

describe('rules: elements of a ServiceFrame', () => {
  it('SERVICE_FRAME_2: timing points are not allowed', () => {
    assert.deepEqual(codes('<scheduledStopPoints/>'), []);
    assert.deepEqual(codes('<timingPoints/>'), ['SERVICE_FRAME_2']);
  });

  it('SERVICE_FRAME_3: route points are projected to stop points', () => {
    assert.deepEqual(codes(`<routePoints>${element('RoutePoint', '<projections/>')}</routePoints>`), []);
    assert.deepEqual(codes(`<routePoints>${element('RoutePoint')}</routePoints>`), ['SERVICE_FRAME_3']);
  });

  for (const [code, list, name] of [
    ['SERVICE_FRAME_IN_COMMON_FILE_1', 'lines', 'Line'],
    ['SERVICE_FRAME_IN_COMMON_FILE_2', 'routes', 'Route'],
    ['SERVICE_FRAME_IN_COMMON_FILE_3', 'journeyPatterns', 'JourneyPattern'],
    ['SERVICE_FRAME_IN_COMMON_FILE_3', 'journeyPatterns', 'ServiceJourneyPattern'],
  ] as const) {
    it(`${code}: ${name} is defined in line files`, () => {
      const xml = serviceFrame(`<${list}>${element(name)}</${list}>`);
      assert.ok(!codesOf(validateLine(xml, context)).includes(code));
      assert.deepEqual(codesOf(validateCommon(xml, context), FAMILY), [code]);
    });
  }
});

describe('rules: stop assignments and displays', () => {
  const POINT = '<ScheduledStopPointRef ref="ABC:ScheduledStopPoint:1"/>';
  const QUAY = '<QuayRef ref="NSR:Quay:1"/>';
  const assignments = (...contents: string[]) =>
    `<stopAssignments>${contents.map((content, n) => element('PassengerStopAssignment', content, n)).join('')}</stopAssignments>`;

  it('PASSENGER_STOP_ASSIGNMENT_1: an assignment has a stop point', () => {
    assert.deepEqual(codes(assignments(POINT + QUAY)), []);
    assert.deepEqual(codes(assignments(QUAY)), ['PASSENGER_STOP_ASSIGNMENT_1']);
  });

  it('PASSENGER_STOP_ASSIGNMENT_2: an assignment has a quay', () => {
    assert.deepEqual(codes(assignments(POINT)), ['PASSENGER_STOP_ASSIGNMENT_2']);
  });

  it('PASSENGER_STOP_ASSIGNMENT_3: each quay is assigned once', () => {
    assert.deepEqual(codes(assignments(POINT + QUAY, POINT + QUAY.replace('Quay:1', 'Quay:2'))), []);
    assert.deepEqual(codes(assignments(POINT + QUAY, POINT + QUAY, POINT + QUAY)), ['PASSENGER_STOP_ASSIGNMENT_3 ×2']);
  });

  const display = (content: string) =>
    `<destinationDisplays>${element('DestinationDisplay', content)}</destinationDisplays>`;

  it('DESTINATION_DISPLAY_1: a display has a front text', () => {
    assert.deepEqual(codes(display('<FrontText>Byen</FrontText>')), []);
    assert.deepEqual(codes(display('')), ['DESTINATION_DISPLAY_1']);
    assert.deepEqual(codes(display('<FrontText/>')), ['DESTINATION_DISPLAY_1']);
  });

  it('DESTINATION_DISPLAY_2: a via names its display', () => {
    const via = (content: string) => display(`<FrontText>Byen</FrontText><vias><Via>${content}</Via></vias>`);
    assert.deepEqual(codes(via('<DestinationDisplayRef ref="ABC:DestinationDisplay:1" version="1"/>')), []);
    assert.deepEqual(codes(via('')), ['DESTINATION_DISPLAY_2']);
  });
});

describe('rules: service links', () => {
  const FROM = '<FromPointRef ref="ABC:ScheduledStopPoint:1"/>';
  const TO = '<ToPointRef ref="ABC:ScheduledStopPoint:1"/>';
  const line = (positions: string) =>
    `<projections><LinkSequenceProjection id="ABC:LinkSequenceProjection:1" version="1">` +
    `<gml:LineString xmlns:gml="http://www.opengis.net/gml/3.2">${positions}</gml:LineString>` +
    '</LinkSequenceProjection></projections>';
  const link = (content: string) => codes(`<serviceLinks>${element('ServiceLink', content)}</serviceLinks>`);
  const LIST = '<gml:posList>59.9 10.7 59.8 10.7</gml:posList>';

  it('SERVICE_LINK_1, SERVICE_LINK_2: a link has two ends', () => {
    assert.deepEqual(link(FROM + TO + line(LIST)), []);
    assert.deepEqual(link(TO + line(LIST)), ['SERVICE_LINK_1']);
    assert.deepEqual(link(FROM + line(LIST)), ['SERVICE_LINK_2']);
  });

  it('SERVICE_LINK_3: a link has a geometry', () => assert.deepEqual(link(FROM + TO), ['SERVICE_LINK_3']));

  it('SERVICE_LINK_4: the list of positions is not empty', () => {
    assert.deepEqual(link(FROM + TO + line('<gml:posList> </gml:posList>')), ['SERVICE_LINK_4']);
  });

  it('SERVICE_LINK_5: the list has at least two positions', () => {
    const position = '<gml:pos>59.9 10.7</gml:pos>';
    assert.deepEqual(link(FROM + TO + line(position + position)), []);
    assert.deepEqual(link(FROM + TO + line(position)), ['SERVICE_LINK_5']);
    assert.deepEqual(link(FROM + TO + line('<gml:posList>\n59.9 10.7\n60 10.8</gml:posList>')), []);
    assert.deepEqual(link(FROM + TO + line('<gml:posList>59.9 10.7 </gml:posList>')), ['SERVICE_LINK_5']);
  });
});
