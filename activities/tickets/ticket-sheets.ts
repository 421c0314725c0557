/**
 * What tickets show, in one language: names of travellers, products, stops and zones, and the barcode that was signed. Callers: the
 * activities that draw PDFs and mails, the operations of the API that answer one PDF of many tickets.
 */
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import type { Text, TextLanguage } from '../../workflows/shared/text.ts';
import type { Distribution, TicketGroup } from '../../workflows/tickets/rules/ticket-group.ts';
import type { CatalogueContent, CatalogueReader } from '../shared/catalogue.ts';
import type { CustomerReader, ReachableCustomer } from '../shared/customers.ts';
import { countedNames, textIn } from '../shared/pdf/formats.ts';
import type { SheetLeg, SheetTraveller, TicketSheet } from './pdf/ticket-sheet.ts';
import type { SealedBarcodes } from './sealed-barcodes.ts';

export interface TicketSheetsOptions {
  readonly barcodes: Pick<SealedBarcodes, 'openAll'>;
  readonly catalogue: Pick<CatalogueReader, 'current'>;
  readonly customers: Pick<CustomerReader, 'listReachable'>;
  /** Elsewhere tickets are specimens. */
  readonly isProduction: boolean;
}

export interface ShownTicket {
  readonly group: TicketGroup;
  readonly ticket: Distribution;
}

interface Facts {
  readonly content: CatalogueContent;
  readonly names: ReadonlyMap<CustomerNumber, ReachableCustomer>;
  readonly language: TextLanguage;
  readonly isProduction: boolean;
}

export class TicketSheets {
  readonly #options: TicketSheetsOptions;

  constructor(options: TicketSheetsOptions) {
    this.#options = options;
  }

  /** In the given order. Tickets of one order; those without a barcode are left out. */
  async make(shown: readonly ShownTicket[], language: TextLanguage): Promise<readonly TicketSheet[]> {
    const [first] = shown;
    if (!first) return [];
    const { barcodes, catalogue, customers, isProduction } = this.#options;
    const numbers = shown.flatMap(({ ticket }) => ticket.travellers.flatMap((each) => each.customerNumber ?? []));
    const [opened, { content }, names] = await Promise.all([
      barcodes.openAll(
        first.group,
        shown.map(({ ticket }) => ticket),
      ),
      catalogue.current(),
      customers.listReachable(first.group.organisationId, [...new Set(numbers)]),
    ]);
    const facts = { content, names, language, isProduction };
    return shown.flatMap(({ group, ticket }) => {
      const barcode = opened.get(ticket.id);
      return barcode ? [sheetOf(group, ticket, barcode, facts)] : [];
    });
  }

  /** That of the holder, else of the channel. */
  async languageOf({
    organisationId,
    distributionChannelId,
    distributionHolderCustomerId: holder,
    orderOwnerCustomerId: owner,
  }: TicketGroup): Promise<TextLanguage> {
    const { catalogue, customers } = this.#options;
    const number = holder ?? owner;
    const found = number === undefined ? undefined : await customers.listReachable(organisationId, [number]);
    const { content } = await catalogue.current();
    const channel = content.distributionChannels.find(({ id }) => id === distributionChannelId);
    return found?.get(number as CustomerNumber)?.language ?? channel?.defaultLanguage ?? 'nob';
  }
}

function sheetOf(group: TicketGroup, ticket: Distribution, barcode: Uint8Array, facts: Facts): TicketSheet {
  const { content, language, isProduction } = facts;
  const { organisationId, orderId, currency } = group;
  const { topology, fareClass, price, startOfValidity, endOfValidity, issuedAt } = ticket;
  const issuer = content.organisations.find(({ id }) => id === organisationId)?.name ?? String(organisationId);
  const zones = ticket.zoneNames ?? topology.fareZones.map(lastPart);
  return {
    ...{ ticketId: String(ticket.id), orderId, issuer, issuedAt, currency, price, barcode, language },
    ...(ticket.replaces !== undefined && { isSuccessor: true }),
    productName: textIn(ticket.productName, language) || ticket.productId,
    ...(fareClass && { fareClass }),
    supplements: countedNames(ticket.supplementNames ?? [], language),
    travellers: ticket.travellers.map((traveller) => travellerOf(traveller, facts)),
    legs: ticket.legs.map((leg) => legOf(leg, ticket, facts)),
    ...((zones.length > 0 || ticket.fullAreaValidity) && {
      // Validity throughout the area of a product that names its zones is validity in these zones.
      zones: { names: zones, allZones: zones.length === 0 },
    }),
    ...{ startOfValidity, endOfValidity, specimen: !isProduction, timeZone: content.timeZone },
  };
}

function travellerOf(
  { customerNumber, userTypeId, entitlementIds = [] }: Distribution['travellers'][number],
  { content, names, language }: Facts,
): SheetTraveller {
  const name = nameOf(customerNumber, names);
  const userType = content.userTypes.find(({ id }) => id === userTypeId)?.name ?? [];
  return {
    ...(name !== undefined && { name }),
    userType: textIn(userType, language) || userTypeId,
    entitlements: entitlementIds.map((wanted) => {
      const known: readonly Text[] = content.entitlements.find(({ id }) => id === wanted)?.name ?? [];
      return textIn(known, language) || wanted;
    }),
  };
}

function legOf(leg: Distribution['legs'][number], ticket: Distribution, { names }: Facts): SheetLeg {
  const { calls, mode, lineId, linePublicCode = lastPart(lineId), serviceJourneyPrivateCode = '' } = leg;
  const [first] = calls;
  const last = calls.at(-1);
  const travellers = new Map(ticket.travellers.map((each) => [each.travellerId, each.customerNumber]));
  return {
    mode,
    line: isTrainNumber(mode, serviceJourneyPrivateCode)
      ? `${linePublicCode} (${serviceJourneyPrivateCode})`
      : linePublicCode,
    from: { name: first?.name ?? leg.fromStopPlaceId, time: first?.departure ?? leg.expectedStartTime },
    to: { name: last?.name ?? leg.toStopPlaceId, time: last?.arrival ?? leg.expectedEndTime },
    via: calls.slice(1, -1).map(({ name, arrival, departure }) => {
      const time = departure ?? arrival;
      return { name, ...(time && { time }) };
    }),
    seats: ticket.seatReservations
      .filter(({ legId }) => legId === leg.legId)
      .map(({ carriageNumber, seatNumber, travellerId, seatingProperties: { accommodationFacility } }) => {
        const traveller = nameOf(travellers.get(travellerId), names);
        const place = { carriageNumber, seatNumber, accommodation: accommodationFacility };
        return { ...place, ...(traveller !== undefined && { traveller }) };
      }),
  };
}

/** Travellers know trains by their numbers. Any other private code is for the operator alone. */
function isTrainNumber(mode: string, privateCode: string): boolean {
  return mode === 'rail' && /^\d{1,5}$/.test(privateCode);
}

function nameOf(number: CustomerNumber | undefined, names: Facts['names']): string | undefined {
  const { firstName, surname } = (number !== undefined && names.get(number)) || {};
  return [firstName, surname].filter((part) => part !== undefined).join(' ') || undefined;
}

/** `1` of `RUT:Line:1`: the code that the timetable's ids end with. */
function lastPart(id: string): string {
  return id.slice(id.lastIndexOf(':') + 1);
}
