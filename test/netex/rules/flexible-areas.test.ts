import assert from 'node:assert/strict';
import { codesOf, composite, validateCommon } from '../support/sample-files.ts';

const SQUARE = '60 5 60 6 61 6 61 5 60 5';
const ring = (positions: string) => `<gml:LinearRing><gml:posList>${positions}</gml:posList></gml:LinearRing>`;
const exterior = (content: string) => `<gml:exterior>${content}</gml:exterior>`;
const polygon = (content: string, attributes = '') =>
  `<gml:Polygon xmlns:gml="http://www.opengis.net/gml/3.2" gml:id="P1"${attributes}>${content}</gml:Polygon>`;

function validate(content: string, profile: 'flex' | 'timetable' = 'flex') {
  const area = `<FlexibleArea id="ABC:FlexibleArea:1" version="1">${content}</FlexibleArea>`;
  const place = `<FlexibleStopPlace id="ABC:FlexibleStopPlace:1" version="1"><areas>${area}</areas></FlexibleStopPlace>`;
  const siteFrame = `<SiteFrame id="ABC:SiteFrame:1" version="1"><flexibleStopPlaces>${place}</flexibleStopPlaces></SiteFrame>`;
  const result = validateCommon(composite(siteFrame), { profile });
  const messages = result.findings.filter(({ code }) => code === 'INVALID_FLEXIBLE_AREA').map(({ message }) => message);
  return { codes: codesOf(result, /^INVALID_FLEXIBLE_AREA/), messages };
}

describe('INVALID_FLEXIBLE_AREA', () => {
  it('accepts a ring that is closed and does not cross itself', () => {
    assert.deepEqual(validate(polygon(exterior(ring(SQUARE)))).codes, []);
    assert.deepEqual(validate(polygon(exterior(ring(`\n ${SQUARE.replaceAll(' ', '\n  ')}\n`)))).codes, []);
  });

  it('ignores heights, and reads single positions', () => {
    const high = '60 5 12.5 60 6 12.5 61 6 12.5 61 5 12.5 60 5 12.5';
    assert.deepEqual(validate(polygon(exterior(ring(high)), ' srsDimension="3"')).codes, []);
    assert.equal(validate(polygon(exterior(ring(high)))).codes.length, 1);
    const positions = ['60 5', '60 6', '61 6', '61 5', '60 5'].map((position) => `<gml:pos>${position}</gml:pos>`);
    assert.deepEqual(validate(polygon(exterior(`<gml:LinearRing>${positions.join('')}</gml:LinearRing>`))).codes, []);
  });

  it('checks holes, too', () => {
    const crossing = `<gml:interior>${ring('60.1 5.1 60.2 5.2 60.1 5.2 60.2 5.1 60.1 5.1')}</gml:interior>`;
    const { messages } = validate(polygon(exterior(ring(SQUARE)) + crossing));
    assert.match(messages.join(), /^The polygon of FlexibleArea ABC:FlexibleArea:1 crosses or touches itself near/);
  });

  const incomplete: Record<string, readonly [string, RegExp]> = {
    'no border': [polygon(''), /has no border; expected a gml:LinearRing/],
    'no positions': [polygon(exterior(ring(' '))), /has no positions/],
    'half a position': [polygon(exterior(ring(`${SQUARE} 60`))), /has 11 coordinates; expected 2 for each/],
    'a word for a number': [polygon(exterior(ring('60 5 60 six 61 6 61 5 60 5'))), /has "six" for a coordinate/],
    'an open border': [polygon(exterior(ring('60 5 60 6 61 6 61 5'))), /is not closed/],
    'two corners': [polygon(exterior(ring('60 5 60 6 60 5 60 5'))), /fewer than three corners/],
  };
  for (const [name, [content, message]] of Object.entries(incomplete)) {
    it(`finds ${name}`, () => {
      assert.match(validate(content).messages.join(), message);
    });
  }

  it('is a matter of flexible datasets, and of areas that are drawn', () => {
    assert.deepEqual(validate(polygon(exterior(ring('60 5'))), 'timetable').codes, []);
    assert.deepEqual(validate('<Name>Heia</Name>').codes, []);
  });
});
