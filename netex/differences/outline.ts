/**
 * What of a dataset is compared: its lines, the stops that its journeys call at, its journeys and their days, in
 * numbers that two datasets share. Callers: `outline-reader.ts` makes it, `compare-outlines.ts` compares two.
 */
import { NumberedNames } from '../model/kept-names.ts';
import { DaySets } from './day-sets.ts';
import type { JourneyTable } from './journey-table.ts';

export interface LineFacts {
  readonly id: string;
  readonly name: string | undefined;
  readonly publicCode: string | undefined;
  readonly transportMode: string | undefined;
  readonly transportSubmode: string | undefined;
}

export interface StopFactsKept {
  readonly id: string;
  readonly name: string | undefined;
  /** Degrees; both or neither. */
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
}

export interface DatasetOutline {
  /** By the number of the id in the vocabulary. */
  readonly lines: ReadonlyMap<number, LineFacts>;
  readonly stops: ReadonlyMap<number, StopFactsKept>;
  readonly journeys: JourneyTable;
  /** First and last day on which a journey runs, days since 1970-01-01; undefined when none ever does. */
  readonly service: { readonly first: number; readonly last: number } | undefined;
}

/** Numbers that mean the same in both datasets of a comparison. */
export class Vocabulary {
  readonly lines = new NumberedNames();
  readonly stops = new NumberedNames();
  readonly directions = new NumberedNames();
  readonly days: DaySets;

  /** `fromDay`: days before it are over and are not compared. */
  constructor(fromDay: number) {
    this.days = new DaySets(fromDay);
  }
}
