/** A reserved seat, couchette or berth. */
import { anyInteger, ia5String, integer, utf8String } from '../per/simple-types.ts';
import { optional, sequence, sequenceOf } from '../per/structures.ts';
import {
  berthTypeType,
  codeTableType,
  compartmentGenderType,
  compartmentPositionType,
  priceTypeType,
  serviceType,
  travelClassType,
} from './code-lists.ts';
import { extensionData, luggageRestrictionType, vatDetailType } from './shared-types.ts';
import { tariffType } from './tariff.ts';

export const placesType = sequence(
  'PlacesType',
  {
    coach: optional(ia5String()),
    placeString: optional(ia5String()),
    placeDescription: optional(utf8String),
    placeIA5: optional(sequenceOf(ia5String())),
    placeNum: optional(sequenceOf(integer(1, 254))),
  },
  { isExtensible: false },
);

export const berthDetailData = sequence('BerthDetailData', {
  berthType: berthTypeType,
  numberOfBerths: integer(1, 999),
  gender: optional(compartmentGenderType, 'family'),
});

export const compartmentDetailsType = sequence('CompartmentDetailsType', {
  coachType: optional(integer(1, 99)),
  compartmentType: optional(integer(1, 99)),
  specialAllocation: optional(integer(1, 99)),
  coachTypeDescr: optional(utf8String),
  compartmentTypeDescr: optional(utf8String),
  specialAllocationDescr: optional(utf8String),
  position: optional(compartmentPositionType, 'unspecified'),
});

export const reservationData = sequence('ReservationData', {
  trainNum: optional(anyInteger),
  trainIA5: optional(ia5String()),
  departureDate: optional(integer(-1, 500), 0),
  referenceIA5: optional(ia5String()),
  referenceNum: optional(anyInteger),
  productOwnerNum: optional(integer(1, 32_000)),
  productOwnerIA5: optional(ia5String()),
  productIdNum: optional(integer(0, 65_535)),
  productIdIA5: optional(ia5String()),
  serviceBrand: optional(integer(0, 32_000)),
  serviceBrandAbrUTF8: optional(utf8String),
  serviceBrandNameUTF8: optional(utf8String),
  service: optional(serviceType, 'seat'),
  stationCodeTable: optional(codeTableType, 'stationUICReservation'),
  fromStationNum: optional(integer(1, 9_999_999)),
  fromStationIA5: optional(ia5String()),
  toStationNum: optional(integer(1, 9_999_999)),
  toStationIA5: optional(ia5String()),
  fromStationNameUTF8: optional(utf8String),
  toStationNameUTF8: optional(utf8String),
  departureTime: integer(0, 1439),
  departureUTCOffset: optional(integer(-60, 60)),
  arrivalDate: optional(integer(-1, 20), 0),
  arrivalTime: optional(integer(0, 1439)),
  arrivalUTCOffset: optional(integer(-60, 60)),
  carrierNum: optional(sequenceOf(integer(1, 32_000))),
  carrierIA5: optional(sequenceOf(ia5String())),
  classCode: optional(travelClassType, 'second'),
  serviceLevel: optional(ia5String([1, 2])),
  places: optional(placesType),
  additionalPlaces: optional(placesType),
  bicyclePlaces: optional(placesType),
  compartmentDetails: optional(compartmentDetailsType),
  numberOfOverbooked: optional(integer(0, 200), 0),
  berth: optional(sequenceOf(berthDetailData)),
  tariff: optional(sequenceOf(tariffType)),
  priceType: optional(priceTypeType, 'travelPrice'),
  price: optional(anyInteger),
  vatDetail: optional(sequenceOf(vatDetailType)),
  typeOfSupplement: optional(integer(0, 9), 0),
  numberOfSupplements: optional(integer(0, 200), 0),
  luggage: optional(luggageRestrictionType),
  infoText: optional(utf8String),
  extension: optional(extensionData),
});
