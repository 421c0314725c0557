/**
 * Stop places and quays of one snapshot, by every name that boards and legs show. A multimodal place and its children
 * make a family. Within a family each name has one entry: the uppermost place, else the place or quay with the most
 * lines.
 *
 * The index holds numbers of the snapshot and no reference to it, so that a replaced snapshot can be freed.
 * `geocoder.ts` builds it.
 */
import type { Timetable } from '../../../planner/index.ts';
import type { Quay, StopPlace } from '../../../planner/model/entities.ts';
import type { StopIndex, StopPlaceIndex } from '../../../planner/model/indices.ts';
import { foldWords } from './fold-text.ts';
import type { NameIndex } from './name-index.ts';
import { NameIndexBuilder } from './name-index-builder.ts';
import { importanceOf } from './place-category.ts';
import { usesOf } from './uses-of.ts';

const NO_ENTRY = -1;

export interface ShownPlaces {
  readonly snapshotId: string;
  readonly names: NameIndex;
  /** Degrees, by entry. */
  readonly latitudes: Float32Array;
  readonly longitudes: Float32Array;
  readonly hasNamedQuays: boolean;
  /** The place of an entry. */
  at(entry: number): ShownPlace;
  ofStopPlace(place: StopPlaceIndex): number | undefined;
  /** Undefined for a quay with its stop place's name. */
  ofQuay(quay: StopIndex): number | undefined;
}

export type ShownPlace =
  | { readonly kind: 'stopPlace'; readonly index: StopPlaceIndex }
  | { readonly kind: 'quay'; readonly index: StopIndex };

export async function buildShownPlaces(timetable: Timetable): Promise<ShownPlaces> {
  const { stopPlaces, quays } = timetable.catalogue;
  const building = new Building(timetable);
  const { slicer } = building.names;
  for (let index = 0 as StopPlaceIndex; index < stopPlaces.count; index++) {
    if (stopPlaces.at(index).parent === undefined) building.addFamily(index);
    if (slicer.isOver) await slicer.rest();
  }
  for (let index = 0 as StopIndex; index < quays.count; index++) {
    building.addQuayWithoutPlace(index);
    if (slicer.isOver) await slicer.rest();
  }
  return await building.finish();
}

class Building {
  readonly names = new NameIndexBuilder();
  readonly #timetable: Timetable;
  /** By entry: a stop place, or the complement (`~`) of a quay. */
  readonly #targets: number[] = [];
  readonly #latitudes: number[] = [];
  readonly #longitudes: number[] = [];
  readonly #ofStopPlace: Int32Array;
  readonly #ofQuay: Int32Array;
  #hasNamedQuays = false;

  constructor(timetable: Timetable) {
    this.#timetable = timetable;
    this.#ofStopPlace = new Int32Array(timetable.catalogue.stopPlaces.count).fill(NO_ENTRY);
    this.#ofQuay = new Int32Array(timetable.catalogue.quays.count).fill(NO_ENTRY);
  }

  addFamily(uppermost: StopPlaceIndex): void {
    const { catalogue } = this.#timetable;
    const entries = new Map<string, number>();
    const places = [uppermost, ...this.#byLines(catalogue.childrenOf(uppermost))];
    for (const index of places) {
      const place = catalogue.stopPlaces.at(index);
      this.#ofStopPlace[index] = this.#add(entries, place, place, index, catalogue.quaysOf(index, true));
    }
    for (const index of places) {
      const place = catalogue.stopPlaces.at(index);
      for (const stop of catalogue.quaysOf(index, false)) {
        const quay = catalogue.quays.at(stop);
        if (quay.name !== place.name) this.#addQuay(entries, quay, place);
      }
    }
  }

  /** The snapshot gives a nameless quay its id as name, which nobody searches for. */
  addQuayWithoutPlace(index: StopIndex): void {
    const quay = this.#timetable.catalogue.quays.at(index);
    if (quay.stopPlace === undefined && quay.name !== quay.id) this.#addQuay(new Map(), quay, undefined);
  }

  async finish(): Promise<ShownPlaces> {
    const targets = Int32Array.from(this.#targets);
    const ofStopPlace = this.#ofStopPlace;
    const ofQuay = this.#ofQuay;
    return {
      snapshotId: this.#timetable.snapshotId,
      names: await this.names.finish(),
      latitudes: Float32Array.from(this.#latitudes),
      longitudes: Float32Array.from(this.#longitudes),
      hasNamedQuays: this.#hasNamedQuays,
      at(entry) {
        const target = targets[entry] as number;
        return target >= 0
          ? { kind: 'stopPlace', index: target as StopPlaceIndex }
          : { kind: 'quay', index: ~target as StopIndex };
      },
      ofStopPlace: (place) => entryOf(ofStopPlace[place]),
      ofQuay: (quay) => entryOf(ofQuay[quay]),
    };
  }

  /** Sorts by number of lines, descending, so that the first place gets the entry of a shared name. */
  #byLines(places: readonly StopPlaceIndex[]): readonly StopPlaceIndex[] {
    if (places.length < 2) return places;
    return places
      .map((place) => ({
        place,
        ...usesOf(this.#timetable, this.#timetable.catalogue.quaysOf(place, true)),
      }))
      .sort((one, other) => other.lines - one.lines)
      .map(({ place }) => place);
  }

  #addQuay(entries: Map<string, number>, quay: Quay, place: StopPlace | undefined): void {
    this.#ofQuay[quay.index] = this.#add(entries, quay, place, ~quay.index, [quay.index]);
    this.#hasNamedQuays = true;
  }

  /** Returns the entry of this name, and adds it unless the family has it. */
  #add(
    entries: Map<string, number>,
    { name, latitude, longitude }: Quay | StopPlace,
    place: StopPlace | undefined,
    target: number,
    quays: readonly StopIndex[],
  ): number {
    const words = foldWords(name);
    const key = words.join(' ');
    const known = entries.get(key);
    if (known !== undefined) return known;
    const { lines, modes } = usesOf(this.#timetable, quays);
    const surroundings = [...foldWords(place?.locality ?? ''), ...foldWords(place?.county ?? '')];
    this.names.add(words, surroundings, importanceOf(lines, modes.length));
    this.#latitudes.push(latitude);
    this.#longitudes.push(longitude);
    const entry = this.#targets.push(target) - 1;
    entries.set(key, entry);
    return entry;
  }
}

function entryOf(entry: number | undefined): number | undefined {
  return entry === NO_ENTRY ? undefined : entry;
}
