/**
 * Makes journeys that run on given dates, as long-distance trains do: one cancelled, one replaced by a later train, one
 * extra. Callers: the region.
 */
import type { DatedJourney, Journey } from './model.ts';
import { at } from './random.ts';
import { weekday } from './service-days.ts';

/** Number of days after the first on which the alterations occur. */
const ALTERED = { cancelled: 9, replaced: 11, extra: 12 };
const LATER_MINUTES = 25;

export interface DatedTimetable {
  readonly journeys: readonly Journey[];
  readonly datedJourneys: readonly DatedJourney[];
}

export function buildDatedJourneys(journeys: readonly Journey[], days: readonly string[]): DatedTimetable {
  const dated = journeys.flatMap((journey, index) =>
    days.filter((date) => index % 3 !== 2 || weekday(date) !== 6).map((date): DatedJourney => dayOf(journey, date)),
  );
  const first = at(journeys, 0);
  const stand = later(first, 'R');
  const extra = later(at(journeys, -1), 'X');
  const altered = dated.map((one) => {
    if (one.journey !== first) return one;
    if (one.date === days[ALTERED.cancelled]) return { ...one, alteration: 'cancellation' as const };
    if (one.date === days[ALTERED.replaced]) return { ...one, alteration: 'replaced' as const };
    return one;
  });
  const replacedDate = at(days, ALTERED.replaced);
  const replacing = { ...dayOf(stand, replacedDate), replaces: dayOf(first, replacedDate).key };
  const added: DatedJourney = { ...dayOf(extra, at(days, ALTERED.extra)), alteration: 'extraJourney' };
  return { journeys: [...journeys, stand, extra], datedJourneys: [...altered, replacing, added] };
}

function dayOf(journey: Journey, date: string): DatedJourney {
  return { key: `${journey.key}-${date}`, journey, date, alteration: undefined, replaces: undefined };
}

function later(journey: Journey, mark: string): Journey {
  return { ...journey, key: `${journey.key}-${mark}`, departure: journey.departure + LATER_MINUTES };
}
