/**
 * Compares the ends of a service link's geometry with its stops:
 * DISTANCE_BETWEEN_STOP_POINT_AND_{START,END}_OF_LINE_STRING_EXCEEDS_{MAX,WARNING}_LIMIT.
 *
 * Links are checked in the file that defines them. The maximum replaces the warning for the same end.
 */
import { distanceMetres } from '../geo/distance.ts';
import type { Position } from '../model/facts.ts';
import type { ModelCheck } from '../model/model-check.ts';
import { describeMetres, describeStop, geographyOf } from './pattern-geography.ts';
import { defineSemanticRule, type Rule } from './rule.ts';

const MAXIMUM_METRES = 100;
const WARNING_METRES = 20;

type End = 'START' | 'END';
type Limit = 'MAX' | 'WARNING';

function lineStringRule(end: End, limit: Limit): Rule {
  const [verb, stop] = end === 'START' ? ['starts', 'first'] : ['ends', 'last'];
  const metres = limit === 'MAX' ? MAXIMUM_METRES : WARNING_METRES;
  return defineSemanticRule({
    code: `DISTANCE_BETWEEN_STOP_POINT_AND_${end}_OF_LINE_STRING_EXCEEDS_${limit}_LIMIT`,
    severity: limit === 'MAX' ? 'ERROR' : 'WARNING',
    name: `Distance between stop point and ${end.toLowerCase()} of linestring exceeds ${limit === 'MAX' ? 'max' : 'warning'} limit`,
    meaning: `The geometry of a service link ${verb} more than ${metres} m from the link's ${stop} stop`,
    example: `<gml:posList>59.9000 10.7000 59.9100 10.7100</gml:posList> where the ${stop} stop is ${metres + 50} m away`,
    mend: `Draw the link ${end === 'START' ? 'from' : 'to'} the position that the stop register has for the quay, latitude before longitude.`,
  });
}

export const LINE_STRING_START_MAX = lineStringRule('START', 'MAX');
export const LINE_STRING_END_MAX = lineStringRule('END', 'MAX');
export const LINE_STRING_START_WARNING = lineStringRule('START', 'WARNING');
export const LINE_STRING_END_WARNING = lineStringRule('END', 'WARNING');

const linksBeginAndEndAtTheirStops: ModelCheck = {
  rules: [LINE_STRING_START_MAX, LINE_STRING_END_MAX, LINE_STRING_START_WARNING, LINE_STRING_END_WARNING],
  check(run, model) {
    const geography = geographyOf(run, model);
    for (const link of model.serviceLinks) {
      const check = (pointRef: string | undefined, drawn: Position | undefined, end: End): void => {
        const stop = geography.findStop(pointRef);
        if (!stop || !drawn) return;
        const metres = distanceMetres(stop.latitude, stop.longitude, drawn.latitude, drawn.longitude);
        if (!(metres > WARNING_METRES)) return;
        const isOverMaximum = metres > MAXIMUM_METRES;
        const limit = isOverMaximum ? MAXIMUM_METRES : WARNING_METRES;
        const [maximum, warning] =
          end === 'START'
            ? [LINE_STRING_START_MAX, LINE_STRING_START_WARNING]
            : [LINE_STRING_END_MAX, LINE_STRING_END_WARNING];
        run.report(
          isOverMaximum ? maximum : warning,
          link,
          () =>
            `ServiceLink ${link.id} is drawn ${end === 'START' ? 'from' : 'to'} ${drawn.latitude} ${drawn.longitude}, ${describeMetres(metres, limit)} from ` +
            `${describeStop(run, stop)}; expected at most ${limit} m.`,
        );
      };
      check(link.fromPointRef, link.start, 'START');
      check(link.toPointRef, link.end, 'END');
    }
  },
};

export const linkGeometryChecks: readonly ModelCheck[] = [linksBeginAndEndAtTheirStops];
