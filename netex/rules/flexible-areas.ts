/** Polygons of flexible areas: INVALID_FLEXIBLE_AREA. They are in the SiteFrame of a dataset of flexible lines. */
import { findRingFault } from '../geo/simple-ring.ts';
import type { OpenElement } from '../xml/scan.ts';
import type { Check } from './check.ts';
import { idOf } from './children.ts';
import { defineRule } from './rule.ts';

export const INVALID_FLEXIBLE_AREA = defineRule({
  code: 'INVALID_FLEXIBLE_AREA',
  severity: 'ERROR',
  name: 'Invalid flexible area',
  meaning: 'Flexible area polygon is incomplete or self-intersecting',
  stage: '3-semantic',
  profiles: ['flex'],
  datasets: ['timetable'],
  example: '<gml:posList>59.1 10.1 59.2 10.2 59.1 10.2 59.2 10.1 59.1 10.1</gml:posList>',
  mend: 'Draw the area anew: at least three corners, the last position as the first, sides that do not cross or touch.',
});

/**
 * Degrees and metres of any grid are far smaller; larger coordinates would exceed the precision of the calculation.
 */
const LARGEST_COORDINATE = 1e9;

/** The fault in the text of a ring's positions, as the end of a sentence. */
function ringProblem(text: string, dimension: number): string | undefined {
  const words = text.trim() === '' ? [] : text.trim().split(/\s+/);
  const numbers = Float64Array.from(words, Number);
  if (numbers.length === 0) return 'has no positions; expected at least four, the last as the first';
  const bad = numbers.findIndex((number) => !(Math.abs(number) <= LARGEST_COORDINATE));
  if (bad >= 0) return `has "${words[bad]}" for a coordinate; expected a number`;
  if (numbers.length % dimension !== 0)
    return `has ${numbers.length} coordinates; expected ${dimension} for each position`;
  const pairs = dimension === 2 ? numbers : numbers.filter((_, index) => index % dimension < 2);
  const fault = findRingFault(pairs);
  switch (fault?.kind) {
    case undefined:
      return undefined;
    case 'too-few':
      return 'has fewer than three corners; expected at least four positions, the last as the first';
    case 'not-closed':
      return 'is not closed; expected its last position to be its first';
    case 'crossing': {
      const place = `${pairs[fault.position * 2]} ${pairs[fault.position * 2 + 1]}`;
      return `crosses or touches itself near position ${fault.position + 1} (${place}); expected sides that meet in their corners only`;
    }
  }
}

const MOST_DIMENSIONS = 3;

function dimensionOf(element: OpenElement): number {
  for (let current: OpenElement | undefined = element; current; current = current.parent) {
    const said = Number(current.attributes.srsDimension ?? Number.NaN);
    if (said >= 2 && said <= MOST_DIMENSIONS) return Math.trunc(said);
    if (current.name === 'gml:Polygon') break;
  }
  return 2;
}

const areasAreRings: Check = {
  rules: [INVALID_FLEXIBLE_AREA],
  looksIntoSiteFrames: true,
  begin(run) {
    let area: OpenElement | undefined;
    let ring: OpenElement | undefined;
    let rings = 0;
    let positions: string[] = [];
    let dimension = 2;
    const report = (element: OpenElement, problem: string): void => {
      run.report(
        INVALID_FLEXIBLE_AREA,
        element,
        () => `The polygon of FlexibleArea${idOf(area ?? element)} ${problem}.`,
      );
    };
    const addPositions = (element: OpenElement): void => {
      if (ring === undefined || element.parent !== ring) return;
      if (positions.length === 0) dimension = dimensionOf(element);
      positions.push(element.text);
    };
    return {
      start: {
        FlexibleArea(element) {
          area = element;
        },
        'gml:Polygon'() {
          rings = 0;
        },
        'gml:LinearRing'(element) {
          if (area === undefined) return;
          ring = element;
          rings++;
          positions = [];
        },
      },
      end: {
        'gml:posList': addPositions,
        'gml:pos': addPositions,
        'gml:LinearRing'(element) {
          if (element !== ring) return;
          ring = undefined;
          const problem = ringProblem(positions.join(' '), dimension);
          if (problem !== undefined) report(element, problem);
        },
        'gml:Polygon'(element) {
          if (area !== undefined && element.parent === area && rings === 0)
            report(element, 'has no border; expected a gml:LinearRing');
        },
        FlexibleArea() {
          area = undefined;
        },
      },
    };
  },
};

export const flexibleAreaChecks: readonly Check[] = [areasAreRings];
