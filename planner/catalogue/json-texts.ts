/** Stores booking arrangements and brandings as JSON texts: few entities have one, and many share it. */
import type { BookingArrangement, Branding, Contact } from '../model/entities.ts';

const NO_CONTACT: Contact = {
  contactPerson: undefined,
  email: undefined,
  phone: undefined,
  url: undefined,
  furtherDetails: undefined,
};

const NO_BOOKING: BookingArrangement = {
  methods: [],
  bookWhen: undefined,
  latestBookingTime: undefined,
  minimumBookingPeriod: undefined,
  note: undefined,
  contact: undefined,
};

const NO_BRANDING: Branding = {
  id: '',
  name: undefined,
  shortName: undefined,
  description: undefined,
  url: undefined,
  image: undefined,
};

export function bookingOf(text: string | undefined): BookingArrangement | undefined {
  if (text === undefined) return undefined;
  const booking = { ...NO_BOOKING, ...(JSON.parse(text) as Partial<BookingArrangement>) };
  return booking.contact === undefined ? booking : { ...booking, contact: { ...NO_CONTACT, ...booking.contact } };
}

export function brandingOf(text: string | undefined): Branding | undefined {
  return text === undefined ? undefined : { ...NO_BRANDING, ...(JSON.parse(text) as Partial<Branding>) };
}
