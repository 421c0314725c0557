/** Counts what waits in payments, for the figures of the role. Each count follows an index. */
import type { Connection, mongo } from 'mongoose';
import { CALLBACKS_COLLECTION } from './client-callbacks.ts';
import { CREDITS_COLLECTION } from './credit-document.ts';
import { PAYMENTS_COLLECTION } from './payment-document.ts';

export interface WaitingPayments {
  readonly counts: Readonly<Record<'captures' | 'outcomes' | 'credits' | 'callbacks', number>>;
  /** Since when the oldest waits. */
  readonly since: Readonly<Record<'outcomes' | 'credits', Date | undefined>>;
}

export class PaymentFigures {
  readonly #payments;
  readonly #credits;
  readonly #callbacks;

  constructor(connection: Connection) {
    this.#payments = PAYMENTS_COLLECTION.open(connection);
    this.#credits = CREDITS_COLLECTION.open(connection);
    this.#callbacks = CALLBACKS_COLLECTION.open(connection);
  }

  async read(): Promise<WaitingPayments> {
    const [captures, outcomes, credits, callbacks] = await Promise.all([
      this.#payments.countDocuments(dated('openSince')),
      this.#payments.countDocuments(dated('callingSince')),
      this.#credits.countDocuments({ pendingStart: true, ...dated('pendingSince') }),
      this.#callbacks.countDocuments(dated('nextAt')),
    ]);
    const [calling, crediting] = await Promise.all([
      this.#payments.findOne(dated('callingSince'), oldestOf('callingSince')),
      this.#credits.findOne({ pendingStart: true, ...dated('pendingSince') }, oldestOf('pendingSince')),
    ]);
    return {
      counts: { captures, outcomes, credits, callbacks },
      since: { outcomes: calling?.callingSince, credits: crediting?.pendingSince },
    };
  }
}

/** As a range, which the partial indexes serve. */
function dated(member: string): Readonly<Record<string, { readonly $gte: Date }>> {
  return { [member]: { $gte: new Date(0) } };
}

function oldestOf(member: string): mongo.FindOptions {
  return { sort: { [member]: 1 }, projection: { [member]: 1 } };
}
