/**
 * Reference implementation of the filter: computes from a dataset's trees, in the simplest way, which journeys must be
 * kept. Requires ids that are unique in the dataset.
 */
import type { FilterMode } from '../../../netex/filter/index.ts';
import type { Tree } from '../../support/demo-dataset.ts';

const DAY_MS = 86_400_000;
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const NEEDED = new Set([
  'LineRef',
  'FlexibleLineRef',
  'RouteRef',
  'JourneyPatternRef',
  'OperatorRef',
  'ServiceJourneyRef',
  'RepresentedByGroupRef',
]);

const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

export class Oracle {
  readonly #byId = new Map<string, Tree>();
  readonly #networkOf = new Map<string, Tree>();
  readonly #daysOf = new Map<string, Set<string>>();
  readonly #from: string;
  readonly #to: string;
  readonly #mode: FilterMode;

  constructor(trees: readonly Tree[], day: string, mode: FilterMode) {
    this.#from = plusDays(day, -2);
    this.#to = `${Number(day.slice(0, 4)) + 3}${day.slice(4)}`;
    this.#mode = mode;
    for (const tree of trees) for (const each of tree.everything()) if (each.id !== '') this.#byId.set(each.id, each);
    for (const network of trees.flatMap((tree) => [...tree.all('Network')])) {
      for (const group of network.all('GroupOfLines')) this.#networkOf.set(group.id, network);
    }
    const assignments = trees.flatMap((tree) => [...tree.all('DayTypeAssignment')]);
    const isExclusion = (tree: Tree) => tree.at('isAvailable') === 'false';
    for (const assignment of assignments) if (!isExclusion(assignment)) this.#assign(assignment, true);
    for (const assignment of assignments) if (isExclusion(assignment)) this.#assign(assignment, false);
  }

  /**
   * True when a journey or dead run has a day in the window and may be shown. Dated journeys count for their journey.
   */
  isKept(journey: Tree, dated: readonly Tree[]): boolean {
    if (!this.#isShown(journey)) return false;
    const from = plusDays(this.#from, -arrivesLater(journey));
    const isLeft = (day: string): boolean => day >= from && day <= this.#to;
    const dayTypes = journey.child('dayTypes')?.children.map(({ attributes }) => attributes.ref ?? '') ?? [];
    const shown = dayTypes.filter((id) => this.#isShown(this.#byId.get(id)));
    if (shown.some((id) => [...(this.#daysOf.get(id) ?? [])].some(isLeft))) return true;
    return dated.some((each) => {
      const day = this.#byId.get(each.ref('OperatingDayRef') ?? '')?.at('CalendarDate') ?? '';
      return this.#isShown(each) && isLeft(day);
    });
  }

  /** In the public dataset, restricted elements and those that need them are not shown. */
  #isShown(tree: Tree | undefined): boolean {
    if (!tree || this.#mode === 'private') return true;
    if ((tree.attributes.publication ?? 'public') !== 'public') return false;
    if (!this.#isShown(this.#networkOf.get(tree.id))) return false;
    return tree.children.every(
      ({ name, attributes: { ref } }) => !NEEDED.has(name) || this.#isShown(this.#byId.get(ref ?? '')),
    );
  }

  #assign(assignment: Tree, isAvailable: boolean): void {
    const dayType = assignment.ref('DayTypeRef') ?? '';
    const days = this.#daysOf.get(dayType) ?? new Set();
    this.#daysOf.set(dayType, days);
    for (const day of this.#daysAssigned(assignment, dayType)) {
      if (isAvailable) days.add(day);
      else days.delete(day);
    }
  }

  *#daysAssigned(assignment: Tree, dayType: string): Generator<string> {
    const date = assignment.at('Date') ?? this.#byId.get(assignment.ref('OperatingDayRef') ?? '')?.at('CalendarDate');
    if (date !== undefined) return yield date;
    const period = this.#byId.get(assignment.ref('OperatingPeriodRef') ?? '');
    const [first = '', last = ''] = [period?.at('FromDate')?.slice(0, 10), period?.at('ToDate')?.slice(0, 10)];
    const words = [...(this.#byId.get(dayType)?.all('DaysOfWeek') ?? [])].flatMap(({ text }) =>
      text.trim().split(/\s+/),
    );
    for (let day = first; day <= last; day = plusDays(day, 1)) {
      if (words.length === 0 || isOn(new Date(day).getUTCDay(), words)) yield day;
    }
  }
}

function isOn(weekday: number, words: readonly string[]): boolean {
  const isWeekend = weekday === 0 || weekday === 6;
  return (
    words.includes(WEEKDAYS[weekday] ?? '') ||
    words.includes('Everyday') ||
    words.includes(isWeekend ? 'Weekend' : 'Weekdays')
  );
}

function arrivesLater(journey: Tree): number {
  const offsets = ['ArrivalDayOffset', 'DepartureDayOffset', 'LatestArrivalDayOffset', 'EarliestDepartureDayOffset'];
  return Math.max(0, ...offsets.flatMap((name) => [...journey.all(name)].map(({ text }) => Number(text))));
}
