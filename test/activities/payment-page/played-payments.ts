/**
 * The area of payments as pages see it, played in memory: terminals open, and captures happen when a test says so. What it
 * captures it notes on the real order and confirms that, as the area does.
 */
import { createHash } from 'node:crypto';
import type { OrderMoneyAccess } from '../../../activities/shared/orders.ts';
import type { AttemptPlace, AttemptState, PageAttempt, PagePayments } from '../../../activities/shared/payments.ts';
import type { PaymentId, TransactionId } from '../../../workflows/shared/ids.ts';
import type { SettledCapture } from '../../../workflows/shared/payment-page-signals.ts';
import type { ServiceError } from '../../../workflows/shared/service-error.ts';

interface Played {
  readonly attempt: PageAttempt;
  readonly place: AttemptPlace;
  state: AttemptState;
}

export class PlayedPayments implements PagePayments {
  readonly attempts: Played[] = [];
  /** Thrown by the next terminals. */
  refusals: ServiceError[] = [];
  /** How many of the next ends do not know the outcome yet. */
  unknownEnds = 0;
  /** How often the provider was to be asked. */
  looks = 0;
  /** What the provider then tells. */
  onLook = async (): Promise<unknown> => undefined;
  /** How often the state was read. */
  reads = 0;
  /** False: as if the configuration named no payment provider. */
  usesProviders = true;
  /** False: the provider opens no terminal for a challenge. */
  opensAgain = true;
  readonly #money: () => OrderMoneyAccess;

  constructor(money: () => OrderMoneyAccess) {
    this.#money = money;
  }

  get last(): Played {
    const last = this.attempts.at(-1);
    if (!last) throw new Error('No attempt has begun');
    return last;
  }

  usesProvider(): boolean {
    return this.usesProviders;
  }

  async beginAttempt(attempt: PageAttempt): Promise<AttemptPlace> {
    const refusal = this.refusals.shift();
    if (refusal) throw refusal;
    const place = placeOf(attempt);
    if (!this.#find(place)) {
      const terminalUri = `https://terminal.example/${place.transactionId}`;
      this.attempts.push({ attempt, place, state: { state: 'OPEN', terminalUri } });
    }
    return place;
  }

  async getAttempt(place: AttemptPlace): Promise<AttemptState> {
    this.reads += 1;
    return (this.#find(place) ?? this.last).state;
  }

  async lookAgain(): Promise<void> {
    this.looks += 1;
    await this.onLook();
  }

  async openAgain(place: AttemptPlace): Promise<AttemptState> {
    const played = this.#find(place) ?? this.last;
    const { state, terminalUri } = played.state;
    if (this.opensAgain && state === 'RETRY' && !terminalUri) {
      played.state = { state: 'OPEN', terminalUri: `https://terminal.example/${place.transactionId}/2` };
    }
    return played.state;
  }

  async endAttempt(place: AttemptPlace): Promise<AttemptState> {
    const played = this.#find(place) ?? this.last;
    if (this.unknownEnds > 0) {
      this.unknownEnds -= 1;
      return { state: 'BUSY' };
    }
    if (played.state.state === 'OPEN' || played.state.state === 'RETRY') played.state = { state: 'ENDED' };
    return played.state;
  }

  /** The money of the last attempt is taken, and the order is confirmed. */
  async capture(): Promise<SettledCapture> {
    const { attempt, place } = this.last;
    const { organisationId, orderId, orderVersion, amountMinor } = attempt;
    const lockOwner = `capture/${place.paymentId}/${place.transactionId}`;
    const work = { correlationId: attempt.correlationId, clientId: 'payments', lockOwner };
    await this.#money().lockForCapture(organisationId, orderId, orderVersion, work);
    await this.#money().notePayment(organisationId, orderId, noted(this.last, amountMinor), work);
    await this.#money().confirm(organisationId, orderId, orderVersion, work);
    this.last.state = { state: 'CAPTURED' };
    return this.settled('CONFIRMED');
  }

  /** The money of the last attempt was taken, and paid back since the order could not be confirmed. */
  async credit(): Promise<SettledCapture> {
    const { attempt } = this.last;
    const { organisationId, orderId, orderVersion, amountMinor } = attempt;
    const work = { correlationId: attempt.correlationId, clientId: 'payments', lockOwner: 'capture/1/1' };
    await this.#money().notePayment(organisationId, orderId, noted(this.last, amountMinor, amountMinor), work);
    await this.#money().abandonDraft(organisationId, orderId, orderVersion, work);
    this.last.state = { state: 'CREDITED' };
    return this.settled('CREDITED');
  }

  /** The money of the last attempt was taken, the order cannot be confirmed, and the provider refuses to pay it back. */
  async refuseCredit(): Promise<SettledCapture> {
    const { attempt } = this.last;
    const { organisationId, orderId, amountMinor } = attempt;
    const work = { correlationId: attempt.correlationId, clientId: 'payments' };
    await this.#money().notePayment(organisationId, orderId, noted(this.last, amountMinor), work);
    this.last.state = { state: 'CREDIT_OUTSTANDING' };
    return this.settled('CREDIT_OUTSTANDING');
  }

  refuse(): SettledCapture {
    this.last.state = { state: 'ENDED', endedBy: 'REFUSAL' };
    return { ...this.settled('ENDED'), endedBy: 'REFUSAL' };
  }

  /** Cancelled: by its customer at the provider, or by payments, which take no amount that is not owed any more. */
  void(): SettledCapture {
    this.last.state = { state: 'ENDED', endedBy: 'CUSTOMER' };
    return { ...this.settled('ENDED'), endedBy: 'CUSTOMER' };
  }

  decline(): SettledCapture {
    this.last.state = { ...this.last.state, state: 'RETRY' };
    return this.settled('RETRY');
  }

  /** As {@link decline}, by a provider that ends its session with it. */
  declineForGood(): SettledCapture {
    this.last.state = { state: 'RETRY' };
    return this.settled('RETRY');
  }

  settled(outcome: SettledCapture['outcome']): SettledCapture {
    const { paymentId, transactionId } = this.last.place;
    return { paymentId, transactionId, outcome };
  }

  #find(place: Pick<AttemptPlace, 'transactionId'>): Played | undefined {
    return this.attempts.find((played) => played.place.transactionId === place.transactionId);
  }
}

/** As payments derive them: the same for every repeat. */
function placeOf({ pageId, attempt, organisationId, orderId }: PageAttempt): AttemptPlace {
  const hash = createHash('sha256').update(`${pageId}/${attempt}`).digest();
  const id = (start: number) => hash.readUIntBE(start, 6) + 1;
  return {
    organisationId,
    orderId,
    paymentId: id(0) as PaymentId,
    transactionId: id(8) as TransactionId,
  };
}

function noted({ attempt, place }: Played, capturedMinor: number, creditedMinor = 0) {
  const { paymentId } = place;
  return { paymentId, orderVersion: attempt.orderVersion, capturedMinor, creditedMinor, openTransactions: 0 };
}
