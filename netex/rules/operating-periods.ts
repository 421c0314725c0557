/**
 * Operating periods: OPERATING_PERIOD_1. A period gives its first and last day as dates or as references to operating
 * days. References to days of other files are not checked.
 */
import { keptText } from '../xml/kept-text.ts';
import type { OpenElement } from '../xml/scan.ts';
import type { Check, RuleRun } from './check.ts';
import { notedIdOf } from './children.ts';
import { endsBeforeItStarts } from './dates.ts';
import { type NotedPlace, notePlace } from './finding-list.ts';
import { OPERATING_PERIOD_1 } from './service-calendar-rules.ts';

/** An end of a period: a date, or the id of an operating day with a date. */
type End = { readonly date: string } | { readonly dayId: string };

interface PeriodOfDays {
  readonly name: string;
  readonly place: NotedPlace;
  readonly from: End;
  readonly to: End;
}

class PeriodWatch {
  readonly #run: RuleRun;
  /** Date of each operating day of the file. */
  readonly #days = new Map<string, string>();
  /** Periods that refer to days, which may come later in the file. */
  readonly #waiting: PeriodOfDays[] = [];
  /** Depth of the open period, 0 for none. */
  #depth = 0;
  #from: End | undefined;
  #to: End | undefined;

  constructor(run: RuleRun) {
    this.#run = run;
  }

  open(period: OpenElement): void {
    this.#depth = period.depth;
    this.#from = undefined;
    this.#to = undefined;
  }

  noteFrom(element: OpenElement): void {
    if (this.#isEnd(element)) this.#from = endOf(element);
  }

  noteTo(element: OpenElement): void {
    if (this.#isEnd(element)) this.#to = endOf(element);
  }

  noteDay({ parent, text }: OpenElement): void {
    const id = parent?.name === 'OperatingDay' ? parent.attributes.id : undefined;
    if (id !== undefined) this.#days.set(keptText(id), keptText(text.trim()));
  }

  close(period: OpenElement): void {
    if (period.depth !== this.#depth) return;
    this.#depth = 0;
    const from = this.#from;
    const to = this.#to;
    if (!from || !to) return;
    if ('date' in from && 'date' in to) {
      if (endsBeforeItStarts(from.date, to.date)) this.#report(period.name, notePlace(period), from.date, to.date);
    } else this.#waiting.push({ name: period.name, place: notePlace(period), from, to });
  }

  finish(): void {
    for (const { name, place, from, to } of this.#waiting) {
      const first = this.#dateOf(from);
      const last = this.#dateOf(to);
      if (first !== undefined && last !== undefined && endsBeforeItStarts(first, last)) {
        this.#report(name, place, first, last);
      }
    }
  }

  #isEnd(element: OpenElement): boolean {
    return this.#depth > 0 && element.depth === this.#depth + 1;
  }

  #dateOf(end: End): string | undefined {
    return 'date' in end ? end.date : this.#days.get(end.dayId);
  }

  #report(name: string, place: NotedPlace, from: string, to: string): void {
    this.#run.report(
      OPERATING_PERIOD_1,
      place,
      () => `${name}${notedIdOf(place)} runs from ${from} to ${to}; expected the end after the beginning.`,
    );
  }
}

function endOf({ attributes, text }: OpenElement): End {
  return attributes.ref === undefined ? { date: keptText(text.trim()) } : { dayId: keptText(attributes.ref) };
}

const periodsRunForward: Check = {
  rules: [OPERATING_PERIOD_1],
  begin(run) {
    const watch = new PeriodWatch(run);
    const open = (period: OpenElement): void => watch.open(period);
    const close = (period: OpenElement): void => watch.close(period);
    const noteFrom = (element: OpenElement): void => watch.noteFrom(element);
    const noteTo = (element: OpenElement): void => watch.noteTo(element);
    return {
      start: { OperatingPeriod: open, UicOperatingPeriod: open },
      end: {
        FromDate: noteFrom,
        FromOperatingDayRef: noteFrom,
        ToDate: noteTo,
        ToOperatingDayRef: noteTo,
        CalendarDate: (date) => watch.noteDay(date),
        OperatingPeriod: close,
        UicOperatingPeriod: close,
      },
      finish: () => watch.finish(),
    };
  },
};

export const operatingPeriodChecks: readonly Check[] = [periodsRunForward];
