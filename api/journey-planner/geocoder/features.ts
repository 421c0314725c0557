/** Turns places into GeoJSON features in the format of Pelias. The functions are pure, over one snapshot. */
import type { Timetable } from '../../../planner/index.ts';
import type { Quay, StopPlace } from '../../../planner/model/entities.ts';
import type { StopIndex } from '../../../planner/model/indices.ts';
import type { Address } from './address-list.ts';
import { categoriesOf } from './place-category.ts';
import type { Layer } from './question.ts';
import type { ShownPlace } from './shown-places.ts';
import { usesOf } from './uses-of.ts';

export interface Feature {
  readonly type: 'Feature';
  readonly geometry: { readonly type: 'Point'; readonly coordinates: readonly [number, number] };
  readonly properties: {
    readonly id: string;
    readonly gid: string;
    readonly layer: Layer;
    readonly source: string;
    readonly source_id: string;
    readonly name: string;
    readonly label: string;
    readonly accuracy: 'point';
    readonly category: readonly string[];
    readonly street?: string;
    readonly housenumber?: string;
    readonly postalcode?: string;
    readonly county?: string;
    readonly locality?: string;
    readonly tariff_zones?: readonly string[];
    /** Kilometres. */
    readonly distance?: number;
  };
}

/** Makes the feature of a stop place, or of a quay with its own name. */
export function placeFeature(timetable: Timetable, { kind, index }: ShownPlace, distanceMetres?: number): Feature {
  const { stopPlaces, quays } = timetable.catalogue;
  if (kind === 'stopPlace') {
    const place = stopPlaces.at(index);
    return venueFeature(timetable, place, place, timetable.catalogue.quaysOf(index, true), distanceMetres);
  }
  const quay = quays.at(index);
  const place = quay.stopPlace === undefined ? undefined : stopPlaces.at(quay.stopPlace);
  return venueFeature(timetable, quay, place, [index], distanceMetres);
}

function venueFeature(
  timetable: Timetable,
  { id, name, latitude, longitude, tariffZones }: StopPlace | Quay,
  place: StopPlace | undefined,
  quays: readonly StopIndex[],
  distanceMetres: number | undefined,
): Feature {
  const served = usesOf(timetable, quays).modes;
  const source = (id.split(':')[0] ?? '').toLowerCase();
  const zones = tariffZones.map((zone) => timetable.catalogue.tariffZones.at(zone).id);
  const { locality, county } = place ?? {};
  return feature(longitude, latitude, {
    id,
    gid: `${source}:venue:${id}`,
    layer: 'venue',
    source,
    source_id: id,
    name,
    label: locality === undefined ? name : `${name}, ${locality}`,
    accuracy: 'point',
    category: categoriesOf(served.length > 0 ? served : (place?.modes ?? [])),
    ...(county === undefined ? {} : { county }),
    ...(locality === undefined ? {} : { locality }),
    ...(zones.length === 0 ? {} : { tariff_zones: zones }),
    ...inKilometres(distanceMetres),
  });
}

export function addressFeature(address: Address, distanceMetres?: number): Feature {
  const { id, street, houseNumber, postCode, place, latitude, longitude } = address;
  const name = houseNumber === '' ? street : `${street} ${houseNumber}`;
  return feature(longitude, latitude, {
    id,
    gid: `addresses:address:${id}`,
    layer: 'address',
    source: 'addresses',
    source_id: id,
    name,
    label: place === '' ? name : `${name}, ${place}`,
    accuracy: 'point',
    category: ['vegadresse'],
    street,
    ...(houseNumber === '' ? {} : { housenumber: houseNumber }),
    ...(postCode === '' ? {} : { postalcode: postCode }),
    ...(place === '' ? {} : { locality: place }),
    ...inKilometres(distanceMetres),
  });
}

function feature(longitude: number, latitude: number, properties: Feature['properties']): Feature {
  return { type: 'Feature', geometry: { type: 'Point', coordinates: [longitude, latitude] }, properties };
}

function inKilometres(metres: number | undefined): { distance?: number } {
  return metres === undefined ? {} : { distance: Math.round(metres) / 1_000 };
}
