/**
 * What is known of a place in the stop register, or in a SiteFrame of a dataset. Plain facts, read lazily from the
 * register's bytes: taking two fields of a stop costs two lookups in arrays.
 *
 * Callers: rules on positions and modes, the journey planner's importer. Absent facts are undefined.
 */

/** Kinds of element that a register answers for; others are not looked at. */
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

/** How willing travellers should be to change here. */
export type InterchangeWeighting =
  | 'noInterchange'
  | 'interchangeAllowed'
  | 'recommendedInterchange'
  | 'preferredInterchange';

export type LimitationStatus = 'true' | 'false' | 'partial' | 'unknown';

export interface StopName {
  /** `translation`, `label`, `alias` … of an alternative name. */
  readonly nameType?: string | undefined;
  /** As written in the file, e.g. `nor`, or the default language of its frame. */
  readonly language: string | undefined;
  readonly text: string;
}

export interface StopFacts {
  readonly id: string;
  readonly kind: StopKind;
  readonly version: string | undefined;
  /** Of a quay without one: undefined; its stop place has it. */
  readonly name: string | undefined;
  readonly nameLanguage: string | undefined;
  readonly alternativeNames: readonly StopName[];
  readonly description: string | undefined;
  /** Undefined together. */
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  /** Of a quay: of its stop place. Of the parent of a multimodal stop: undefined, its children have modes. */
  readonly transportMode: string | undefined;
  readonly transportSubmode: string | undefined;
  /** Of a quay: its stop place. Of a stop place: its multimodal parent. Of a topographic place: what it lies in. */
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
  /** Of a zone: who keeps it. Of a topographic place: its country. */
  readonly ownerRef: string | undefined;
  /** Of a fare zone: `explicitStops`, `implicitSpatialProjection` … */
  readonly scopingMethod: string | undefined;
  /** Milliseconds since 1970; undefined where the element (or for a quay its stop place) sets no bound. */
  readonly validFromMs: number | undefined;
  readonly validToMs: number | undefined;
}

/** On foot between two places of the register. */
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
