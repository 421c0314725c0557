/**
 * Gathers versions of stops and zones, keeps the preferred one of each, and packs them into the register's block.
 *
 * Callers: the readers of SiteFrames. Building takes the memory of the packed form, and twice that at the end. Texts
 * go into one run of bytes as they come; `build` leaves out replaced versions.
 */
import { HashSet } from '../dataset/hash-set.ts';
import { IdHasher } from '../dataset/id-hash.ts';
import { growingFloat64, growingInt16, growingInt32, growingUint8, growingUint32 } from '../packed/growing-array.ts';
import { slotOf, slotsFor, WORDS_PER_SLOT } from '../packed/id-slots.ts';
import { ListTableBuilder } from '../packed/list-table.ts';
import { packBlock } from './packed-block.ts';
import { StopDraft } from './stop-draft.ts';
import { STOP_KINDS, type StopKind } from './stop-facts.ts';
import * as layout from './stop-layout.ts';
import { TextTableBuilder } from './text-table.ts';

const { BYTE, BYTES_PER_ELEMENT, SECTION, TEXT, TEXTS_PER_ELEMENT, TRANSFER } = layout;
const NOWHERE = -1;
const kindNumber = (kind: StopKind): number => STOP_KINDS.indexOf(kind);

export class StopRegisterBuilder {
  readonly texts = new TextTableBuilder();
  readonly zones = new ListTableBuilder();
  readonly members = new ListTableBuilder();
  readonly neighbours = new ListTableBuilder();
  readonly names = new ListTableBuilder();
  readonly #rings = new ListTableBuilder();
  readonly #ringStarts = growingUint32();
  readonly #ringPoints = growingInt32();
  readonly #transfers = growingInt32();
  readonly #assignments = growingUint32();

  readonly #hasher = new IdHasher();
  readonly #ids = new HashSet();
  readonly #bytes = growingUint8();
  readonly #textRows = growingUint32();
  readonly #positions = growingInt32();
  readonly #bearings = growingInt16();
  readonly #validity = growingFloat64();
  /** Preferred version so far, by element. */
  readonly #revisions = growingUint32();
  readonly #parentRevisions = growingInt32();
  readonly #ranks = growingFloat64();
  #revisionCount = 0;
  readonly #atMs: number | undefined;

  /** `atMs`: versions valid at this instant are preferred; without it the highest version number wins. */
  constructor(atMs?: number) {
    this.#atMs = atMs;
    this.#ringStarts.push(0);
  }

