/** Where a ticket is valid: trains, via stations, zones, lines, areas. */
import { choice, lazy } from '../per/alternatives.ts';
import type { PerType, ValueOf } from '../per/per-type.ts';
import { anyInteger, boolean, ia5String, integer, octetString, utf8String } from '../per/simple-types.ts';
import { optional, sequence, sequenceOf } from '../per/structures.ts';
import { codeTableType } from './code-lists.ts';
import { deltaCoordinates, geoCoordinateType } from './shared-types.ts';

export const trainLinkType = sequence(
  'TrainLinkType',
  {
    trainNum: optional(anyInteger),
    trainIA5: optional(ia5String()),
    travelDate: integer(-1, 500),
    departureTime: integer(0, 1439),
    departureUTCOffset: optional(integer(-60, 60)),
    fromStationNum: optional(integer(1, 9_999_999)),
    fromStationIA5: optional(ia5String()),
    toStationNum: optional(integer(1, 9_999_999)),
    toStationIA5: optional(ia5String()),
    fromStationNameUTF8: optional(utf8String),
    toStationNameUTF8: optional(utf8String),
  },
  { isExtensible: false },
);

export const lineType = sequence('LineType', {
  carrierNum: optional(integer(1, 32_000)),
  carrierIA5: optional(ia5String()),
  lineId: optional(sequenceOf(anyInteger)),
  stationCodeTable: optional(codeTableType, 'stationUIC'),
  entryStationNum: optional(integer(1, 9_999_999)),
  entryStationIA5: optional(ia5String()),
  terminatingStationNum: optional(integer(1, 9_999_999)),
  terminatingStationIA5: optional(ia5String()),
  city: optional(anyInteger),
});

export const zoneType = sequence('ZoneType', {
  carrierNum: optional(integer(1, 32_000)),
  carrierIA5: optional(ia5String()),
  stationCodeTable: optional(codeTableType, 'stationUIC'),
  entryStationNum: optional(integer(1, 9_999_999)),
  entryStationIA5: optional(ia5String()),
  terminatingStationNum: optional(integer(1, 9_999_999)),
  terminatingStationIA5: optional(ia5String()),
  city: optional(anyInteger),
  zoneId: optional(sequenceOf(anyInteger)),
  binaryZoneId: optional(octetString),
  nutsCode: optional(ia5String()),
});

export interface ViaStation {
  stationCodeTable?: ValueOf<typeof codeTableType>;
  stationNum?: number;
  stationIA5?: string;
  /** Each of these leads to the next station. */
  alternativeRoutes?: readonly ViaStation[];
  /** Stations in their order. */
  route?: readonly ViaStation[];
  border: boolean;
  carrierNum?: readonly number[];
  carrierIA5?: readonly string[];
  seriesId?: number | bigint;
  routeId?: number | bigint;
  includedServiceBrands?: readonly number[];
  excludedServiceBrands?: readonly number[];
}

const nestedViaStations = sequenceOf(lazy('ViaStationType', (): PerType<ViaStation> => viaStationType));

export const viaStationType = sequence('ViaStationType', {
  stationCodeTable: optional(codeTableType, 'stationUIC'),
  stationNum: optional(integer(1, 9_999_999)),
  stationIA5: optional(ia5String()),
  alternativeRoutes: optional(nestedViaStations),
  route: optional(nestedViaStations),
  border: boolean,
  carrierNum: optional(sequenceOf(integer(1, 32_000))),
  carrierIA5: optional(sequenceOf(ia5String())),
  seriesId: optional(anyInteger),
  routeId: optional(anyInteger),
  includedServiceBrands: optional(sequenceOf(integer(1, 32_000))),
  excludedServiceBrands: optional(sequenceOf(integer(1, 32_000))),
});

export const polygoneType = sequence(
  'PolygoneType',
  {
    firstEdge: geoCoordinateType,
    edges: sequenceOf(deltaCoordinates),
  },
  { isExtensible: false },
);

export const regionalValidityType = choice(
  'RegionalValidityType',
  ['trainLink', 'viaStations', 'zones', 'lines', 'polygone'],
  { trainLink: trainLinkType, viaStations: viaStationType, zones: zoneType, lines: lineType, polygone: polygoneType },
);

export const returnRouteDescriptionType = sequence('ReturnRouteDescriptionType', {
  fromStationNum: optional(integer(1, 9_999_999)),
  fromStationIA5: optional(ia5String()),
  toStationNum: optional(integer(1, 9_999_999)),
  toStationIA5: optional(ia5String()),
  fromStationNameUTF8: optional(utf8String),
  toStationNameUTF8: optional(utf8String),
  validReturnRegionDesc: optional(utf8String),
  validReturnRegion: optional(sequenceOf(regionalValidityType)),
});
