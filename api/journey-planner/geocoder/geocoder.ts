/**
 * Finds places by text and by position, over the newest snapshot's stop places and the addresses imported. The index of a snapshot is
 * made when it is first asked for, in slices; meanwhile the one before answers. Caller: the router.
 */
import { greatCircleMetres } from '../../../planner/geo/great-circle.ts';
import type { Timetable } from '../../../planner/index.ts';
import type { StopPlaceIndex } from '../../../planner/model/indices.ts';
import type { PlannerContext } from '../planner-context.ts';
import { type AddressList, readAddressList } from './address-list.ts';
import { addressFeature, type Feature, stopPlaceFeature } from './features.ts';
import { foldWords } from './fold-text.ts';
import type { NameIndex, Nudge } from './name-index.ts';
import type { Autocomplete, Position, Reverse } from './question.ts';
import { buildStopPlaceNames, type StopPlaceNames } from './stop-place-index.ts';

/** What being at the focus itself adds to a score; half of it at the distance below. Less than from "begins with" to "is". */
const FOCUS_SCORE = 400;
const FOCUS_METRES = 20_000;

export class Geocoder {
  readonly #context: Pick<PlannerContext, 'timetable' | 'timetableOf' | 'log' | 'config'>;
  #ready: StopPlaceNames | undefined;
  #making: { readonly snapshotId: string; readonly names: Promise<StopPlaceNames> } | undefined;
  #addresses: Promise<AddressList | undefined> | undefined;

  constructor(context: Pick<PlannerContext, 'timetable' | 'timetableOf' | 'log' | 'config'>) {
    this.#context = context;
  }

  /** Undefined while there is no snapshot. */
  async autocomplete(asked: Autocomplete): Promise<readonly Feature[] | undefined> {
    const found = await this.#stopPlaces();
    if (!found) return undefined;
    const words = foldWords(asked.text);
    const { timetable, names } = found;
    const ranked: { score: number; feature: () => Feature }[] = [];
    if (asked.layers.has('venue')) {
      const nudge = nudgeBy(asked.focus, names.latitudes, names.longitudes);
      for (const { place, score } of search(names.names, words, asked.size, nudge)) {
        const index = names.places[place] as StopPlaceIndex;
        ranked.push({
          score,
          feature: () => stopPlaceFeature(timetable, index, distanceFrom(asked.focus, timetable, index)),
        });
      }
    }
    const addresses = asked.layers.has('address') ? await this.#addressList() : undefined;
    if (addresses) {
      for (const { place, score } of search(addresses.names, words, asked.size)) {
        ranked.push({ score, feature: () => addressFeature(addresses.at(place)) });
      }
    }
    ranked.sort((one, other) => other.score - one.score);
    return ranked.slice(0, asked.size).map(({ feature }) => feature());
  }

  async reverse({ point, size, layers, radiusMetres }: Reverse): Promise<readonly Feature[] | undefined> {
    const timetable = this.#context.timetable();
    if (!timetable) return undefined;
    const { latitude, longitude } = point;
    const found: { distanceMetres: number; feature: () => Feature }[] = [];
    if (layers.has('venue')) {
      const seen = new Set<StopPlaceIndex>();
      for (const { index, distanceMetres } of timetable.geo.stopPlacesNear(latitude, longitude, radiusMetres)) {
        const shown = uppermost(timetable, index);
        if (seen.has(shown)) continue;
        seen.add(shown);
        found.push({ distanceMetres, feature: () => stopPlaceFeature(timetable, shown, distanceMetres) });
        if (seen.size === size) break;
      }
    }
    const addresses = layers.has('address') ? await this.#addressList() : undefined;
    for (const { index, distanceMetres } of addresses?.near(latitude, longitude, radiusMetres).slice(0, size) ?? []) {
      found.push({
        distanceMetres,
        feature: () => addressFeature((addresses as AddressList).at(index), distanceMetres),
      });
    }
    found.sort((one, other) => one.distanceMetres - other.distanceMetres);
    return found.slice(0, size).map(({ feature }) => feature());
  }

  /** The index that answers now, with the snapshot whose numbers it holds. */
  async #stopPlaces(): Promise<{ timetable: Timetable; names: StopPlaceNames } | undefined> {
    const newest = this.#context.timetable();
    if (!newest) return undefined;
    if (this.#ready?.snapshotId !== newest.snapshotId) {
      const making = this.#make(newest);
      const before = this.#ready && this.#context.timetableOf(this.#ready.snapshotId);
      if (this.#ready && before) return { timetable: before, names: this.#ready };
      return { timetable: newest, names: await making };
    }
    return { timetable: newest, names: this.#ready };
  }

  #make(timetable: Timetable): Promise<StopPlaceNames> {
    const { snapshotId } = timetable;
    if (this.#making?.snapshotId === snapshotId) return this.#making.names;
    const names = buildStopPlaceNames(timetable);
    this.#making = { snapshotId, names };
    names.then(
      (made) => {
        if (this.#making?.snapshotId !== snapshotId) return;
        this.#ready = made;
        this.#making = undefined;
      },
      (error: unknown) => {
        this.#context.log.error({ err: error }, 'the index of stop places could not be made');
        if (this.#making?.snapshotId === snapshotId) this.#making = undefined;
      },
    );
    return names;
  }

  /** A list that cannot be read is said once; stop places are found all the same. */
  async #addressList(): Promise<AddressList | undefined> {
    const { config, log } = this.#context;
    const path = config.GEOCODER_ADDRESSES;
    if (path === undefined) return undefined;
    this.#addresses ??= readAddressList(path).then(
      (list) => {
        log.info({ addresses: list.count, rejected: list.rejected }, 'addresses were read');
        return list;
      },
      (error: unknown) => {
        log.error({ err: error, path }, 'the list of addresses cannot be read');
        return undefined;
      },
    );
    return await this.#addresses;
  }
}

/** Words are asked for as they stand; all of them must be found. */
function search(names: NameIndex, words: readonly string[], size: number, nudge?: Nudge) {
  return names.search(words, size, nudge);
}

function nudgeBy(focus: Position | undefined, latitudes: Float32Array, longitudes: Float32Array): Nudge | undefined {
  if (!focus) return undefined;
  return (place) => {
    const metres = greatCircleMetres(focus.latitude, focus.longitude, latitudes[place] ?? 0, longitudes[place] ?? 0);
    return FOCUS_SCORE / (1 + metres / FOCUS_METRES);
  };
}

function distanceFrom(
  focus: Position | undefined,
  { catalogue }: Timetable,
  index: StopPlaceIndex,
): number | undefined {
  if (!focus) return undefined;
  const { latitude, longitude } = catalogue.stopPlaces.at(index);
  return greatCircleMetres(focus.latitude, focus.longitude, latitude, longitude);
}

function uppermost({ catalogue }: Timetable, index: StopPlaceIndex): StopPlaceIndex {
  return catalogue.stopPlaces.at(index).parent ?? index;
}
