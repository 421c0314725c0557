/** The words of the customer's page: every language has all of them. Types only. */

export interface Notice {
  readonly title: string;
  readonly text: string;
}

/** A page without a form: what has happened, and what the customer does next. */
export interface StatePage {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

export interface PageTexts {
  /** The language in its own words. */
  readonly language: string;
  readonly languages: string;
  readonly skip: string;
  readonly error: string;
  readonly open: {
    readonly title: string;
    readonly toPay: string;
    readonly payBefore: (time: string) => string;
    readonly choose: string;
    readonly chooseHint: string;
    readonly pay: (amount: string, method: string) => string;
    readonly noMethods: string;
  };
  /** A refund of the order runs. */
  readonly held: StatePage;
  readonly order: {
    readonly title: string;
    readonly count: (travellers: number) => string;
    readonly supplements: string;
    readonly valid: (from: string, until: string) => string;
    readonly seats: string;
    readonly seat: (carriage: string, seat: string) => string;
    readonly stops: (between: number) => string;
    readonly leg: (mode: string | undefined) => string;
    readonly fees: Readonly<Record<string, string>>;
    readonly otherFee: string;
    readonly total: string;
    readonly paid: string;
    readonly rest: string;
    readonly vat: (rate: string) => string;
    readonly mixedVat: string;
    readonly ofBase: (base: string) => string;
  };
  readonly processing: StatePage & {
    readonly goOn: string;
    readonly goOnHint: string;
    readonly other: string;
    readonly otherHint: string;
    readonly refresh: string;
    /** `choices` leads to the page with the ways on, for a customer who waits too long. */
    readonly returned: StatePage & { readonly choices: string };
  };
  readonly paid: StatePage;
  readonly paidUndelivered: StatePage;
  readonly completed: StatePage;
  readonly completedUnaddressed: StatePage;
  readonly credited: StatePage;
  readonly creditOutstanding: StatePage;
  readonly reference: (orderId: string) => string;
  readonly seller: (name: string) => string;
  readonly notices: {
    readonly REFUSED: Notice;
    readonly CANCELLED: Notice;
    readonly FAILED: Notice;
    readonly ORDER_CHANGED: Notice;
    readonly CHANGED: Notice;
    readonly BUSY: Notice;
    readonly METHOD: Notice;
    readonly STOPPED: Notice;
  };
  readonly notValid: StatePage;
  readonly tooMany: StatePage;
  readonly fault: StatePage;
  readonly refused: StatePage;
}
