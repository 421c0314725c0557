/** Travellers by name and kind. */
import { anyInteger, boolean, ia5String, integer, utf8String } from '../per/simple-types.ts';
import { optional, sequence, sequenceOf } from '../per/structures.ts';
import { genderType, passengerType } from './code-lists.ts';

export const customerStatusType = sequence(
  'CustomerStatusType',
  {
    statusProviderNum: optional(integer(1, 32_000)),
    statusProviderIA5: optional(ia5String()),
    customerStatus: optional(anyInteger),
    customerStatusDescr: optional(ia5String()),
  },
  { isExtensible: false },
);

export const travelerType = sequence('TravelerType', {
  firstName: optional(utf8String),
  secondName: optional(utf8String),
  lastName: optional(utf8String),
  idCard: optional(ia5String()),
  passportId: optional(ia5String()),
  title: optional(ia5String([1, 3])),
  gender: optional(genderType),
  customerIdIA5: optional(ia5String()),
  customerIdNum: optional(anyInteger),
  yearOfBirth: optional(integer(1901, 2155)),
  monthOfBirth: optional(integer(1, 12)),
  dayOfBirthInMonth: optional(integer(1, 31)),
  ticketHolder: boolean,
  passengerType: optional(passengerType),
  passengerWithReducedMobility: optional(boolean),
  countryOfResidence: optional(integer(1, 999)),
  countryOfPassport: optional(integer(1, 999)),
  countryOfIdCard: optional(integer(1, 999)),
  status: optional(sequenceOf(customerStatusType)),
});

export const travelerData = sequence('TravelerData', {
  traveler: optional(sequenceOf(travelerType)),
  preferredLanguage: optional(ia5String(2)),
  groupName: optional(utf8String),
});
