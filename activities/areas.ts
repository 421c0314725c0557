/**
 * The areas of the running service. A line here connects an area to the service: processes, indexes, topics, search
 * attributes, erasure and the local stack follow from its manifest. docs/adding-an-area.md lists the deployment files
 * that the tests ask for.
 */
import { auditArea } from './audit/area.ts';
import { authArea } from './auth/area.ts';
import { booksArea } from './books/area.ts';
import { catalogueArea } from './catalogue/area.ts';
import { customersArea } from './customers/area.ts';
import { eventsArea } from './events/area.ts';
import { offersArea } from './offers/area.ts';
import { ordersArea } from './orders/area.ts';
import { paymentPageArea } from './payment-page/area.ts';
import { paymentsArea } from './payments/area.ts';
import { receiptsArea } from './receipts/area.ts';
import { refundsArea } from './refunds/area.ts';
import { seatingArea } from './seating/area.ts';
import { ticketsArea } from './tickets/area.ts';
import { timetableArea } from './timetable/area.ts';

export const AREAS = [
  authArea,
  timetableArea,
  customersArea,
  eventsArea,
  catalogueArea,
  offersArea,
  ordersArea,
  paymentPageArea,
  paymentsArea,
  seatingArea,
  ticketsArea,
  receiptsArea,
  refundsArea,
  booksArea,
  auditArea,
] as const;
