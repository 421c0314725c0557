/**
 * Maps journey patterns to the planner's: stop points to quays, displays to front texts, service links to shapes.
 * Callers: the import of a file. A pattern with an unknown stop is left out with its journeys.
 */
import type { PatternEntity, ServiceLinkEntity } from '../../../netex/entities/entity-types.ts';
import { UNITS_PER_DEGREE } from '../../../netex/model/facts-builder.ts';
import type { PatternStopInput, TimetableBuilder } from '../../../planner/build/input.ts';
import { beelineMetres } from './distance.ts';
import type { NoticeIndex } from './notice-index.ts';
import type { MappedPattern, Scope } from './scope.ts';
import { toBooking, toDirection } from './small-mappings.ts';
import type { CalledStop, StopImport } from './stop-import.ts';

export interface PatternImport {
  readonly scope: Scope;
  readonly stops: StopImport;
  readonly notices: NoticeIndex;
  readonly builder: TimetableBuilder;
}

/** Undefined: it was left out, and counted. */
export function importPattern(context: PatternImport, pattern: PatternEntity): MappedPattern | undefined {
  const { scope, builder, notices } = context;
  const route = scope.find('routes', pattern.routeRef);
  const line = scope.findLine(pattern.lineRef ?? route?.lineRef);
  const leaveOut = (reason: string, id = pattern.id): undefined => {
    builder.reject('journeyPattern', reason, id);
    return undefined;
  };
  if (line === undefined) return leaveOut('its line is not known or was left out');
  if (pattern.stops.length < 2) return leaveOut('fewer than two stops');
  const called = callsOf(context, pattern);
  const unknown = called.indexOf(undefined);
  if (unknown >= 0) {
    const point = pattern.stops[unknown]?.scheduledStopPointRef;
    return leaveOut('a stop point stands for no known stop', `${pattern.id} at ${point ?? `stop ${unknown + 1}`}`);
  }
  const quays = called as CalledStop[];
  const links = linksOf(context, pattern);
  const direction = scope.find('directions', route?.directionRef);
  builder.addJourneyPattern({
    id: pattern.id,
    name: pattern.name,
    lineId: line.id,
    direction: toDirection(pattern.directionType, route?.directionType, direction?.directionType),
    stops: pattern.stops.map((stop, position) => ({
      quayId: (quays[position] as CalledStop).quayId,
      forBoarding: stop.forBoarding,
      forAlighting: stop.forAlighting,
      requestStop: stop.requestStop,
      ...displayOf(
        context,
        position === 0 ? (stop.destinationDisplayRef ?? pattern.destinationDisplayRef) : stop.destinationDisplayRef,
      ),
      booking: toBooking(stop.booking),
      noticeIds: notices.find(stop.id),
      ...pathOf(links[position]),
    })),
    noticeIds: notices.find(pattern.id),
  });
  return {
    id: pattern.id,
    lineId: line.id,
    stops: pattern.stops,
    positions: new Map(pattern.stops.map(({ id }, position) => [id, position])),
    hopMetres: quays.slice(1).map((quay, hop) => {
      return links[hop]?.distanceMetres ?? beelineMetres(quays[hop] as CalledStop, quay);
    }),
    hasArea: quays.some(({ isArea }) => isArea),
  };
}

function callsOf({ scope, stops }: PatternImport, pattern: PatternEntity): Array<CalledStop | undefined> {
  return pattern.stops.map(({ scheduledStopPointRef }) => {
    const assignment = scope.find('stopAssignments', scheduledStopPointRef);
    return assignment && stops.findCalled(assignment);
  });
}

/** Links by the hop that they run: in the order of the pattern where their ends match it, otherwise by their ends. */
function linksOf({ scope, builder }: PatternImport, pattern: PatternEntity): Array<ServiceLinkEntity | undefined> {
  const { stops, serviceLinkRefs } = pattern;
  const listed = serviceLinkRefs.map((ref) => {
    const link = scope.find('serviceLinks', ref);
    if (link === undefined) builder.reject('serviceLink', 'not known', ref);
    return link;
  });
  let byEnds: Map<string, ServiceLinkEntity> | undefined;
  return stops.slice(0, -1).map((stop, hop) => {
    const from = stop.scheduledStopPointRef;
    const to = stops[hop + 1]?.scheduledStopPointRef;
    const link = listed[hop];
    if (link && (link.fromPointRef ?? from) === from && (link.toPointRef ?? to) === to) return link;
    byEnds ??= new Map(
      listed.flatMap((other) => (other ? [[`${other.fromPointRef} ${other.toPointRef}`, other]] : [])),
    );
    return byEnds.get(`${from} ${to}`);
  });
}

function pathOf(link: ServiceLinkEntity | undefined): Pick<PatternStopInput, 'path' | 'pathMetres'> {
  if (link === undefined) return {};
  const path = Array.from(link.positions, (units) => units / UNITS_PER_DEGREE);
  return { path: path.length === 0 ? undefined : path, pathMetres: link.distanceMetres };
}

function displayOf(
  { scope, builder }: PatternImport,
  ref: string | undefined,
): Pick<PatternStopInput, 'frontText' | 'vias'> {
  if (ref === undefined) return {};
  const display = scope.find('displays', ref);
  if (display === undefined) {
    builder.reject('destinationDisplay', 'not known', ref);
    return {};
  }
  const vias = display.vias.flatMap(
    ({ displayRef, name }) => scope.find('displays', displayRef)?.frontText ?? name ?? [],
  );
  return { frontText: display.frontText, vias: vias.length === 0 ? undefined : vias };
}
