import assert from 'node:assert/strict';
import { codesOf, serviceFrame, validateCommon, validateLine } from '../support/sample-files.ts';

const FAMILY = /^(LINE|FLEXIBLE_LINE|ROUTE)_/;
const codes = (content: string) => codesOf(validateLine(serviceFrame(content)), FAMILY);

const LINE = {
  Name: 'Ringen',
  PublicCode: '20',
  TransportMode: 'bus',
  TransportSubmode: '<BusSubmode>localBus</BusSubmode>',
  RepresentedByGroupRef: '',
};
const ROUTE = { Name: 'Ut', LineRef: '', pointsInSequence: '' };
type Children = Record<string, string | undefined>;

function element(name: string, children: Children, number = 1): string {
  const content = Object.entries(children)
    .map(([child, value]) => (value === undefined ? '' : `<${child}>${value}</${child}>`))
    .join('');
  return `<${name} id="ABC:${name}:${number}" version="1">${content}</${name}>`;
}

const pattern = (route = 1) =>
  `<journeyPatterns><JourneyPattern id="ABC:JourneyPattern:${route}" version="1">` +
  `<RouteRef ref="ABC:Route:${route}" version="1"/></JourneyPattern></journeyPatterns>`;
const lines = (...content: string[]) => `<lines>${content.join('')}</lines>`;
const routes = (...content: string[]) => `<routes>${content.join('')}</routes>`;
const USED_ROUTE = routes(element('Route', ROUTE)) + pattern();

const line = (changes: Children) => codes(lines(element('Line', { ...LINE, ...changes })) + USED_ROUTE);
const flexible = (changes: Children) =>
  codes(lines(element('FlexibleLine', { ...LINE, FlexibleLineType: 'fixed', ...changes })) + USED_ROUTE);
const route = (changes: Children) =>
  codes(lines(element('Line', LINE)) + routes(element('Route', { ...ROUTE, ...changes })) + pattern());

describe('rules: lines', () => {
  it('a complete line and a complete flexible line break none', () => {
    assert.deepEqual(line({}), []);
    assert.deepEqual(flexible({}), []);
  });

  it('LINE_1: a line file defines one line', () => {
    const second = element('FlexibleLine', { ...LINE, FlexibleLineType: 'fixed' }, 2);
    assert.deepEqual(codes(lines(element('Line', LINE), second) + USED_ROUTE), ['LINE_1']);
    assert.deepEqual(codes(USED_ROUTE), ['LINE_1']);
    assert.deepEqual(codesOf(validateCommon(serviceFrame('')), FAMILY), []);
  });

  for (const [code, child] of [
    ['LINE_2', 'Name'],
    ['LINE_3', 'PublicCode'],
    ['LINE_4', 'TransportMode'],
    ['LINE_5', 'TransportSubmode'],
    ['LINE_7', 'RepresentedByGroupRef'],
  ] as const) {
    it(`${code}: a line has a ${child}`, () => {
      assert.deepEqual(line({ [child]: undefined }), [code]);
      assert.deepEqual(flexible({ [child]: undefined }), [code]);
    });
  }

  it('LINE_2, LINE_3: the child is not empty', () => {
    assert.deepEqual(line({ Name: ' ' }), ['LINE_2']);
    assert.deepEqual(line({ PublicCode: '' }), ['LINE_3']);
  });

  it('LINE_6: routes are not inside a line', () => {
    assert.deepEqual(line({ routes: element('Route', ROUTE, 2) }), ['LINE_6']);
  });

  const colour = (value: string) => line({ Presentation: `<Colour>${value}</Colour>` });

  it('LINE_8: colours have six characters', () => {
    for (const fit of ['FF8800', 'abcdef', '', ' FF8800\n']) assert.deepEqual(colour(fit), [], fit);
    assert.deepEqual(colour('FF88001'), ['LINE_8']);
    assert.deepEqual(line({ AlternativePresentation: '<TextColour>1234567</TextColour>' }), ['LINE_8']);
  });

  it('LINE_9: colours are hexadecimal digits', () => {
    assert.deepEqual(colour('yellow'), ['LINE_9']);
    assert.deepEqual(colour('#FFF'), ['LINE_8', 'LINE_9']);
  });

  it('FLEXIBLE_LINE_1: a flexible line has a type', () => {
    assert.deepEqual(flexible({ FlexibleLineType: undefined }), ['FLEXIBLE_LINE_1']);
  });

  it('FLEXIBLE_LINE_10: it is booked by BookWhen or by MinimumBookingPeriod', () => {
    assert.deepEqual(flexible({ MinimumBookingPeriod: 'PT2H' }), []);
    assert.deepEqual(flexible({ MinimumBookingPeriod: 'PT2H', BookWhen: 'x', LatestBookingTime: '10:00:00' }), [
      'FLEXIBLE_LINE_10',
    ]);
  });

  it('FLEXIBLE_LINE_11: BookWhen and LatestBookingTime go together', () => {
    assert.deepEqual(flexible({ BookWhen: 'untilPreviousDay', LatestBookingTime: '10:00:00' }), []);
    assert.deepEqual(flexible({ BookWhen: 'untilPreviousDay' }), ['FLEXIBLE_LINE_11']);
    assert.deepEqual(flexible({ LatestBookingTime: '10:00:00' }), ['FLEXIBLE_LINE_11']);
  });
});

