/** The stop place and fare zones of each quay of a snapshot, computed once for all patterns that call there. Pure. */
import type { Catalogue } from '../../planner/model/catalogue.ts';
import type { StopIndex, StopPlaceIndex, TariffZoneIndex } from '../../planner/model/indices.ts';

export interface QuayPlace {
  readonly quayId: string;
  /** The quay itself where it has no stop place. */
  readonly stopPlaceId: string;
  readonly zoneIds: readonly string[];
  /** The stop place and its parent. */
  readonly places: readonly string[];
}

export class QuayPlaces {
  readonly #catalogue: Catalogue;
  readonly #known = new Map<StopIndex, QuayPlace>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  of(stop: StopIndex): QuayPlace {
    const known = this.#known.get(stop) ?? this.#find(stop);
    this.#known.set(stop, known);
    return known;
  }

  #find(stop: StopIndex): QuayPlace {
    const { id: quayId, stopPlace, tariffZones } = this.#catalogue.quays.at(stop);
    if (stopPlace === undefined) {
      return { quayId, stopPlaceId: quayId, zoneIds: zoneIdsOf(this.#catalogue, tariffZones), places: [quayId] };
    }
    const place = this.#catalogue.stopPlaces.at(stopPlace);
    const parent = place.parent === undefined ? undefined : this.#catalogue.stopPlaces.at(place.parent);
    const own = zoneIdsOf(this.#catalogue, [...tariffZones, ...place.tariffZones]);
    return {
      quayId,
      stopPlaceId: place.id,
      zoneIds: own.length > 0 ? own : zoneIdsOf(this.#catalogue, parent?.tariffZones ?? []),
      places: parent === undefined ? [place.id] : [place.id, parent.id],
    };
  }
}

/** Fare zones of a place, of the places below it, and of their quays. */
export function zonesBelow(catalogue: Catalogue, place: StopPlaceIndex): readonly string[] {
  const zonesOf = (each: StopPlaceIndex): readonly TariffZoneIndex[] => [
    ...catalogue.stopPlaces.at(each).tariffZones,
    ...catalogue.childrenOf(each).flatMap(zonesOf),
  ];
  const ofQuays = catalogue.quaysOf(place, true).flatMap((quay) => catalogue.quays.at(quay).tariffZones);
  return zoneIdsOf(catalogue, [...zonesOf(place), ...ofQuays]);
}

/** Each id once, in the order of the zones. */
export function zoneIdsOf({ tariffZones }: Catalogue, zones: readonly TariffZoneIndex[]): readonly string[] {
  return soldZones([...new Set(zones)].map((zone) => tariffZones.at(zone))).map(({ id }) => id);
}

/** Registers give a place its fare zones beside the tariff zones that they replace. Where there are fare zones, these are sold. */
export function soldZones<Zone extends { readonly id: string }>(zones: readonly Zone[]): readonly Zone[] {
  const fareZones = zones.filter(({ id }) => id.includes(':FareZone:'));
  return fareZones.length > 0 ? fareZones : zones;
}
