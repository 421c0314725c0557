/** Links between stop points and their geometry: SERVICE_LINK_1 to SERVICE_LINK_5. */

import type { OpenElement } from '../xml/scan.ts';
import type { Check } from './check.ts';
import { demandChildren, idOf } from './children.ts';
import { defineStructureRule, type Rule } from './rule.ts';

function pointRule(code: string, name: string, meaning: string, child: string): Rule {
  const other = child === 'FromPointRef' ? 'ToPointRef' : 'FromPointRef';
  const example = `<ServiceLink id="ABC:ServiceLink:1" version="1"><${other} …/>…</ServiceLink> without ${child}`;
  return defineStructureRule({ code, severity: 'ERROR', name, meaning, example, mend: `Add the ${child}.` });
}

export const SERVICE_LINK_1 = pointRule(
  'SERVICE_LINK_1',
  'ServiceLink missing FromPointRef',
  'Service link without start point',
  'FromPointRef',
);
export const SERVICE_LINK_2 = pointRule(
  'SERVICE_LINK_2',
  'ServiceLink missing ToPointRef',
  'Service link without end point',
  'ToPointRef',
);

export const SERVICE_LINK_3 = defineStructureRule({
  code: 'SERVICE_LINK_3',
  severity: 'WARNING',
  name: 'ServiceLink missing element Projections',
  meaning: 'Service link without geometry (projections)',
  example: '<ServiceLink …><FromPointRef …/><ToPointRef …/></ServiceLink> without projections',
  mend: 'Add projections with a LinkSequenceProjection, so that maps can draw the link.',
});

export const SERVICE_LINK_4 = defineStructureRule({
  code: 'SERVICE_LINK_4',
  severity: 'ERROR',
  name: 'ServiceLink missing coordinate list',
  meaning: 'Service link line string has an empty position list',
  example: '<gml:LineString …><gml:posList/></gml:LineString>',
  mend: 'Write the positions of the link into posList, or leave the projections out.',
});

export const SERVICE_LINK_5 = defineStructureRule({
  code: 'SERVICE_LINK_5',
  severity: 'WARNING',
  name: 'ServiceLink less than 2 points',
  meaning: 'Service link line string has only one position',
  example: '<gml:LineString …><gml:posList>59.9 10.7</gml:posList></gml:LineString>',
  mend: 'Give the line string at least two positions.',
});

/** Matches the numbers of at least two positions, each of a latitude and a longitude. */
const NUMBERS_OF_TWO = /^\s*(?:\S+\s+){3}\S/;

/** The link whose projection holds the line string. */
function linkOf(lineString: OpenElement | undefined): OpenElement | undefined {
  const projection = lineString?.parent;
  const link = projection?.parent?.parent;
  const isIn = projection?.name === 'LinkSequenceProjection' && projection.parent?.name === 'projections';
  return isIn && link?.name === 'ServiceLink' ? link : undefined;
}

const linkHasGeometry: Check = {
  rules: [SERVICE_LINK_4, SERVICE_LINK_5],
  begin(run) {
    let positions = 0;
    const reportOne = (place: OpenElement, link: OpenElement): void =>
      run.report(
        SERVICE_LINK_5,
        place,
        () => `The line of ServiceLink${idOf(link)} has only one position; expected two or more.`,
      );
    return {
      start: {
        'gml:LineString'() {
          positions = 0;
        },
        'gml:pos'(element) {
          if (element.parent?.name === 'gml:LineString') positions++;
        },
      },
      end: {
        'gml:posList'(element) {
          const link = element.parent?.name === 'gml:LineString' ? linkOf(element.parent) : undefined;
          if (!link || NUMBERS_OF_TWO.test(element.text)) return;
          if (element.text.trim() !== '') return reportOne(element, link);
          run.report(
            SERVICE_LINK_4,
            element,
            () => `The line of ServiceLink${idOf(link)} has an empty posList; expected positions.`,
          );
        },
        'gml:LineString'(element) {
          const link = positions === 1 ? linkOf(element) : undefined;
          if (link) reportOne(element, link);
        },
      },
    };
  },
};

export const serviceLinkChecks: readonly Check[] = [
  demandChildren({ element: 'ServiceLink', within: 'serviceLinks' }, [
    { rule: SERVICE_LINK_1, child: 'FromPointRef' },
    { rule: SERVICE_LINK_2, child: 'ToPointRef' },
    { rule: SERVICE_LINK_3, child: 'projections' },
  ]),
  linkHasGeometry,
];
