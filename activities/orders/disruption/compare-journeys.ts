/**
 * Compares sold journeys with each new build of the timetable, and marks the lines of those that do not run as they were sold. Every
 * process may do it at any time; several at once are harmless. Caller: the worker `sales-orders-worker`, every few seconds.
 *
 * A journey whose state is that of the comparison before is passed over: its orders were compared with it. One that is absent, or does
 * not run as a ride on it was sold, is compared each time: the journey that has taken its place may be withdrawn too.
 */
import { createHash } from 'node:crypto';
import type { Logger } from '../../../platform/log.ts';
import { DAY_MS } from '../../../workflows/shared/spans.ts';
import type { OrderDisruptionAccess, SoldJourney, SoldRide } from '../../shared/orders.ts';
import type { DatedJourney, PublishedBuild, PublishedTimetables } from '../../shared/timetable.ts';
import { workOfProcess } from '../process-work.ts';
import type { Comparison, JourneyComparisons } from './journey-comparisons.ts';
import { causeInBuild } from './published-ride.ts';
import type { SoldJourneys } from './sold-journeys.ts';
import { causeOfRide } from './sold-ride.ts';

export interface ComparisonDependencies {
  readonly timetables: PublishedTimetables;
  readonly comparisons: Pick<JourneyComparisons, 'find' | 'move' | 'findCompared' | 'noteCompared'>;
  readonly journeys: Pick<SoldJourneys, 'listAfter'>;
  readonly disruptions: OrderDisruptionAccess;
  /** A ride that departs or arrives so much later is disrupted. */
  readonly laterMs: number;
  readonly log: Logger;
  readonly onMarked: (lines: number) => void;
  readonly now?: () => Date;
}

const JOURNEYS_AT_ONCE = 20;
/** A turn ends with the batch during which this time is over. */
const TURN_MS = 10_000;
/** Offers live half an hour: afterwards nothing is sold from the build before. */
export const SECOND_PASS_AFTER_MS = 35 * 60_000;
/** Or differs from a ride that was sold. */
const ABSENT = 'ABSENT';

export async function compareJourneys(dependencies: ComparisonDependencies): Promise<void> {
  const until = timeOf(dependencies).getTime() + TURN_MS;
  while ((await takeStep(dependencies)) === 'MORE') {
    if (timeOf(dependencies).getTime() >= until) return;
  }
}

async function takeStep(dependencies: ComparisonDependencies): Promise<'MORE' | 'ALL'> {
  const { timetables, comparisons, journeys } = dependencies;
  const published = await timetables.open();
  if (!published) return 'ALL';
  const found = await comparisons.find();
  const due = dueComparison(found, published, timeOf(dependencies));
  if (!due) return 'ALL';
  if (due !== found) {
    await comparisons.move(found, due);
    return 'MORE';
  }
  const batch = await journeys.listAfter(due.position, JOURNEYS_AT_ONCE);
  const compared = await Promise.allSettled(batch.map((each) => compareOne(each, due, published, dependencies)));
  // The others are done; the next turn begins here again.
  for (const outcome of compared) if (outcome.status === 'rejected') throw outcome.reason;
  const hasEnded = batch.length < JOURNEYS_AT_ONCE;
  await comparisons.move(due, { ...due, position: batch.at(-1) ?? due.position, hasEnded });
  return 'MORE';
}

/** The pass that runs, or the one that begins. Undefined: all is compared. */
function dueComparison(
  found: Comparison | undefined,
  { build, publishedAt }: Pick<PublishedBuild, 'build' | 'publishedAt'>,
  now: Date,
): Comparison | undefined {
  if (found && !found.hasEnded) return found;
  // A journey of yesterday may depart after midnight.
  const serviceDay = new Date(now.getTime() - DAY_MS).toISOString().slice(0, 10);
  const first: Comparison = { build, pass: 1, position: { serviceDay, datedServiceJourneyId: '' }, hasEnded: false };
  if (!found || found.build < build) return first;
  const isDue = found.pass === 1 && publishedAt.getTime() + SECOND_PASS_AFTER_MS <= now.getTime();
  return isDue ? { ...first, pass: 2 } : undefined;
}

async function compareOne(
  journey: SoldJourney,
  comparison: Comparison,
  published: PublishedBuild,
  { comparisons, disruptions, laterMs, log, onMarked }: ComparisonDependencies,
): Promise<void> {
  const found = await published.findDatedJourney(journey.datedServiceJourneyId);
  let state = stateOf(found);
  const known = await comparisons.findCompared(journey);
  if (state !== ABSENT && known?.state === state && known.build < comparison.build) return;
  const causeOf = async (ride: SoldRide) => {
    if (causeOfRide(ride, found, laterMs) !== undefined) state = ABSENT;
    return await causeInBuild(ride, found, published, laterMs);
  };
  const lines = await disruptions.disrupt(journey, causeOf, workOfProcess());
  if (known?.state !== state) await comparisons.noteCompared(journey, { state, build: published.build });
  if (lines === 0) return;
  onMarked(lines);
  log.info({ ...journey, build: published.build, lines }, 'marked the lines of a disrupted journey');
}

function stateOf(journey: DatedJourney | undefined): string {
  if (!journey || journey.isCancelled) return ABSENT;
  const calls = journey.calls.map(
    ({ stopPlaceId, parentStopPlaceId, arrival, departure, forBoarding, forAlighting }) => [
      ...[stopPlaceId, parentStopPlaceId, arrival, departure, forBoarding, forAlighting],
    ],
  );
  return createHash('sha256').update(JSON.stringify(calls)).digest('base64url');
}

function timeOf({ now = () => new Date() }: Pick<ComparisonDependencies, 'now'>): Date {
  return now();
}
