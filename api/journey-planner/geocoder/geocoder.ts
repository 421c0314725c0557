/**
 * Finds places by text and by position: stop places and quays of the newest snapshot, and imported addresses. Caller:
 * the router.
 */
import { greatCircleMetres } from '../../../planner/geo/great-circle.ts';
import type { Timetable } from '../../../planner/index.ts';
import type { PlannerContext } from '../planner-context.ts';
import { type AddressList, readAddressList } from './address-list.ts';
import { type Current, CurrentPlaces } from './current-places.ts';
import { addressFeature, type Feature, placeFeature } from './features.ts';
import { foldWords } from './fold-text.ts';
import type { Boost } from './name-index.ts';
import type { Autocomplete, Position, Reverse } from './question.ts';
import type { ShownPlace } from './shown-places.ts';

/**
 * Score that a place at the focus gains; at the distance below it gains half. The score is less than the step from
 * "begins with" to "equals".
 */
const FOCUS_SCORE = 400;
const FOCUS_METRES = 20_000;

export class Geocoder {
  readonly #context: Pick<PlannerContext, 'timetable' | 'timetableOf' | 'log' | 'config'>;
  readonly #places: CurrentPlaces;
  #addresses: Promise<AddressList | undefined> | undefined;

  constructor(context: Pick<PlannerContext, 'timetable' | 'timetableOf' | 'log' | 'config'>) {
    this.#context = context;
    this.#places = new CurrentPlaces(context);
  }

  /** Undefined while there is no snapshot. */
  async autocomplete(wanted: Autocomplete): Promise<readonly Feature[] | undefined> {
    const current = await this.#places.find();
    if (!current) return undefined;
    const { timetable, places } = current;
    const words = foldWords(wanted.text);
    const ranked: { score: number; feature: () => Feature }[] = [];
    if (wanted.layers.has('venue')) {
      const boost = boostBy(wanted.focus, places.latitudes, places.longitudes);
      for (const { place: entry, score } of places.names.search(words, wanted.size, boost)) {
        ranked.push({ score, feature: () => featureFrom(wanted.focus, timetable, places.at(entry)) });
      }
    }
    const addresses = wanted.layers.has('address') ? await this.#addressList() : undefined;
    if (addresses) {
      for (const { place, score } of addresses.names.search(words, wanted.size)) {
        ranked.push({ score, feature: () => addressFeature(addresses.at(place)) });
      }
    }
    ranked.sort((one, other) => other.score - one.score);
    return ranked.slice(0, wanted.size).map(({ feature }) => feature());
  }

  /** Undefined while there is no snapshot. */
  async reverse({ point, size, layers, radiusMetres }: Reverse): Promise<readonly Feature[] | undefined> {
    const current = await this.#places.find();
    if (!current) return undefined;
    const { timetable, places } = current;
    const found: { distanceMetres: number; feature: () => Feature }[] = [];
    if (layers.has('venue')) {
      for (const [entry, distanceMetres] of placesNear(current, point, radiusMetres, size)) {
        found.push({ distanceMetres, feature: () => placeFeature(timetable, places.at(entry), distanceMetres) });
      }
    }
    const addresses = layers.has('address') ? await this.#addressList() : undefined;
    const near = addresses?.near(point.latitude, point.longitude, radiusMetres) ?? [];
    for (const { index, distanceMetres } of near.slice(0, size)) {
      found.push({
        distanceMetres,
        feature: () => addressFeature((addresses as AddressList).at(index), distanceMetres),
      });
    }
    found.sort((one, other) => one.distanceMetres - other.distanceMetres);
    return found.slice(0, size).map(({ feature }) => feature());
  }

  /** A list that cannot be read is logged once. The geocoder then finds stop places only. */
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

function boostBy(focus: Position | undefined, latitudes: Float32Array, longitudes: Float32Array): Boost | undefined {
  if (!focus) return undefined;
  return (place) => {
    const metres = greatCircleMetres(focus.latitude, focus.longitude, latitudes[place] ?? 0, longitudes[place] ?? 0);
    return FOCUS_SCORE / (1 + metres / FOCUS_METRES);
  };
}

function featureFrom(focus: Position | undefined, timetable: Timetable, place: ShownPlace): Feature {
  const { stopPlaces, quays } = timetable.catalogue;
  if (!focus) return placeFeature(timetable, place);
  const { latitude, longitude } = place.kind === 'quay' ? quays.at(place.index) : stopPlaces.at(place.index);
  return placeFeature(timetable, place, greatCircleMetres(focus.latitude, focus.longitude, latitude, longitude));
}

/**
 * Entries with their least distance in metres. The uppermost place of a family comes first, with the least
 * distance of the family.
 */
function placesNear(
  { timetable: { geo, catalogue }, places }: Current,
  { latitude, longitude }: Position,
  radiusMetres: number,
  size: number,
): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const add = (entry: number | undefined, metres: number): void => {
    if (entry !== undefined && metres < (found.get(entry) ?? Number.POSITIVE_INFINITY)) found.set(entry, metres);
  };
  for (const { index, distanceMetres } of geo.stopPlacesNear(latitude, longitude, radiusMetres)) {
    add(places.ofStopPlace(catalogue.stopPlaces.at(index).parent ?? index), distanceMetres);
    add(places.ofStopPlace(index), distanceMetres);
    if (found.size >= size) break;
  }
  if (!places.hasNamedQuays) return found;
  const enough = found.size + size;
  for (const { index, distanceMetres } of geo.quaysNear(latitude, longitude, radiusMetres)) {
    add(places.ofQuay(index), distanceMetres);
    if (found.size >= enough) break;
  }
  return found;
}
