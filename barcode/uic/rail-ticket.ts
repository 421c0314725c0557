/** The rail ticket of UIC's module uicRailTicketData, version 3.0.5: content `FCB3` of a barcode. */
import { choice } from '../per/alternatives.ts';
import type { ValueOf } from '../per/per-type.ts';
import { optional, sequence, sequenceOf } from '../per/structures.ts';
import { controlData, issuingData } from './issuing.ts';
import { openTicketData } from './open-ticket.ts';
import { reservationData } from './reservation.ts';
import { extensionData, tokenType } from './shared-types.ts';
import { travelerData } from './traveler.ts';

/** All kinds of documents of the module. This service issues and reads two of them. */
const DOCUMENTS = [
  'reservation',
  'carCarriageReservation',
  'openTicket',
  'pass',
  'voucher',
  'customerCard',
  'counterMark',
  'parkingGround',
  'fipTicket',
  'stationPassage',
  'extension',
  'delayConfirmation',
];

export const documentData = sequence('DocumentData', {
  token: optional(tokenType),
  ticket: choice('ticket', DOCUMENTS, {
    reservation: reservationData,
    openTicket: openTicketData,
    extension: extensionData,
  }),
});

export const railTicket = sequence('UicRailTicketData', {
  issuingDetail: issuingData,
  travelerDetail: optional(travelerData),
  transportDocument: optional(sequenceOf(documentData)),
  controlDetail: optional(controlData),
  extension: optional(sequenceOf(extensionData)),
});

export type RailTicket = ValueOf<typeof railTicket>;
