/**
 * Money that is handled elsewhere and only entered here: invoices, cash, agents, gift cards. Every movement is done once it
 * is written down, so there is nothing to ask, to open or to report. Caller: providers.ts.
 */
import { BOOK } from '../../../workflows/payments/rules/book.ts';
import type {
  MoneyOutcome,
  OpenedSession,
  PaymentProvider,
  ProviderMovement,
  SessionState,
} from './payment-provider.ts';

export class BookProvider implements PaymentProvider {
  readonly name = BOOK;

  async openSession(): Promise<OpenedSession> {
    throw noSessions();
  }

  async session(): Promise<SessionState> {
    throw noSessions();
  }

  async cancelSession(): Promise<void> {}

  async capture(): Promise<MoneyOutcome> {
    return { outcome: 'DONE' };
  }

  async void(): Promise<MoneyOutcome> {
    return { outcome: 'DONE' };
  }

  async refund(): Promise<MoneyOutcome> {
    return { outcome: 'DONE' };
  }

  async outcomeOf(): Promise<MoneyOutcome> {
    return { outcome: 'DONE' };
  }

  async verifyCallback(): Promise<undefined> {
    return undefined;
  }

  /** The books are those of this service alone. */
  async *movements(): AsyncIterable<ProviderMovement> {}
}

function noSessions(): Error {
  return new Error('Money that is handled elsewhere has no sessions');
}
