/** The provider of money that is handled elsewhere and only entered here: invoices, cash, agents, gift cards. */
export const BOOK = 'BOOK';
