/** A payment provider whose calls are counted and timed. Caller: the role. */
import type { MoneyOutcome, PaymentProvider } from './payment-provider.ts';
import { ProviderUnknown } from './payment-provider.ts';

export interface CallNote {
  readonly provider: string;
  readonly call: ObservedCall;
  readonly outcome: string;
  readonly seconds: number;
}

const BARE = ['done', 'unknown', 'failed'] as const;
const MONEY = [...BARE, 'soft_decline', 'refused', 'pending', 'never_seen'] as const;

/** By the name of the call. */
export const POSSIBLE_OUTCOMES = {
  open_session: BARE,
  session: BARE,
  cancel_session: BARE,
  capture: MONEY,
  void: MONEY,
  refund: MONEY,
  outcome_of: MONEY,
} as const;

export type ObservedCall = keyof typeof POSSIBLE_OUTCOMES;

export function observed(provider: PaymentProvider, note: (call: CallNote) => void): PaymentProvider {
  const { name } = provider;
  async function timed<T>(call: ObservedCall, made: Promise<T>, outcomeOf: (answer: T) => string): Promise<T> {
    const began = performance.now();
    const end = (outcome: string) =>
      note({ provider: name, call, outcome, seconds: (performance.now() - began) / 1e3 });
    try {
      const answer = await made;
      end(outcomeOf(answer));
      return answer;
    } catch (error) {
      end(error instanceof ProviderUnknown ? 'unknown' : 'failed');
      throw error;
    }
  }
  const bare = <T>(call: ObservedCall, made: Promise<T>) => timed(call, made, () => 'done');
  const money = (call: ObservedCall, made: Promise<MoneyOutcome>) =>
    timed(call, made, ({ outcome }) => outcome.toLowerCase());
  return {
    name,
    openSession: async (request) => await bare('open_session', provider.openSession(request)),
    session: async (id) => await bare('session', provider.session(id)),
    cancelSession: async (id, key) => await bare('cancel_session', provider.cancelSession(id, key)),
    capture: async (call) => await money('capture', provider.capture(call)),
    void: async (call) => await money('void', provider.void(call)),
    refund: async (call) => await money('refund', provider.refund(call)),
    outcomeOf: async (key, call) => await money('outcome_of', provider.outcomeOf(key, call)),
    verifyCallback: async (callback) => await provider.verifyCallback(callback),
    movements: (from, until) => provider.movements(from, until),
  };
}
