/** Rows of the catalogue for booking.ts, booking-given.ts and flexible-services.ts. */
import { FLEXIBLE_LINE_TYPES } from './profile-values.ts';
import { lineFileRule } from './rule.ts';

const BOTH = '<BookWhen>dayOfTravelOnly</BookWhen><MinimumBookingPeriod>PT2H</MinimumBookingPeriod>';

export const FLEXIBLE_LINE_8 = lineFileRule(
  'FLEXIBLE_LINE_8',
  'ERROR',
  'FlexibleLine illegal FlexibleLineType',
  'Flexible line type outside the profile list',
  '<FlexibleLineType>other</FlexibleLineType>',
  `Use the one that describes the line: ${FLEXIBLE_LINE_TYPES.join(', ')}.`,
);
export const FLEXIBLE_LINE_9 = lineFileRule(
  'FLEXIBLE_LINE_9',
  'ERROR',
  'FlexibleLine illegal FlexibleServiceType',
  'Flexible service type on a journey outside the profile list',
  '<FlexibleServiceProperties …><FlexibleServiceType>other</FlexibleServiceType>',
  'Use dynamicPassingTimes, fixedHeadwayFrequency, fixedPassingTimes or notFlexible.',
);
export const BOOKING_1 = lineFileRule(
  'BOOKING_1',
  'ERROR',
  'Booking illegal BookingAccess',
  'BookingAccess other than public, authorisedPublic or staff',
  '<BookingAccess>other</BookingAccess>',
  'Say who may book: public, authorisedPublic or staff.',
);
export const BOOKING_2 = lineFileRule(
  'BOOKING_2',
  'ERROR',
  'Booking illegal BookingMethod',
  'A booking method other than callDriver, callOffice, online, other, phoneAtStop or text',
  '<BookingMethods>callOffice fax</BookingMethods>',
  'Keep the methods of the profile, with spaces between them.',
);
export const BOOKING_3 = lineFileRule(
  'BOOKING_3',
  'ERROR',
  'Booking illegal BookWhen',
  'BookWhen other than dayOfTravelOnly, untilPreviousDay or advanceAndDayOfTravel',
  '<BookWhen>timeOfTravelOnly</BookWhen>',
  'Use one of the three, or a MinimumBookingPeriod.',
);
export const BOOKING_4 = lineFileRule(
  'BOOKING_4',
  'ERROR',
  'Booking property',
  'A mandatory booking property (methods, contact) is given neither on the flexible line, nor on the journey, nor on every stop of its pattern',
  '<FlexibleLine id="ABC:FlexibleLine:1" version="1">…</FlexibleLine> without BookingMethods and BookingContact',
  'Add BookingMethods and BookingContact to the flexible line.',
);
export const BOOKING_5 = lineFileRule(
  'BOOKING_5',
  'WARNING',
  'Missing BookWhen or MinimumBookingPeriod',
  'Neither BookWhen nor MinimumBookingPeriod given on flexible line, journey, or every stop of its pattern',
  '<FlexibleLine id="ABC:FlexibleLine:1" version="1"><BookingMethods>callOffice</BookingMethods>…</FlexibleLine> without BookWhen and MinimumBookingPeriod',
  'Add the MinimumBookingPeriod, or BookWhen with LatestBookingTime, to the flexible line.',
);
export const BUY_WHEN_1 = lineFileRule(
  'BUY_WHEN_1',
  'ERROR',
  'BuyWhen illegal value',
  'BuyWhen other than onReservation, beforeBoarding, afterBoarding or onCheckOut',
  '<BuyWhen>inAdvance</BuyWhen>',
  'Say when the ticket is bought in one of the four ways.',
);
export const FLEXIBLE_SERVICE_1 = lineFileRule(
  'FLEXIBLE_SERVICE_1',
  'ERROR',
  'FlexibleService missing Id on FlexibleServiceProperties',
  'Flexible service properties without id',
  '<FlexibleServiceProperties version="1">…',
  'Add the id.',
);
export const FLEXIBLE_SERVICE_2 = lineFileRule(
  'FLEXIBLE_SERVICE_2',
  'ERROR',
  'FlexibleService missing version on FlexibleServiceProperties',
  'Flexible service properties without version',
  '<FlexibleServiceProperties id="ABC:FlexibleServiceProperties:1">…',
  'Add the version.',
);
export const FLEXIBLE_SERVICE_3 = lineFileRule(
  'FLEXIBLE_SERVICE_3',
  'WARNING',
  'FlexibleService illegal use of both BookWhen and MinimumBookingPeriod',
  'Flexible service gives both BookWhen and MinimumBookingPeriod',
  `<FlexibleServiceProperties …>${BOTH}`,
  'Keep the one that the booking goes by.',
);
export const FLEXIBLE_SERVICE_4 = lineFileRule(
  'FLEXIBLE_SERVICE_4',
  'WARNING',
  'FlexibleService BookWhen without LatestBookingTime or LatestBookingTime without BookWhen',
  'On a flexible service BookWhen and LatestBookingTime must appear together',
  '<FlexibleServiceProperties …><BookWhen>untilPreviousDay</BookWhen>',
  'Add the one that is missing.',
);
