/** Views of journey patterns and their stops over their tables. A view keeps its stops after their first use. */
import { greatCircleMetres } from '../geo/great-circle.ts';
import type {
  BookingArrangement,
  DestinationDisplay,
  Direction,
  JourneyPattern,
  PatternStop,
} from '../model/entities.ts';
import type { JourneyPatternIndex, LineIndex, NoticeIndex, StopIndex } from '../model/indices.ts';
import { FOR_ALIGHTING, FOR_BOARDING } from '../model/transit.ts';
import { bookingOf } from './json-texts.ts';
import type { Polyline } from './polylines.ts';
import type { CatalogueReader } from './reader.ts';
import { DIRECTIONS, REQUEST_STOP } from './tables.ts';

class PatternStopView implements PatternStop {
  readonly #reader: CatalogueReader;
  readonly #row: number;

  constructor(reader: CatalogueReader, row: number) {
    this.#reader = reader;
    this.#row = row;
  }

  get #table() {
    return this.#reader.tables.patternStop;
  }

  get stop(): StopIndex {
    return this.#table.quay.get(this.#row);
  }

  get forBoarding(): boolean {
    return (this.#table.flags.at(this.#row) & FOR_BOARDING) !== 0;
  }

  get forAlighting(): boolean {
    return (this.#table.flags.at(this.#row) & FOR_ALIGHTING) !== 0;
  }

  get requestStop(): boolean {
    return (this.#table.flags.at(this.#row) & REQUEST_STOP) !== 0;
  }

  get destination(): DestinationDisplay {
    return { frontText: this.#table.frontText.at(this.#row) ?? '', vias: this.#table.vias.at(this.#row) };
  }

  get booking(): BookingArrangement | undefined {
    return bookingOf(this.#table.booking.at(this.#row));
  }

  get notices(): readonly NoticeIndex[] {
    return this.#table.notices.at(this.#row);
  }
}

export class PatternView implements JourneyPattern {
  readonly index: JourneyPatternIndex;
  readonly #reader: CatalogueReader;
  #stops: readonly PatternStop[] | undefined;

  constructor(reader: CatalogueReader, index: JourneyPatternIndex) {
    this.#reader = reader;
    this.index = index;
  }

  get #table() {
    return this.#reader.tables.journeyPattern;
  }

  get id(): string {
    return this.#table.id.at(this.index) ?? '';
  }

  get name(): string | undefined {
    return this.#table.name.at(this.index);
  }

  get line(): LineIndex {
    return this.#table.line.get(this.index);
  }

  get direction(): Direction {
    return DIRECTIONS[this.#table.direction.at(this.index)] ?? 'unknown';
  }

  get notices(): readonly NoticeIndex[] {
    return this.#table.notices.at(this.index);
  }

  get stops(): readonly PatternStop[] {
    if (this.#stops !== undefined) return this.#stops;
    const first = this.#firstRow();
    const count = (this.#reader.patternStopsStart[this.index + 1] ?? 0) - first;
    this.#stops = Array.from({ length: count }, (_, position) => new PatternStopView(this.#reader, first + position));
    return this.#stops;
  }

  hop(position: number): Polyline & { readonly distanceMetres: number } {
    const end = this.#reader.patternStopsStart[this.index + 1] ?? 0;
    const row = this.#firstRow() + position;
    if (position < 0 || row + 1 >= end) throw new RangeError(`pattern ${this.id} has no hop ${position}`);
    const { path, pathCentimetres, quay } = this.#reader.tables.patternStop;
    const number = path.at(row);
    const found = number === 0 ? this.#straight(quay.at(row), quay.at(row + 1)) : this.#reader.polylines.at(number);
    const centimetres = pathCentimetres.at(row);
    return { ...found, distanceMetres: centimetres < 0 ? lengthOf(found) : centimetres / 100 };
  }

  #firstRow(): number {
    return this.#reader.patternStopsStart[this.index] ?? 0;
  }

  #straight(from: number, to: number): Polyline {
    const { latitude, longitude } = this.#reader.tables.quay;
    return {
      latitudes: Float64Array.of(latitude.at(from), latitude.at(to)),
      longitudes: Float64Array.of(longitude.at(from), longitude.at(to)),
    };
  }
}

function lengthOf({ latitudes, longitudes }: Polyline): number {
  let metres = 0;
  for (let index = 1; index < latitudes.length; index++) {
    metres += greatCircleMetres(
      latitudes[index - 1] ?? 0,
      longitudes[index - 1] ?? 0,
      latitudes[index] ?? 0,
      longitudes[index] ?? 0,
    );
  }
  return metres;
}
