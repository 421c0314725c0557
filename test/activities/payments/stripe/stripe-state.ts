/** The states that Stripe documents for sessions, PaymentIntents and refunds, as far as the adapter uses them. */
export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export interface IntentState {
  id: string;
  status: string;
  amount: number;
  amount_capturable: number;
  amount_received: number;
  currency: string;
  metadata: Record<string, string>;
  cancellation_reason: string | null;
  last_payment_error: { code: string } | null;
}

export interface RefundState {
  readonly id: string;
  status: string;
  readonly amount: number;
  readonly payment_intent: string;
  readonly metadata: Record<string, string>;
}

interface SessionState {
  readonly id: string;
  status: 'open' | 'complete' | 'expired';
  readonly intent: IntentState;
  intentMade: boolean;
}

export class StripeState {
  readonly sessions = new Map<string, SessionState>();
  readonly intents = new Map<string, IntentState>();
  readonly refunds: RefundState[] = [];
  /** Amounts that were really captured, by PaymentIntent. */
  readonly captured: [intent: string, amount: number][] = [];
  /** The issuer's answers to the next captures. */
  readonly declines: string[] = [];
  refundStatus = 'succeeded';
  challenge: string | null = null;
  #number = 0;

  /** The customer pays on the page. Answers the id of the PaymentIntent. */
  authorise(sessionId: string, status = 'requires_capture'): string {
    const session = this.sessions.get(sessionId);
    if (!session) throw new Error(`No session ${sessionId}`);
    Object.assign(session.intent, { status, amount_capturable: session.intent.amount });
    session.status = 'complete';
    session.intentMade = true;
    this.intents.set(session.intent.id, session.intent);
    return session.intent.id;
  }

  answer(method: string, url: URL, body: string, example: Answer): Answer {
    const [, , first = '', second = '', third = '', fourth = ''] = url.pathname.split('/');
    const given = new URLSearchParams(body);
    const operation = `${method} ${first}`;
    if (operation === 'POST checkout') return this.#session(third, fourth, given, example);
    if (operation === 'GET checkout') return this.#shownSession(third, example);
    if (operation === 'POST payment_intents') return this.#changed(second, third, given, example);
    if (operation === 'GET payment_intents') return this.#shown(second, example);
    if (operation === 'POST refunds') return this.#refunded(given, example);
    if (operation === 'GET refunds' && second === '') return this.#listed(url, example);
    return example;
  }

  #session(id: string, action: string, given: URLSearchParams, example: Answer): Answer {
    if (action === 'expire') return this.#expired(id, example);
    this.#number += 1;
    const reference = given.get('payment_intent_data[metadata][reference]') ?? '';
    const amount = Number(given.get('line_items[0][price_data][unit_amount]'));
    const currency = given.get('line_items[0][price_data][currency]') ?? '';
    const intent: IntentState = {
      ...{ id: `pi_${this.#number}`, status: 'requires_payment_method', amount, currency, metadata: { reference } },
      ...{ amount_capturable: 0, amount_received: 0, cancellation_reason: null, last_payment_error: null },
    };
    const session: SessionState = { id: `cs_test_${this.#number}`, status: 'open', intent, intentMade: false };
    this.sessions.set(session.id, session);
    return this.#shownSession(session.id, example);
  }

  #expired(id: string, example: Answer): Answer {
    const session = this.sessions.get(id);
    if (session?.status !== 'open') return refusal(400, 'parameter_invalid');
    session.status = 'expired';
    return this.#shownSession(id, example);
  }

  #shownSession(id: string, example: Answer): Answer {
    const session = this.sessions.get(id);
    if (!session) return refusal(404, 'resource_missing');
    const { intent, intentMade, status } = session;
    const known = { id, status, amount_total: intent.amount, currency: intent.currency };
    const shownIntent = intentMade ? { ...intentExample(example), ...this.#whole(intent) } : null;
    return { status: 200, body: { ...example.body, ...known, payment_intent: shownIntent } };
  }

  #shown(id: string, example: Answer): Answer {
    const intent = this.intents.get(id);
    if (!intent) return refusal(404, 'resource_missing');
    return { status: 200, body: { ...example.body, ...this.#whole(intent) } };
  }

  #whole(intent: IntentState): Record<string, unknown> {
    const card = { brand: 'visa', last4: '4242', three_d_secure: { result: this.challenge } };
    const network = { network_transaction_id: `net-${intent.id}` };
    const details = { type: 'card', card: { ...card, ...network } };
    const charge = { id: `ch_${intent.id}`, balance_transaction: null, payment_method_details: details };
    return { ...intent, latest_charge: intent.amount_capturable + intent.amount_received > 0 ? charge : null };
  }

  #changed(id: string, action: string, given: URLSearchParams, example: Answer): Answer {
    const intent = this.intents.get(id);
    if (!intent) return refusal(404, 'resource_missing');
    if (action === 'cancel') return this.#cancelled(intent, given, example);
    if (intent.status !== 'requires_capture') return refusal(400, 'payment_intent_unexpected_state');
    const decline = this.declines.shift();
    if (decline !== undefined) return this.#declined(intent, decline);
    const amount = Number(given.get('amount_to_capture'));
    this.captured.push([id, amount]);
    Object.assign(intent, { status: 'succeeded', amount_received: amount, amount_capturable: 0 });
    intent.metadata.capture_key = given.get('metadata[capture_key]') ?? '';
    return this.#shown(id, example);
  }

  #declined(intent: IntentState, code: string): Answer {
    Object.assign(intent, { status: 'requires_payment_method', amount_capturable: 0, last_payment_error: { code } });
    return refusal(402, code, 'card_error');
  }

  #cancelled(intent: IntentState, given: URLSearchParams, example: Answer): Answer {
    if (['succeeded', 'canceled'].includes(intent.status)) return refusal(400, 'payment_intent_unexpected_state');
    const reason = given.get('cancellation_reason');
    Object.assign(intent, { status: 'canceled', amount_capturable: 0, cancellation_reason: reason });
    return this.#shown(intent.id, example);
  }

  #refunded(given: URLSearchParams, example: Answer): Answer {
    const id = given.get('payment_intent') ?? '';
    const amount = Number(given.get('amount'));
    const paid = this.refunds.reduce((sum, each) => sum + (each.payment_intent === id ? each.amount : 0), 0);
    if (paid + amount > (this.intents.get(id)?.amount_received ?? 0)) return refusal(400, 'charge_already_refunded');
    const metadata = { credit_key: given.get('metadata[credit_key]') ?? '' };
    const number = this.refunds.length + 1;
    this.refunds.push({ id: `re_${number}`, status: this.refundStatus, amount, payment_intent: id, metadata });
    return { status: 200, body: { ...example.body, ...this.refunds.at(-1) } };
  }

  #listed(url: URL, { body }: Answer): Answer {
    const id = url.searchParams.get('payment_intent');
    const data = this.refunds
      .filter((each) => each.payment_intent === id)
      .map((each) => ({ object: 'refund', ...each }));
    return { status: 200, body: { ...body, data, has_more: false } };
  }
}

function intentExample({ body }: Answer): object {
  return typeof body.payment_intent === 'object' && body.payment_intent !== null ? body.payment_intent : {};
}

export function refusal(status: number, code: string, type = 'invalid_request_error'): Answer {
  return {
    status,
    body: { error: { type: status >= 500 ? 'api_error' : type, code, message: `${code} of the test` } },
  };
}
