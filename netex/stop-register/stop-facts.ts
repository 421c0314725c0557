/**
 * Facts of a place in the stop register, or in a SiteFrame of a dataset. They are read lazily from the register's
 * bytes: two fields of a stop cost two lookups in arrays.
 *
 * Callers: rules on positions and modes, the journey planner's importer. Absent facts are undefined.
 */

/** Kinds of element that a register holds; others are ignored. */
export const STOP_KINDS = [
  'StopPlace',
  'Quay',
  'BoardingPosition',
  'AccessSpace',
  'StopPlaceEntrance',
  'FlexibleStopPlace',
  'FlexibleArea',
  'FlexibleQuay',
  'HailAndRideArea',
  'GroupOfStopPlaces',
  'TopographicPlace',
  'TariffZone',
  'FareZone',
  'GroupOfTariffZones',
  'ScheduledStopPoint',
  'SiteConnection',
  'PathLink',
  'Parking',
] as const;

export type StopKind = (typeof STOP_KINDS)[number];

export interface GeoPosition {
  /** Degrees, WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
}

/** How desirable a change here is for travellers. */
export type InterchangeWeighting =
  | 'noInterchange'
  | 'interchangeAllowed'
  | 'recommendedInterchange'
  | 'preferredInterchange';

export type LimitationStatus = 'true' | 'false' | 'partial' | 'unknown';

export interface StopName {
  /** Type of an alternative name: `translation`, `label`, `alias` … */
  readonly nameType?: string | undefined;
  /** As written in the file, e.g. `nor`, or the default language of its frame. */
  readonly language: string | undefined;
  readonly text: string;
}

export interface StopFacts {
  readonly id: string;
  readonly kind: StopKind;
  readonly version: string | undefined;
  /** Undefined for a quay without a name; its stop place has one. */
  readonly name: string | undefined;
  readonly nameLanguage: string | undefined;
  readonly alternativeNames: readonly StopName[];
  readonly description: string | undefined;
  /** Both undefined, or neither. */
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  /** A quay has its stop place's mode. Undefined for the parent of a multimodal stop: its children have modes. */
  readonly transportMode: string | undefined;
  readonly transportSubmode: string | undefined;
  /** Stop place of a quay, multimodal parent of a stop place, or the larger place around a topographic place. */
  readonly parentId: string | undefined;
  readonly publicCode: string | undefined;
  readonly privateCode: string | undefined;
  /** StopPlaceType, TopographicPlaceType, or FlexibleStopPlaceType. */
  readonly placeType: string | undefined;
  readonly isMultimodalParent: boolean;
  readonly weighting: InterchangeWeighting | undefined;
  readonly compassBearingDegrees: number | undefined;
  readonly wheelchairAccess: LimitationStatus | undefined;
  readonly stepFreeAccess: LimitationStatus | undefined;
  readonly topographicPlaceId: string | undefined;
  /** Tariff and fare zones that the place itself names. */
  readonly zoneIds: readonly string[];
  /** Owner of a zone, or country of a topographic place. */
  readonly ownerRef: string | undefined;
  /** For a fare zone: `explicitStops`, `implicitSpatialProjection` … */
  readonly scopingMethod: string | undefined;
  /** Milliseconds since 1970; undefined when the element (for a quay, its stop place) sets no bound. */
  readonly validFromMs: number | undefined;
  readonly validToMs: number | undefined;
}

/** A walking path between two places of the register. */
export interface TransferFacts {
  readonly id: string;
  readonly kind: 'PathLink' | 'SiteConnection';
  readonly fromId: string;
  readonly toId: string;
  readonly bothWays: boolean;
  readonly distanceMetres: number | undefined;
  readonly defaultSeconds: number | undefined;
  readonly frequentTravellerSeconds: number | undefined;
  readonly occasionalTravellerSeconds: number | undefined;
  readonly mobilityRestrictedSeconds: number | undefined;
}
