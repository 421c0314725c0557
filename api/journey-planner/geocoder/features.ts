/** Places as the GeoJSON features that Pelias answers and its clients read. Pure, over one snapshot. */
import type { Timetable } from '../../../planner/index.ts';
import type { StopPlaceIndex } from '../../../planner/model/indices.ts';
import type { Address } from './address-list.ts';
import { categoriesOf } from './place-category.ts';
import type { Layer } from './question.ts';
import { usesOf } from './stop-place-index.ts';

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

export function stopPlaceFeature(timetable: Timetable, index: StopPlaceIndex, distanceMetres?: number): Feature {
  const { catalogue } = timetable;
  const place = catalogue.stopPlaces.at(index);
  const served = usesOf(timetable, index).modes;
  const source = (place.id.split(':')[0] ?? '').toLowerCase();
  const zones = place.tariffZones.map((zone) => catalogue.tariffZones.at(zone).id);
  return feature(place.longitude, place.latitude, {
    ...{
      id: place.id,
      gid: `${source}:venue:${place.id}`,
      layer: 'venue',
      source,
      source_id: place.id,
      name: place.name,
    },
    label: place.locality === undefined ? place.name : `${place.name}, ${place.locality}`,
    accuracy: 'point',
    category: categoriesOf(served.length > 0 ? served : place.modes),
    ...(place.county === undefined ? {} : { county: place.county }),
    ...(place.locality === undefined ? {} : { locality: place.locality }),
    ...(zones.length === 0 ? {} : { tariff_zones: zones }),
    ...inKilometres(distanceMetres),
  });
}

export function addressFeature(address: Address, distanceMetres?: number): Feature {
  const { id, street, houseNumber, postCode, place, latitude, longitude } = address;
  const name = houseNumber === '' ? street : `${street} ${houseNumber}`;
  return feature(longitude, latitude, {
    ...{ id, gid: `addresses:address:${id}`, layer: 'address', source: 'addresses', source_id: id, name },
    label: place === '' ? name : `${name}, ${place}`,
    ...{ accuracy: 'point', category: ['vegadresse'], street },
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
