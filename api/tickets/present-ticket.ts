/** JSON of tickets. Pure: barcodes are opened before. */
import type {
  Distribution,
  DistributionDetails,
  TicketSeat,
  TicketTraveller,
  Topology,
} from '../../workflows/tickets/rules/ticket-group.ts';
import { presentPrice } from '../shared/prices.ts';
import { presentLeg } from '../shared/sold-legs.ts';

/** `barcode`: the content of the symbol; undefined until it is signed, and after an erasure. */
export function presentTicket(ticket: Distribution, currency: string, barcode: Uint8Array | undefined) {
  return {
    id: ticket.id,
    status: ticket.status,
    startOfValidity: ticket.startOfValidity.toISOString(),
    endOfValidity: ticket.endOfValidity.toISOString(),
    travellers: ticket.travellers.map(presentTraveller),
    productId: ticket.productId,
    productName: ticket.productName,
    supplements: ticket.supplementNames?.map((name) => ({ name })),
    price: presentPrice(ticket.price, currency),
    topology: presentTopology(ticket.topology),
    leg: ticket.legs.map(presentLeg),
    seatReservations: ticket.seatReservations.map(presentSeat),
    fullAreaValidity: ticket.fullAreaValidity,
    distributionDetails: presentDetails(ticket.distributionDetails),
    usedAt: ticket.usedAt?.toISOString(),
    usedLegIds: ticket.usedLegIds,
    issuedAt: ticket.issuedAt.toISOString(),
    replacedBy: ticket.replacedBy,
    revokedAt: ticket.revokedAt?.toISOString(),
    barcode: barcode && { format: 'AZTEC' as const, payloadBase64: Buffer.from(barcode).toString('base64') },
  };
}

function presentTraveller({ travellerId, customerNumber, userTypeId, entitlementIds }: TicketTraveller) {
  return {
    id: travellerId,
    customerRef: customerNumber && { id: customerNumber },
    userType: userTypeId,
    entitlementIds,
  };
}

function presentTopology({ zoneType = undefined, ...topology }: Topology) {
  return {
    ...topology,
    zoneType: zoneType ?? null,
    // Deprecated names of the same zones.
    fromTariffZone: topology.fromFareZone,
    toTariffZone: topology.toFareZone,
  };
}

function presentSeat({ seatingProperties, ...seat }: TicketSeat) {
  // The last two are deprecated.
  return { ...seat, seatingProperties, seatType: seatingProperties.accommodationFacility, seatCode: seat.seatNumber };
}

function presentDetails({ distributedAt, ...details }: DistributionDetails) {
  return { ...details, distributedAt: distributedAt?.toISOString() };
}
