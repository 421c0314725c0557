/**
 * The stop register, or the stops of a dataset, opened for reading. Its bytes are its storage form; in a
 * SharedArrayBuffer they serve several threads. Opening makes views of arrays and copies nothing.
 *
 * Callers: the rules (by id), the planner's importer (by listing). Never changes; a newer register is another block.
 */
import { IdHasher } from '../dataset/id-hash.ts';
import { findNumber } from '../packed/id-slots.ts';
import { ListTable } from '../packed/list-table.ts';
import { PackedBlock } from './packed-block.ts';
import {
  type GeoPosition,
  STOP_KINDS,
  type StopFacts,
  type StopKind,
  type StopName,
  type TransferFacts,
} from './stop-facts.ts';
import {
  BYTE,
  BYTES_PER_ELEMENT,
  NUMBERS_PER_TRANSFER,
  REGISTER_FORMAT,
  SECTION,
  TRANSFER,
  UNITS_PER_DEGREE,
} from './stop-layout.ts';
import { type StopColumns, StopRecord } from './stop-record.ts';
import { TextTable } from './text-table.ts';

export class StopRegister {
  /** The storage form. */
  readonly bytes: Uint8Array;
  /** Number of elements of all kinds. */
  readonly size: number;
  readonly #block: PackedBlock;
  readonly #columns: StopColumns;
  readonly #slots: Uint32Array;
  readonly #hasher = new IdHasher();

