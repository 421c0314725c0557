/** What a ticket shows, in print and in a mail: texts and times that are found already, in one language. Types only. */
import type { Accommodation } from '../../../workflows/shared/fares.ts';
import type { Price } from '../../../workflows/shared/price.ts';
import type { TextLanguage } from '../../../workflows/shared/text.ts';

export interface TicketSheet {
  readonly ticketId: string;
  readonly orderId: string;
  /** An earlier ticket is valid no more; a mail says so, and the PDF need not. */
  readonly isSuccessor?: true;
  readonly issuer: string;
  readonly issuedAt: Date;
  readonly productName: string;
  readonly fareClass?: 'STANDARD' | 'FIRST';
  /** As `Sykkel`, or `2 × Sykkel`. */
  readonly supplements: readonly string[];
  readonly travellers: readonly SheetTraveller[];
  /** Empty for a ticket that is valid in an area alone. */
  readonly legs: readonly SheetLeg[];
  readonly zones?: { readonly names: readonly string[]; readonly allZones: boolean };
  readonly startOfValidity: Date;
  readonly endOfValidity: Date;
  readonly price: Price;
  readonly currency: string;
  /** Printed across the ticket: not for travel. */
  readonly specimen: boolean;
  /** The content of the symbol. */
  readonly barcode: Uint8Array;
  /** IANA name of the zone that times are shown in. */
  readonly timeZone: string;
  readonly language: TextLanguage;
}

export interface SheetTraveller {
  /** Where it is known. */
  readonly name?: string;
  /** As `Voksen`. */
  readonly userType: string;
  readonly entitlements: readonly string[];
}

export interface SheetLeg {
  readonly mode: string;
  /** As `R10` or `F6 Oslo S`. */
  readonly line: string;
  readonly from: SheetCall;
  readonly to: SheetCall;
  /** Stops between them. */
  readonly via: readonly SheetCall[];
  readonly seats: readonly {
    readonly carriageNumber: string;
    readonly seatNumber: string;
    readonly accommodation: Accommodation;
    readonly traveller?: string;
  }[];
}

export interface SheetCall {
  readonly name: string;
  readonly time?: Date;
}
