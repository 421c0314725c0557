/** Lists of codes of the rail ticket module. */
import { enumerated } from '../per/alternatives.ts';

export const codeTableType = enumerated(
  'CodeTableType',
  [
    'stationUIC',
    'stationUICReservation',
    'stationERA',
    'localCarrierStationCodeTable',
    'proprietaryIssuerStationCodeTable',
  ],
  { isExtensible: false },
);

export const serviceType = enumerated('ServiceType', ['seat', 'couchette', 'berth', 'carcarriage'], {
  isExtensible: false,
});

export const passengerType = enumerated('PassengerType', [
  'adult',
  'senior',
  'child',
  'youth',
  'dog',
  'bicycle',
  'freeAddonPassenger',
  'freeAddonChild',
]);

export const ticketType = enumerated('TicketType', ['openTicket', 'pass', 'reservation', 'carCarriageReservation']);

export const linkMode = enumerated('LinkMode', ['issuedTogether', 'onlyValidInCombination']);

export const priceTypeType = enumerated('PriceTypeType', ['noPrice', 'reservationFee', 'supplement', 'travelPrice'], {
  isExtensible: false,
});

export const berthTypeType = enumerated('BerthTypeType', ['single', 'special', 'double', 't2', 't3', 't4'], {
  isExtensible: false,
});

export const compartmentGenderType = enumerated('CompartmentGenderType', [
  'unspecified',
  'family',
  'female',
  'male',
  'mixed',
]);

export const genderType = enumerated('GenderType', ['unspecified', 'female', 'male', 'other']);

export const travelClassType = enumerated('TravelClassType', [
  'notApplicable',
  'first',
  'second',
  'tourist',
  'comfort',
  'premium',
  'business',
  'all',
  'premiumFirst',
  'standardFirst',
  'premiumSecond',
  'standardSecond',
]);

export const compartmentPositionType = enumerated(
  'CompartmentPositionType',
  ['unspecified', 'upperLevel', 'lowerLevel'],
  { isExtensible: false },
);

export const geoUnitType = enumerated(
  'GeoUnitType',
  ['microDegree', 'tenthmilliDegree', 'milliDegree', 'centiDegree', 'deciDegree'],
  { isExtensible: false },
);

export const geoCoordinateSystemType = enumerated('GeoCoordinateSystemType', ['wgs84', 'grs80'], {
  isExtensible: false,
});

export const hemisphereLongitudeType = enumerated('HemisphereLongitudeType', ['east', 'west'], { isExtensible: false });

export const hemisphereLatitudeType = enumerated('HemisphereLatitudeType', ['north', 'south'], { isExtensible: false });
