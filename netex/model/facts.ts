/**
 * Facts of a file that others join to: the quay of a stop point, the course of a link, the days of a day type. Covers
 * one file while it is validated, or all common files together for the line files.
 *
 * Callers: the model; rules that read `run.shared`. Opened over packed bytes: copies nothing and decodes texts on
 * demand.
 */
import type { NotedPlace } from '../rules/finding-list.ts';
import { UNITS_PER_DEGREE } from './facts-builder.ts';
import { PackedFacts, UNKNOWN } from './packed-facts.ts';

/** PassengerStopAssignment or FlexibleStopAssignment; for a stop point with several, the first with a quay. */
export interface StopAssignment {
  readonly quayRef: string | undefined;
  readonly stopPlaceRef: string | undefined;
  /** Set for a stop point that stands for an area. */
  readonly flexibleStopPlaceRef: string | undefined;
}

/** Degrees, WGS 84. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * A link of the file or of a common one. It has no place: a finding in the file under validation must not show a
 * place in another.
 */
export interface ServiceLink {
  readonly id: string;
  readonly fromPointRef: string | undefined;
  readonly toPointRef: string | undefined;
  /** First and last position of the LineString; undefined when it is missing or unreadable. */
  readonly start: Position | undefined;
  readonly end: Position | undefined;
}

/** A link of the file under validation, with its place in the file. */
export interface PlacedServiceLink extends ServiceLink, NotedPlace {}

export class TimetableFacts {
  readonly packed: PackedFacts;

  private constructor(packed: PackedFacts) {
    this.packed = packed;
  }

  /** Throws when the bytes are not facts. */
  static open(bytes: Uint8Array): TimetableFacts {
    return new TimetableFacts(PackedFacts.open(bytes));
  }

  findStopAssignment(scheduledStopPointRef: string): StopAssignment | undefined {
    const row = this.packed.findRow('assignments', scheduledStopPointRef);
    if (row < 0) return undefined;
    const { words, width, size } = this.packed.rows('assignments');
    const name = words[row * width];
    let chosen = row;
    for (let other = row; other < size && words[other * width] === name; other++) {
      if ((words[other * width + 1] as number) < 0) continue;
      chosen = other;
      break;
    }
    const at = chosen * width;
    return {
      quayRef: this.packed.text(words[at + 1] as number),
      stopPlaceRef: this.packed.text(words[at + 2] as number),
      flexibleStopPlaceRef: this.packed.text(words[at + 3] as number),
    };
  }

  findServiceLink(id: string): ServiceLink | undefined {
    const row = this.packed.findRow('links', id);
    return row < 0 ? undefined : this.#serviceLink(row);
  }

  /** All links by place; for facts of one file only. */
  placedServiceLinks(): PlacedServiceLink[] {
    const { words, width, size } = this.packed.rows('links');
    const links = Array.from({ length: size }, (_, row): PlacedServiceLink => {
      const link = this.#serviceLink(row);
      const [line = null, column = null] = words.subarray(row * width + 7, row * width + 9);
      return { ...link, objectId: link.id, line, column };
    });
    return links.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  }

  #serviceLink(row: number): ServiceLink {
    const { words, width } = this.packed.rows('links');
    const word = (column: number): number => words[row * width + column] as number;
    return {
      id: this.packed.text(word(0)) ?? '',
      fromPointRef: this.packed.text(word(1)),
      toPointRef: this.packed.text(word(2)),
      start: position(word(3), word(4)),
      end: position(word(5), word(6)),
    };
  }
}

function position(latitudeUnits: number, longitudeUnits: number): Position | undefined {
  if (latitudeUnits === UNKNOWN || longitudeUnits === UNKNOWN) return undefined;
  return { latitude: latitudeUnits / UNITS_PER_DEGREE, longitude: longitudeUnits / UNITS_PER_DEGREE };
}
