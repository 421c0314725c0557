/**
 * What the page of the customer asks of this area. Types only. Implemented by PaymentPages; caller: the server of the
 * pages.
 *
 * The server holds an order's number and the token of a link. Whatever is wrong with them, it is told the same: nothing.
 */
import type { LastAttempt, PageMethod } from '../../workflows/payment-page/rules/page.ts';
import type { ShownStatus } from '../../workflows/payment-page/rules/shown.ts';
import type { OrderId, OrganisationId, PaymentPageId } from '../../workflows/shared/ids.ts';
import type { Text, TextLanguage } from '../../workflows/shared/text.ts';

/** A page that the holder of the link may see. */
export interface LinkedPage {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly pageId: PaymentPageId;
}

export type { ShownStatus } from '../../workflows/payment-page/rules/shown.ts';

export interface PageView extends LinkedPage {
  readonly status: ShownStatus;
  readonly expireAt: Date;
  readonly amountMinor: number;
  readonly currency: string;
  /** One form for each. Empty unless the page is OPEN. */
  readonly forms: readonly PageForm[];
  readonly order: OrderView;
  /** Language of the contact's profile, or the channel's. */
  readonly language: TextLanguage;
  /** Name of the organisation that sells. */
  readonly sellerName?: string;
  /** IANA name, of the catalogue: all times are shown in it. */
  readonly timeZone?: string;
  /** How the attempt before ended, on an OPEN page. */
  readonly lastAttempt?: LastAttempt;
  /** OPEN, and a refund of the order runs: nothing can be paid before it has ended. */
  readonly isHeld?: boolean;
  /** PAID, and the tickets could not be sent. */
  readonly deliveryFailed?: boolean;
  /** COMPLETED, and nobody has an address: the seller has the tickets. */
  readonly isUnaddressed?: boolean;
}

export interface PageForm extends PageMethod {
  /** Value of the field `paymentMethod`: `PAYMENTCARD/VISA`. */
  readonly value: string;
  /** As the catalogue says it: `Visa`. */
  readonly name: string;
  /** Says which attempt this form begins, and for which amount; signed. A second submit joins the attempt of the first. */
  readonly formNonce: string;
}

export interface OrderView {
  readonly lines: readonly LineView[];
  readonly travellerCount: number;
  readonly fees: readonly FeeView[];
  /** By rate, the highest first; of live lines and fees. */
  readonly vat: readonly VatView[];
  readonly totalMinor: number;
  readonly totalTaxMinor: number;
  /** What earlier payments have paid of the total. */
  readonly paidMinor: number;
}

export interface LineView {
  readonly description: readonly Text[];
  readonly amountMinor: number;
  readonly travellerCount: number;
  /** Kinds of travellers by their names in the catalogue: two of `Voksen`. */
  readonly travellers?: readonly TravellersView[];
  /** Names of supplements in the price. */
  readonly supplements?: readonly (readonly Text[])[];
  readonly startOfValidity: Date;
  readonly endOfValidity: Date;
  readonly legs: readonly LegView[];
  readonly seats: readonly SeatView[];
}

export interface TravellersView {
  readonly name: readonly Text[];
  readonly count: number;
}

export interface LegView {
  readonly mode: string;
  readonly lineId: string;
  readonly departure: Date;
  readonly arrival: Date;
  readonly from: string;
  readonly to: string;
  /** All stops from boarding to alighting. Empty where the timetable had none. */
  readonly stops: readonly { readonly name: string; readonly arrival?: Date; readonly departure?: Date }[];
}

export interface SeatView {
  readonly carriageNumber: string;
  readonly seatNumber: string;
}

export interface FeeView {
  readonly type: string;
  readonly amountMinor: number;
}

export interface VatView {
  /** Hundredths of a percent; absent for prices whose parts have different rates. */
  readonly basisPoints?: number;
  readonly amountMinor: number;
  readonly taxMinor: number;
}

/** As submitted. */
export interface PayForm {
  readonly paymentMethod: string;
  readonly formNonce: string;
  /** In which the customer reads the page, for the terminal. The return address names it as `?lang=nb|nn|en`. */
  readonly language?: TextLanguage;
}

/**
 * TERMINAL: send the customer to the provider; the address is a secret, never logged. PAGE: show the page again; `why`
 * says what has come between. STOPPED: the provider does not answer; the customer may try again.
 */
export type PayAnswer =
  | { readonly go: 'TERMINAL'; readonly terminalUri: string }
  | { readonly go: 'PAGE'; readonly why: 'CHANGED' | 'BUSY' | 'CLOSED' | 'METHOD' }
  | { readonly go: 'STOPPED' };

/** Where a customer goes who comes back from the provider. WAIT: the outcome is not known yet; ask again soon. */
export type ReturnAnswer = { readonly go: 'WAIT' | 'PAGE' } | { readonly go: 'TERMINAL'; readonly terminalUri: string };

export interface PaymentPageAccess {
  /** Undefined for a wrong token, another order's, and a page that is closed: one answer, after the same work. */
  find(orderId: string, token: string): Promise<LinkedPage | undefined>;
  /** Undefined when it has been closed since. */
  view(page: LinkedPage): Promise<PageView | undefined>;
  /** For the poll of a waiting page: one read. */
  statusOf(page: LinkedPage): Promise<ShownStatus | undefined>;
  /** `paymentMethod` and `formNonce` as submitted; any fault of them is `PAGE`. Safe to repeat. Throws UNAVAILABLE. */
  pay(page: LinkedPage, form: PayForm, correlationId: string): Promise<PayAnswer>;
  /** "Choose another method": ends the running attempt, unless its money was taken. Answers the status then. */
  endAttempt(page: LinkedPage): Promise<ShownStatus | undefined>;
  /** The customer is back; looks how the attempt stands. */
  returned(page: LinkedPage): Promise<ReturnAnswer>;
}