  private constructor(block: PackedBlock) {
    this.#block = block;
    this.bytes = block.bytes;
    this.#columns = {
      texts: new TextTable(block.uint32(SECTION.textStarts), block.uint8(SECTION.textBytes)),
      bytes: block.uint8(SECTION.bytes),
      textRows: block.uint32(SECTION.texts),
      positions: block.int32(SECTION.positions),
      bearings: block.int16(SECTION.bearings),
      validity: block.float64(SECTION.validity),
      zones: this.#list(SECTION.zones),
      names: this.#list(SECTION.names),
    };
    this.#slots = block.uint32(SECTION.slots);
    this.size = this.#columns.bearings.length;
  }

  /** Throws BlockFormatError when the bytes are not a register of this format. */
  static open(bytes: Uint8Array): StopRegister {
    return new StopRegister(new PackedBlock(bytes, REGISTER_FORMAT));
  }

  has(id: string): boolean {
    return this.#find(id) >= 0;
  }

  /** The kind of element, e.g. `Quay`. */
  findLabel(id: string): StopKind | undefined {
    const element = this.#find(id);
    return element < 0 ? undefined : this.#kindOf(element);
  }

  findStop(id: string): StopFacts | undefined {
    const element = this.#find(id);
    return element < 0 ? undefined : this.#stop(element);
  }

  /** The name that travellers know: its own, else that of its parent. */
  findName(id: string): StopName | undefined {
    let stop = this.findStop(id);
    // Stops have at most two levels of parents; data may still contain a cycle.
    for (let steps = 0; stop && steps < 4; steps++) {
      if (stop.name !== undefined) return { text: stop.name, language: stop.nameLanguage };
      stop = stop.parentId === undefined ? undefined : this.findStop(stop.parentId);
    }
    return undefined;
  }

  /** In the order of the file, of one kind or of all. */
  *stops(kind?: StopKind): Generator<StopFacts> {
    const wanted = kind && STOP_KINDS.indexOf(kind);
    for (let element = 0; element < this.size; element++) {
      if (wanted === undefined || this.#columns.bytes[element * BYTES_PER_ELEMENT + BYTE.kind] === wanted) {
        yield this.#stop(element);
      }
    }
  }

  /** Quays of the place's preferred version. */
  quaysOf(stopPlaceId: string): readonly StopFacts[] {
    return this.#elementsOf(SECTION.quays, stopPlaceId);
  }

  /** Stop places with this multimodal parent. */
  childrenOf(stopPlaceId: string): readonly StopFacts[] {
    return this.#elementsOf(SECTION.children, stopPlaceId);
  }

  /** Places that refer to the tariff or fare zone, and those of the stop points that a fare zone lists. */
  stopsOfZone(zoneId: string): readonly StopFacts[] {
    return this.#elementsOf(SECTION.stopsOfZone, zoneId);
  }

  /** Ids that a group or fare zone lists as its members. */
  membersOf(id: string): readonly string[] {
    return this.#textsOf(SECTION.members, id);
  }

  /** Ids of the zones next to a fare zone. */
  neighboursOf(zoneId: string): readonly string[] {
    return this.#textsOf(SECTION.neighbours, zoneId);
  }

  /**
   * The polygon of a zone, topographic place or flexible area: its outer ring, then its holes. Empty without a
   * polygon.
   */
  ringsOf(id: string): ReadonlyArray<readonly GeoPosition[]> {
    const element = this.#find(id);
    if (element < 0) return [];
    const starts = this.#block.uint32(SECTION.ringStarts);
    const points = this.#block.int32(SECTION.ringPoints);
    return Array.from(this.#list(SECTION.rings).of(element), (ring) => {
      const ringPoints = points.subarray(starts[ring], starts[ring + 1]);
      return Array.from({ length: ringPoints.length / 2 }, (_, index) => ({
        latitude: (ringPoints[index * 2] as number) / UNITS_PER_DEGREE,
        longitude: (ringPoints[index * 2 + 1] as number) / UNITS_PER_DEGREE,
      }));
    });
  }

  /** Walking paths with times in the register: path links and site connections. */
  *transfers(): Generator<TransferFacts> {
    const rows = this.#block.int32(SECTION.transfers);
    for (let at = 0; at < rows.length; at += NUMBERS_PER_TRANSFER) {
      const row = rows.subarray(at, at + NUMBERS_PER_TRANSFER);
      const from = row[TRANSFER.from] as number;
      const to = row[TRANSFER.to] as number;
      if (from <= 0 || to <= 0) continue;
      const stop = this.#stop(row[TRANSFER.element] as number);
      yield {
        id: stop.id,
        kind: stop.kind as TransferFacts['kind'],
        fromId: this.#columns.texts.read(from) ?? '',
        toId: this.#columns.texts.read(to) ?? '',
        bothWays: row[TRANSFER.bothWays] === 1,
        distanceMetres: said(row[TRANSFER.distanceMetres]),
        defaultSeconds: said(row[TRANSFER.defaultSeconds]),
        frequentTravellerSeconds: said(row[TRANSFER.frequentTravellerSeconds]),
        occasionalTravellerSeconds: said(row[TRANSFER.occasionalTravellerSeconds]),
        mobilityRestrictedSeconds: said(row[TRANSFER.mobilityRestrictedSeconds]),
      };
    }
  }

  #stop(element: number): StopFacts {
    return new StopRecord(this.#columns, element);
  }

  #kindOf(element: number): StopKind {
    return STOP_KINDS[this.#columns.bytes[element * BYTES_PER_ELEMENT + BYTE.kind] as number] as StopKind;
  }

  #list(section: number): ListTable {
    return new ListTable(this.#block.uint32(section), this.#block.uint32(section + 1));
  }

  #elementsOf(section: number, id: string): readonly StopFacts[] {
    const element = this.#find(id);
    return element < 0 ? [] : Array.from(this.#list(section).of(element), (other) => this.#stop(other));
  }

  #textsOf(section: number, id: string): readonly string[] {
    const element = this.#find(id);
    if (element < 0) return [];
    return Array.from(this.#list(section).of(element), (text) => this.#columns.texts.read(text) ?? '');
  }

  /** Number of the element; -1 when absent. */
  #find(id: string): number {
    const hasher = this.#hasher;
    hasher.hash(id);
    return findNumber(this.#slots, hasher.high, hasher.low) - 1;
  }
}

function said(value: number | undefined): number | undefined {
  return value === undefined || value < 0 ? undefined : value;
}