describe('rules: routes', () => {
  it('ROUTE_1: a line file has a route', () => {
    assert.deepEqual(route({}), []);
    assert.deepEqual(codes(lines(element('Line', LINE))), ['ROUTE_1']);
  });

  it('ROUTE_2: a route has a name', () => {
    assert.deepEqual(route({ Name: undefined }), ['ROUTE_2']);
    assert.deepEqual(route({ Name: '' }), ['ROUTE_2']);
  });

  it('ROUTE_3: a route has a line', () => {
    assert.deepEqual(route({ LineRef: undefined, FlexibleLineRef: '' }), []);
    assert.deepEqual(route({ LineRef: undefined }), ['ROUTE_3']);
  });

  it('ROUTE_4: a route has points', () => assert.deepEqual(route({ pointsInSequence: undefined }), ['ROUTE_4']));

  it('ROUTE_5: the direction is a type', () => {
    assert.deepEqual(route({ DirectionType: 'outbound' }), []);
    assert.deepEqual(route({ DirectionRef: '' }), ['ROUTE_5']);
  });

  it('ROUTE_6: its points have different orders', () => {
    const points = (...orders: number[]) => orders.map((order) => `<PointOnRoute order="${order}"/>`).join('');
    assert.deepEqual(route({ pointsInSequence: points(1, 2, 3) }), []);
    assert.deepEqual(route({ pointsInSequence: points(1, 2, 2, 2) }), ['ROUTE_6 ×2']);
  });

  it('ROUTE_7: a journey pattern uses it', () => {
    const unused = routes(element('Route', ROUTE), element('Route', ROUTE, 2));
    assert.deepEqual(codes(lines(element('Line', LINE)) + unused + pattern()), ['ROUTE_7']);
    const result = validateLine(serviceFrame(unused + pattern()));
    assert.equal(result.findings.find(({ code }) => code === 'ROUTE_7')?.objectId, 'ABC:Route:2');
  });

  it('ROUTE_7: use by a pattern of the wrong kind counts, too', () => {
    const wrong = pattern().replaceAll('<JourneyPattern ', '<ServiceJourneyPattern ');
    assert.deepEqual(
      codes(
        lines(element('Line', LINE)) +
          routes(element('Route', ROUTE)) +
          wrong.replaceAll('</JourneyPattern>', '</ServiceJourneyPattern>'),
      ),
      [],
    );
  });

  it('elements missing from a file are reported at its ServiceFrame', () => {
    const places = validateLine(serviceFrame('')).findings.filter(({ code }) => /^(LINE|ROUTE)_1$/.test(code));
    assert.deepEqual(new Set(places.map(({ objectId }) => objectId)), new Set(['ABC:ServiceFrame:1']));
    assert.equal(places.length, 2);
  });
});
