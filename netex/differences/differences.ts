/**
 * What one dataset changes against another, as stored and served: the schema `DatasetDifferences` of the timetable API.
 * Totals are complete; lists end at a limit.
 */

/** Days are `yyyy-MM-dd`, both inclusive. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

export interface LineTexts {
  readonly name: string | null;
  readonly publicCode: string | null;
  readonly transportMode: string | null;
  readonly transportSubmode: string | null;
}

export interface LineDifference extends LineTexts {
  readonly lineId: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** Of a changed line: the texts that differ, as they were. */
  readonly before?: Partial<LineTexts>;
}

export interface StopDifference {
  readonly stopId: string;
  readonly name: string | null;
  readonly change: 'added' | 'removed' | 'changed';
  /** Of a renamed stop; null when it had no name. */
  readonly nameBefore?: string | null;
  /** Of a moved stop. */
  readonly movedMetres?: number;
  /** Degrees, of the newer dataset that has the stop; null when neither register nor dataset knows. */
  readonly latitude: number | null;
  readonly longitude: number | null;
}

export interface JourneyTotals {
  readonly before: number;
  readonly after: number;
  readonly added: number;
  readonly removed: number;
  /** The same stops at other times. */
  readonly retimed: number;
  /** Other stops. */
  readonly rerouted: number;
  /** It runs on other days, whatever else has changed. */
  readonly onOtherDays: number;
}

interface NamedLine {
  readonly lineId: string;
  readonly name: string | null;
  readonly publicCode: string | null;
}

export type LineJourneys = NamedLine & JourneyTotals;

/** Journeys of one day; of both datasets. */
interface DayJourneys {
  readonly day: string;
  readonly before: number;
  readonly after: number;
}

export interface DayList {
  readonly total: number;
  readonly days: readonly string[];
}

/** Days on which a line runs in the newer dataset alone (`gained`), or in the older alone (`lost`). */
export interface LineDays extends NamedLine {
  readonly gained: DayList;
  readonly lost: DayList;
}

export interface Listed<T> {
  /** Of all, listed or not. */
  readonly total: number;
  readonly items: readonly T[];
}

export interface DatasetDifferences {
  readonly service: {
    readonly before: Period | null;
    readonly after: Period | null;
    /** The days that both cover, from the receipt on: of these, journeys and days are compared. Null: none. */
    readonly compared: Period | null;
  };
  readonly lines: Listed<LineDifference> & Record<'before' | 'after' | 'added' | 'removed' | 'changed', number>;
  readonly stops: Listed<StopDifference> &
    Record<'before' | 'after' | 'added' | 'removed' | 'moved' | 'renamed', number>;
  readonly journeys: JourneyTotals & {
    /** How journeys are matched: see `match-journeys.ts`. */
    readonly matchedBy: 'ids' | 'times';
    /** Lines with a difference. */
    readonly lines: Listed<LineJourneys>;
  };
  /** Every compared day. */
  readonly days: Listed<DayJourneys> & { readonly changed: number };
  /** Lines that gain or lose days. */
  readonly calendars: Listed<LineDays> & { readonly gained: number; readonly lost: number };
}
