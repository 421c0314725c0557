/**
 * Gathers the facts of a file, or of all common files, and packs them into one block of bytes (packed-facts.ts).
 *
 * Callers: `factReaders`. Memory grows with the facts, about 100 bytes each, not with the files.
 */
import { NameTable } from './name-table.ts';
import { packFacts, UNKNOWN } from './packed-facts.ts';
import { RowList } from './row-list.ts';

export interface ServiceLinkFacts {
  fromPointRef: string | undefined;
  toPointRef: string | undefined;
  /** Latitude and longitude. */
  start: readonly [number, number] | undefined;
  end: readonly [number, number] | undefined;
  readonly line: number;
  readonly column: number;
}

export interface OperatingPeriodFacts {
  fromDay: number | undefined;
  toDay: number | undefined;
  fromDayRef: string | undefined;
  toDayRef: string | undefined;
  /** ValidDayBits of a UicOperatingPeriod. */
  dayBits: string | undefined;
}

export interface DayTypeAssignmentFacts {
  dayTypeRef: string | undefined;
  day: number | undefined;
  operatingDayRef: string | undefined;
  operatingPeriodRef: string | undefined;
  isAvailable: boolean;
}

/** About one centimetre a unit, so that all facts are integers. */
export const UNITS_PER_DEGREE = 1e7;

export class FactsBuilder {
  readonly #names = new NameTable();
  readonly #assignments = new RowList(4);
  readonly #links = new RowList(9);
  readonly #dayTypes = new RowList(2);
  readonly #dayAssignments = new RowList(5);
  readonly #periods = new RowList(6);
  readonly #operatingDays = new RowList(2);

  addStopAssignment(
    scheduledStopPointRef: string,
    quayRef: string | undefined,
    stopPlaceRef: string | undefined,
    flexibleStopPlaceRef: string | undefined,
  ): void {
    this.#assignments.add([
      this.#names.number(scheduledStopPointRef),
      this.#names.number(quayRef),
      this.#names.number(stopPlaceRef),
      this.#names.number(flexibleStopPlaceRef),
    ]);
  }

  addServiceLink(id: string, link: ServiceLinkFacts): void {
    this.#links.add([
      this.#names.number(id),
      this.#names.number(link.fromPointRef),
      this.#names.number(link.toPointRef),
      inUnits(link.start?.[0]),
      inUnits(link.start?.[1]),
      inUnits(link.end?.[0]),
      inUnits(link.end?.[1]),
      link.line,
      link.column,
    ]);
  }

  addDayType(id: string, weekdays: number): void {
    this.#dayTypes.add([this.#names.number(id), weekdays]);
  }

  addDayTypeAssignment(assignment: DayTypeAssignmentFacts): void {
    this.#dayAssignments.add([
      this.#names.number(assignment.dayTypeRef),
      assignment.day ?? UNKNOWN,
      this.#names.number(assignment.operatingDayRef),
      this.#names.number(assignment.operatingPeriodRef),
      assignment.isAvailable ? 1 : 0,
    ]);
  }

  addOperatingPeriod(id: string, period: OperatingPeriodFacts): void {
    this.#periods.add([
      this.#names.number(id),
      period.fromDay ?? UNKNOWN,
      period.toDay ?? UNKNOWN,
      this.#names.number(period.fromDayRef),
      this.#names.number(period.toDayRef),
      this.#names.number(period.dayBits),
    ]);
  }

  addOperatingDay(id: string, day: number): void {
    this.#operatingDays.add([this.#names.number(id), day]);
  }

  /** The storage form. */
  build(): Uint8Array {
    return packFacts(this.#names, {
      assignments: this.#assignments,
      links: this.#links,
      dayTypes: this.#dayTypes,
      dayAssignments: this.#dayAssignments,
      periods: this.#periods,
      operatingDays: this.#operatingDays,
    });
  }
}

/** UNKNOWN also for values outside the range: such a position is not on earth. */
function inUnits(degrees: number | undefined): number {
  if (degrees === undefined) return UNKNOWN;
  const units = Math.round(degrees * UNITS_PER_DEGREE);
  return Math.abs(units) < 0x7fff_ffff ? units : UNKNOWN;
}
