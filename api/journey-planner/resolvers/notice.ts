/** Resolves small types without relations: Notice, TariffZone, DestinationDisplay, BookingArrangement, Contact. */
import type {
  BookingArrangement,
  Contact,
  DestinationDisplay,
  Notice,
  TariffZone,
} from '../../../planner/model/entities.ts';
import { type Fields, nothing, type TypeResolvers } from './fields.ts';

const noticeFields: Fields<Notice> = {
  id: ({ id }) => id,
  publicCode: ({ publicCode }) => publicCode,
  text: ({ text }) => text,
};

const tariffZoneFields: Fields<TariffZone> = { id: ({ id }) => id, name: ({ name }) => name };

const displayFields: Fields<DestinationDisplay> = {
  frontText: ({ frontText }) => frontText,
  via: ({ vias }) => vias,
};

/** Values of BookingMethod in both dialects. */
const BOOKING_METHODS = ['callDriver', 'callOffice', 'online', 'phoneAtStop', 'text'];

const bookingFields: Fields<BookingArrangement> = {
  bookWhen: ({ bookWhen }) => bookWhen,
  bookingContact: ({ contact }) => contact,
  bookingMethods: ({ methods }) => methods.filter((method) => BOOKING_METHODS.includes(method)),
  bookingNote: ({ note }) => note,
  latestBookingDay: nothing,
  latestBookingTime: ({ latestBookingTime }) => latestBookingTime,
  minimumBookingPeriod: ({ minimumBookingPeriod }) => minimumBookingPeriod,
};

const contactFields: Fields<Contact> = {
  contactPerson: ({ contactPerson }) => contactPerson,
  email: ({ email }) => email,
  furtherDetails: ({ furtherDetails }) => furtherDetails,
  phone: ({ phone }) => phone,
  url: ({ url }) => url,
};

export const notice: TypeResolvers = { fields: noticeFields };
export const tariffZone: TypeResolvers = { fields: tariffZoneFields };
export const destinationDisplay: TypeResolvers = { fields: displayFields };
export const bookingArrangement: TypeResolvers = {
  fields: bookingFields,
  v2: { bookingAccess: nothing, buyWhen: nothing },
};
export const contact: TypeResolvers = { fields: contactFields };
