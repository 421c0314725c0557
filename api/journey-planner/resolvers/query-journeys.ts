/** Resolves `serviceJourneys`: by line, authority, private code and days. */
import type { ServiceJourney } from '../../../planner/model/entities.ts';
import type { LineIndex, ServiceDay } from '../../../planner/model/indices.ts';
import { type Found, given, MAX_LIST, noteCut, pickAll, pickWhere } from './lists.ts';
import type { RequestContext } from './request-context.ts';

type Texts = readonly (string | null)[] | null;

export interface JourneysArgs {
  readonly lines?: Texts;
  readonly authorities?: Texts;
  readonly privateCodes?: Texts;
  readonly activeDates?: readonly (ServiceDay | null)[] | null;
}

export function serviceJourneys(args: JourneysArgs, context: RequestContext): Found<ServiceJourney> {
  const { catalogue } = context.timetable;
  const accepts = journeyTest(args, context);
  const lineIds = given(args.lines);
  if (!lineIds) {
    return accepts
      ? pickWhere(catalogue.serviceJourneys, 'serviceJourneys', context, accepts)
      : pickAll(catalogue.serviceJourneys, 'serviceJourneys', context);
  }
  const found: ServiceJourney[] = [];
  let count = 0;
  for (const id of lineIds) {
    const line = catalogue.lines.find(id);
    for (const index of line ? catalogue.journeysOfLine(line.index) : []) {
      const journey = catalogue.serviceJourneys.at(index);
      if (accepts && !accepts(journey)) continue;
      count += 1;
      if (found.length < MAX_LIST) found.push(journey);
    }
  }
  noteCut(found.length, count, 'serviceJourneys', context);
  return found;
}

function journeyTest(args: JourneysArgs, context: RequestContext): ((journey: ServiceJourney) => boolean) | undefined {
  const { transit } = context.timetable;
  const tests: ((journey: ServiceJourney) => boolean)[] = [];
  const authorityIds = given(args.authorities);
  if (authorityIds) {
    const lines = linesOf(authorityIds, context);
    tests.push(({ line }) => lines.has(line));
  }
  const codes = given(args.privateCodes);
  if (codes) tests.push(({ privateCode }) => privateCode !== undefined && codes.has(privateCode));
  const days = given(args.activeDates);
  if (days) {
    tests.push(({ index }) =>
      transit.tripsOfJourney(index).some((trip) => [...days].some((day) => transit.runsOn(trip, day))),
    );
  }
  if (tests.length === 0) return undefined;
  return (journey) => tests.every((test) => test(journey));
}

/** Returns all lines of the named authorities. */
export function linesOf(
  authorityIds: Iterable<string>,
  { timetable: { catalogue } }: RequestContext,
): ReadonlySet<LineIndex> {
  const lines = new Set<LineIndex>();
  for (const id of authorityIds) {
    const authority = catalogue.authorities.find(id);
    for (const line of authority ? catalogue.linesOfAuthority(authority.index) : []) lines.add(line);
  }
  return lines;
}
