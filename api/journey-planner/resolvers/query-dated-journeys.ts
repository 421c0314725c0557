/** Resolves `datedServiceJourneys`: by operating day, then by further conditions. Without days it covers every day. */
import type { DatedServiceJourney, ServiceAlteration } from '../../../planner/model/entities.ts';
import type { DatedServiceJourneyIndex, ServiceDay } from '../../../planner/model/indices.ts';
import { type Found, given, MAX_LIST, noteCut, pickAll, pickWhere } from './lists.ts';
import { linesOf } from './query-journeys.ts';
import type { RequestContext } from './request-context.ts';

type Texts = readonly (string | null)[] | null;

export interface DatedJourneysArgs {
  readonly operatingDays?: readonly (ServiceDay | null)[] | null;
  readonly lines?: Texts;
  readonly serviceJourneys?: Texts;
  readonly authorities?: Texts;
  readonly privateCodes?: Texts;
  readonly replacementFor?: Texts;
  readonly alterations?: readonly (ServiceAlteration | null)[] | null;
}

type Test = (dated: DatedServiceJourney) => boolean;

export function datedJourneys(args: DatedJourneysArgs, context: RequestContext): Found<DatedServiceJourney> {
  const { catalogue } = context.timetable;
  const tests = [...journeyTests(args, context), ...ownTests(args, context)];
  const accepts = (dated: DatedServiceJourney): boolean => tests.every((test) => test(dated));
  const days = given(args.operatingDays);
  if (!days)
    return tests.length > 0
      ? pickWhere(catalogue.datedServiceJourneys, 'datedServiceJourneys', context, accepts)
      : pickAll(catalogue.datedServiceJourneys, 'datedServiceJourneys', context);
  const found: DatedServiceJourney[] = [];
  let count = 0;
  for (const day of days) {
    for (const index of catalogue.datedJourneysOn(day)) {
      const dated = catalogue.datedServiceJourneys.at(index);
      if (!accepts(dated)) continue;
      count += 1;
      if (found.length < MAX_LIST) found.push(dated);
    }
  }
  noteCut(found.length, count, 'datedServiceJourneys', context);
  return found;
}

/** Conditions on the journey of a dated journey. */
function journeyTests(args: DatedJourneysArgs, context: RequestContext): Test[] {
  const { catalogue } = context.timetable;
  const tests: Test[] = [];
  const lineIds = given(args.lines);
  if (lineIds) {
    tests.push(({ journey }) => lineIds.has(catalogue.lines.at(catalogue.serviceJourneys.at(journey).line).id));
  }
  const journeyIds = given(args.serviceJourneys);
  if (journeyIds) tests.push(({ journey }) => journeyIds.has(catalogue.serviceJourneys.at(journey).id));
  const authorityIds = given(args.authorities);
  if (authorityIds) {
    const known = linesOf(authorityIds, context);
    tests.push(({ journey }) => known.has(catalogue.serviceJourneys.at(journey).line));
  }
  const codes = given(args.privateCodes);
  if (codes) tests.push(({ journey }) => codes.has(catalogue.serviceJourneys.at(journey).privateCode ?? ''));
  return tests;
}

function ownTests(args: DatedJourneysArgs, { timetable: { catalogue } }: RequestContext): Test[] {
  const tests: Test[] = [];
  const replaced = given(args.replacementFor);
  if (replaced) {
    const known = new Set<DatedServiceJourneyIndex | undefined>(
      [...replaced].map((id) => catalogue.datedServiceJourneys.find(id)?.index),
    );
    tests.push(({ replaces }) => replaces.some((index) => known.has(index)));
  }
  const alterations = given(args.alterations);
  if (alterations) tests.push(({ alteration }) => alterations.has(alteration ?? 'planned'));
  return tests;
}
