/** The issuer, and how inspectors control its tickets. */
import { anyInteger, boolean, ia5String, integer, utf8String } from '../per/simple-types.ts';
import { optional, sequence, sequenceOf } from '../per/structures.ts';
import { cardReferenceType, extensionData, geoCoordinateType, ticketLinkType } from './shared-types.ts';

export const issuingData = sequence('IssuingData', {
  securityProviderNum: optional(integer(1, 32_000)),
  securityProviderIA5: optional(ia5String()),
  issuerNum: optional(integer(1, 32_000)),
  issuerIA5: optional(ia5String()),
  issuingYear: integer(2016, 2269),
  issuingDay: integer(1, 366),
  issuingTime: integer(0, 1439),
  issuerName: optional(utf8String),
  specimen: boolean,
  securePaperTicket: boolean,
  activated: boolean,
  currency: optional(ia5String(3), 'EUR'),
  currencyFract: optional(integer(1, 3), 2),
  issuerPNR: optional(ia5String()),
  extension: optional(extensionData),
  issuedOnTrainNum: optional(anyInteger),
  issuedOnTrainIA5: optional(ia5String()),
  issuedOnLine: optional(anyInteger),
  pointOfSale: optional(geoCoordinateType),
});

export const controlData = sequence('ControlData', {
  identificationByCardReference: optional(sequenceOf(cardReferenceType)),
  identificationByIdCard: boolean,
  identificationByPassportId: boolean,
  identificationItem: optional(anyInteger),
  passportValidationRequired: boolean,
  onlineValidationRequired: boolean,
  randomDetailedValidationRequired: optional(integer(0, 99)),
  ageCheckRequired: boolean,
  reductionCardCheckRequired: boolean,
  infoText: optional(utf8String),
  includedTickets: optional(sequenceOf(ticketLinkType)),
  extension: optional(extensionData),
});
