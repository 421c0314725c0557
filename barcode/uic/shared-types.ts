/** Parts that several documents of the rail ticket module use. */
import { anyInteger, ia5String, integer, octetString, utf8String } from '../per/simple-types.ts';
import { optional, sequence, sequenceOf } from '../per/structures.ts';
import {
  geoCoordinateSystemType,
  geoUnitType,
  hemisphereLatitudeType,
  hemisphereLongitudeType,
  linkMode,
  ticketType,
} from './code-lists.ts';

export const extensionData = sequence(
  'ExtensionData',
  {
    extensionId: ia5String(),
    extensionData: octetString,
  },
  { isExtensible: false },
);

export const tokenType = sequence(
  'TokenType',
  {
    tokenProviderNum: optional(anyInteger),
    tokenProviderIA5: optional(ia5String()),
    tokenSpecification: optional(ia5String()),
    token: octetString,
  },
  { isExtensible: false },
);

export const vatDetailType = sequence(
  'VatDetailType',
  {
    country: integer(1, 999),
    percentage: integer(0, 999),
    amount: optional(anyInteger),
    vatId: optional(ia5String()),
  },
  { isExtensible: false },
);

export const cardReferenceType = sequence('CardReferenceType', {
  cardIssuerNum: optional(integer(1, 32_000)),
  cardIssuerIA5: optional(ia5String()),
  cardIdNum: optional(anyInteger),
  cardIdIA5: optional(ia5String()),
  cardName: optional(utf8String),
  cardType: optional(anyInteger),
  leadingCardIdNum: optional(anyInteger),
  leadingCardIdIA5: optional(ia5String()),
  trailingCardIdNum: optional(anyInteger),
  trailingCardIdIA5: optional(ia5String()),
});

export const ticketLinkType = sequence('TicketLinkType', {
  referenceIA5: optional(ia5String()),
  referenceNum: optional(anyInteger),
  issuerName: optional(utf8String),
  issuerPNR: optional(ia5String()),
  productOwnerNum: optional(integer(1, 32_000)),
  productOwnerIA5: optional(ia5String()),
  ticketType: optional(ticketType, 'openTicket'),
  linkMode: optional(linkMode, 'issuedTogether'),
});

export const geoCoordinateType = sequence(
  'GeoCoordinateType',
  {
    geoUnit: optional(geoUnitType, 'milliDegree'),
    coordinateSystem: optional(geoCoordinateSystemType, 'wgs84'),
    hemisphereLongitude: optional(hemisphereLongitudeType, 'east'),
    hemisphereLatitude: optional(hemisphereLatitudeType, 'north'),
    longitude: anyInteger,
    latitude: anyInteger,
    accuracy: optional(geoUnitType),
  },
  { isExtensible: false },
);

export const deltaCoordinates = sequence(
  'DeltaCoordinates',
  {
    longitude: anyInteger,
    latitude: anyInteger,
  },
  { isExtensible: false },
);

export const registeredLuggageType = sequence('RegisteredLuggageType', {
  registrationId: optional(ia5String()),
  maxWeight: optional(integer(1, 99)),
  maxSize: optional(integer(1, 300)),
});

export const luggageRestrictionType = sequence('LuggageRestrictionType', {
  maxHandLuggagePieces: optional(integer(0, 99), 3),
  maxNonHandLuggagePieces: optional(integer(0, 99), 1),
  registeredLuggage: optional(sequenceOf(registeredLuggageType)),
});
