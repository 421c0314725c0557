/** Tariffs that a document was sold by. */
import { anyInteger, boolean, ia5String, integer, utf8String } from '../per/simple-types.ts';
import { optional, sequence, sequenceOf } from '../per/structures.ts';
import { codeTableType, passengerType } from './code-lists.ts';
import { cardReferenceType } from './shared-types.ts';

export const seriesDetailType = sequence(
  'SeriesDetailType',
  {
    supplyingCarrier: optional(integer(1, 32_000)),
    offerIdentification: optional(integer(1, 99)),
    series: optional(anyInteger),
  },
  { isExtensible: false },
);

export const routeSectionType = sequence(
  'RouteSectionType',
  {
    stationCodeTable: optional(codeTableType, 'stationUIC'),
    fromStationNum: optional(integer(1, 9_999_999)),
    fromStationIA5: optional(ia5String()),
    toStationNum: optional(integer(1, 9_999_999)),
    toStationIA5: optional(ia5String()),
    fromStationNameUTF8: optional(utf8String),
    toStationNameUTF8: optional(utf8String),
  },
  { isExtensible: false },
);

export const tariffType = sequence('TariffType', {
  numberOfPassengers: optional(integer(1, 200), 1),
  passengerType: optional(passengerType),
  ageBelow: optional(integer(1, 64)),
  ageAbove: optional(integer(1, 128)),
  travelerid: optional(sequenceOf(integer(1, 254))),
  restrictedToCountryOfResidence: boolean,
  restrictedToRouteSection: optional(routeSectionType),
  seriesDataDetails: optional(seriesDetailType),
  tariffIdNum: optional(anyInteger),
  tariffIdIA5: optional(ia5String()),
  tariffDesc: optional(utf8String),
  reductionCard: optional(sequenceOf(cardReferenceType)),
});