  begin(depth: number, parent: StopDraft | undefined): StopDraft {
    return new StopDraft(depth, this.#revisionCount++, parent);
  }

  /** A ring of alternating latitudes and longitudes in units of the layout. */
  addRing(draft: StopDraft, units: readonly number[]): void {
    this.#rings.add(draft.revision, this.#ringStarts.length - 1);
    this.#ringPoints.append(units);
    this.#ringStarts.push(this.#ringPoints.length);
  }

  /** Records the stop that a scheduled stop point of the register stands for. */
  assign(scheduledStopPoint: string, stop: string): void {
    this.#assignments.append([this.texts.add(scheduledStopPoint), this.texts.add(stop)]);
  }

  /** Call at the end of the element. */
  add(id: string, draft: StopDraft): void {
    const hasher = this.#hasher;
    hasher.hash(id);
    const rank = this.#rank(draft);
    if (draft.transfer) this.#addTransfer(draft.transfer, draft.isOneWayReverse);
    const { high, low } = hasher;
    if (this.#ids.add(high, low)) {
      this.#append(draft, rank);
      return;
    }
    const element = this.#ids.find(high, low);
    if (rank > this.#ranks.get(element)) this.#replace(element, draft, rank);
  }

  #addTransfer(row: Int32Array, isReverse: boolean): void {
    if (isReverse) row.set([row[TRANSFER.to] as number, row[TRANSFER.from] as number], TRANSFER.from);
    this.#transfers.append(row);
  }

  /** Larger is preferred: valid now, then future, then past; among equals the newer version. */
  #rank({ validFromMs, validToMs, texts, isDeleted }: StopDraft): number {
    const version = Math.min(Number(this.texts.read(texts[TEXT.version] as number)) || 0, 1e6 - 1);
    if (isDeleted) return -1e12 + version;
    if (this.#atMs === undefined) return version;
    if (validFromMs > this.#atMs) return 1e14 - Math.min(validFromMs / 1000, 1e13);
    if (validToMs < this.#atMs) return Math.max(0, validToMs / 1000);
    return 1e15 + version;
  }

  #append(draft: StopDraft, rank: number): void {
    this.#bytes.append(draft.bytes);
    this.#textRows.append(draft.texts);
    this.#positions.append([draft.latitude, draft.longitude]);
    this.#bearings.push(draft.bearing);
    this.#validity.append([draft.validFromMs, draft.validToMs]);
    this.#revisions.push(draft.revision);
    this.#parentRevisions.push(draft.parentRevision);
    this.#ranks.push(rank);
  }

  #replace(element: number, draft: StopDraft, rank: number): void {
    this.#bytes.values().set(draft.bytes, element * BYTES_PER_ELEMENT);
    this.#textRows.values().set(draft.texts, element * TEXTS_PER_ELEMENT);
    this.#positions.values().set([draft.latitude, draft.longitude], element * 2);
    this.#bearings.set(element, draft.bearing);
    this.#validity.values().set([draft.validFromMs, draft.validToMs], element * 2);
    this.#revisions.set(element, draft.revision);
    this.#parentRevisions.set(element, draft.parentRevision);
    this.#ranks.set(element, rank);
  }

  /** Returns the storage form. The builder may go on collecting afterwards. */
  build(): Uint8Array {
    const count = this.#ids.size;
    const owners = this.#ownersOfRevisions();
    const ownerOf = (revision: number): number => owners[revision] as number;
    this.#applyAssignments();
    const sections: ArrayBufferView[] = [];
    const put = (section: number, ...values: ArrayBufferView[]): void => {
      values.forEach((value, index) => {
        sections[section + index] = value;
      });
    };
    put(SECTION.slots, this.#slots(count));
    put(SECTION.bytes, this.#markParents());
    put(SECTION.texts, this.#textRows.values());
    put(SECTION.positions, this.#positions.values());
    put(SECTION.bearings, this.#bearings.values());
    put(SECTION.validity, this.#validity.values());
    put(SECTION.transfers, this.#currentTransfers(ownerOf));
    put(SECTION.zones, ...this.zones.build(count, ownerOf));
    put(SECTION.names, ...this.names.build(count, ownerOf));
    put(SECTION.members, ...this.members.build(count, ownerOf));
    put(SECTION.neighbours, ...this.neighbours.build(count, ownerOf));
    put(SECTION.quays, ...this.#quaysOfPlaces(ownerOf).build(count));
    put(SECTION.children, ...this.#childrenOfPlaces().build(count));
    put(SECTION.stopsOfZone, ...this.#stopsOfZones(ownerOf).build(count));
    put(SECTION.rings, ...this.#rings.build(count, ownerOf));
    put(SECTION.ringStarts, this.#ringStarts.values());
    put(SECTION.ringPoints, this.#ringPoints.values());
    put(SECTION.textStarts, this.texts.starts());
    put(SECTION.textBytes, this.texts.bytes());
    return packBlock(layout.REGISTER_FORMAT, sections);
  }

  #ownersOfRevisions(): Int32Array {
    const owners = new Int32Array(this.#revisionCount).fill(NOWHERE);
    this.#revisions.values().forEach((revision, element) => {
      owners[revision] = element;
    });
    return owners;
  }

  #elementOf(textNumber: number): number {
    if (textNumber === 0) return NOWHERE;
    this.#hasher.hash(this.texts.read(textNumber));
    return this.#ids.find(this.#hasher.high, this.#hasher.low);
  }

  #textOf(element: number, column: number): number {
    return this.#textRows.get(element * TEXTS_PER_ELEMENT + column);
  }

  #isKind(element: number, kind: StopKind): boolean {
    return this.#bytes.get(element * BYTES_PER_ELEMENT + BYTE.kind) === kindNumber(kind);
  }

  #applyAssignments(): void {
    const pairs = this.#assignments.values();
    for (let at = 0; at < pairs.length; at += 2) {
      const element = this.#elementOf(pairs[at] as number);
      if (element !== NOWHERE) this.#textRows.set(element * TEXTS_PER_ELEMENT + TEXT.parent, pairs[at + 1] as number);
    }
  }

  #slots(count: number): Uint32Array {
    const slots = new Uint32Array(slotsFor(count) * WORDS_PER_SLOT);
    for (let element = 0; element < count; element++) {
      this.#hasher.hash(this.texts.read(this.#textOf(element, TEXT.id)));
      const { high, low } = this.#hasher;
      slots.set([low, high, element + 1], slotOf(slots, high, low));
    }
    return slots;
  }

  /** A place that others refer to as their parent is one, whether its key list says so or not. */
  #markParents(): Uint8Array {
    const bytes = this.#bytes.values().slice();
    for (let element = 0; element < this.#ids.size; element++) {
      if (!this.#isKind(element, 'StopPlace')) continue;
      const parent = this.#elementOf(this.#textOf(element, TEXT.parent));
      if (parent !== NOWHERE) bytes[parent * BYTES_PER_ELEMENT + BYTE.flags] = layout.FLAG_MULTIMODAL_PARENT;
    }
    return bytes;
  }

  #currentTransfers(ownerOf: (revision: number) => number): Int32Array {
    const rows = this.#transfers.values();
    const current = growingInt32();
    for (let at = 0; at < rows.length; at += layout.NUMBERS_PER_TRANSFER) {
      const element = ownerOf(rows[at + TRANSFER.element] as number);
      if (element === NOWHERE) continue;
      current.append(rows.subarray(at, at + layout.NUMBERS_PER_TRANSFER));
      current.set(current.length - layout.NUMBERS_PER_TRANSFER + TRANSFER.element, element);
    }
    return current.values();
  }

  /**
   * Only the quays of the place's preferred version: a quay that has moved or closed stays known but is not listed.
   */
  #quaysOfPlaces(ownerOf: (revision: number) => number): ListTableBuilder {
    const lists = new ListTableBuilder();
    this.#parentRevisions.values().forEach((parentRevision, element) => {
      const place = parentRevision < 0 ? NOWHERE : ownerOf(parentRevision);
      if (place !== NOWHERE && (this.#isKind(element, 'Quay') || this.#isKind(element, 'FlexibleQuay'))) {
        lists.add(place, element);
      }
    });
    return lists;
  }

  #childrenOfPlaces(): ListTableBuilder {
    const lists = new ListTableBuilder();
    for (let element = 0; element < this.#ids.size; element++) {
      if (!this.#isKind(element, 'StopPlace')) continue;
      const parent = this.#elementOf(this.#textOf(element, TEXT.parent));
      if (parent !== NOWHERE) lists.add(parent, element);
    }
    return lists;
  }

  /** From stops that refer to a zone, and from the stop points of a fare zone. */
  #stopsOfZones(ownerOf: (revision: number) => number): ListTableBuilder {
    const lists = new ListTableBuilder();
    const known = new HashSet();
    const add = (zone: number, stop: number): void => {
      if (zone !== NOWHERE && stop !== NOWHERE && known.add(zone, scattered(zone, stop))) lists.add(zone, stop);
    };
    this.zones.forEach((revision, zone) => {
      add(this.#elementOf(zone), ownerOf(revision));
    });
    this.members.forEach((revision, member) => {
      const zone = ownerOf(revision);
      if (zone === NOWHERE || !(this.#isKind(zone, 'FareZone') || this.#isKind(zone, 'TariffZone'))) return;
      const point = this.#elementOf(member);
      if (point === NOWHERE) return;
      const isStopPoint = this.#isKind(point, 'ScheduledStopPoint');
      add(zone, isStopPoint ? this.#elementOf(this.#textOf(point, TEXT.parent)) : point);
    });
    return lists;
  }
}

/** A distinct key for each stop of a zone, evenly distributed as the hash set needs. */
function scattered(zone: number, stop: number): number {
  return Math.imul(stop ^ Math.imul(zone, 0x9e3779b1), 0x85ebca6b) >>> 0;
}
