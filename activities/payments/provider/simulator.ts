/**
 * The adapter to the payment provider simulator (dev/provider-simulator), for development and tests. Refused in production.
 * Caller: the list of providers.
 */
import { z } from 'zod';
import type { PaymentId, TransactionId } from '../../../workflows/shared/ids.ts';
import { isSignatureRight } from './callback-signature.ts';
import type {
  AuthorisedMoney,
  MoneyOutcome,
  OpenedSession,
  PaymentProvider,
  ProviderMovement,
  ProviderReport,
  ProviderTrouble,
  RawCallback,
  SessionRequest,
  SessionState,
} from './payment-provider.ts';
import type { SimulatorSetting } from './simulator-config.ts';
import { SimulatorHttp } from './simulator-http.ts';
import { listMovements } from './simulator-movements.ts';

export const SIMULATOR = 'SIMULATOR';
/** Lower case, as Node gives it. */
const SIGNATURE_HEADER = 'provider-signature';

const SESSION_OPENED = z.object({ sessionId: z.string(), terminalUri: z.url() });
const SESSION_STATE = z.object({
  status: z.enum(['OPEN', 'AUTHORISED', 'REFUSED', 'CANCELLED', 'EXPIRED']),
  authorisationId: z.string().exactOptional(),
  last4: z.string().exactOptional(),
  brand: z.string().exactOptional(),
  challengeDone: z.boolean(),
  amountMinor: z.int(),
  currency: z.string(),
});
const CANCELLED = z.object({ outcome: z.string() });
const OUTCOMES = {
  CAPTURED: 'DONE',
  VOIDED: 'DONE',
  REFUNDED: 'DONE',
  SOFT_DECLINE: 'SOFT_DECLINE',
  REFUSED: 'REFUSED',
  PENDING: 'PENDING',
} as const satisfies Record<string, MoneyOutcome['outcome']>;
const MONEY = z
  .object({ outcome: z.enum(Object.keys(OUTCOMES) as (keyof typeof OUTCOMES)[]), rrn: z.string().exactOptional() })
  .transform(({ outcome, ...rest }): MoneyOutcome => ({ outcome: OUTCOMES[outcome], ...rest }));
const REPORT = z.object({
  id: z.string().min(1),
  type: z.string(),
  reference: z.string().regex(/^\d{1,16}\/\d{1,16}$/),
  idempotencyKey: z.string().exactOptional(),
});
const OPERATION = z.object({ outcome: z.string(), amountMinor: z.int().exactOptional() });

export interface SimulatorOptions extends SimulatorSetting {
  readonly now?: () => Date;
}

export function createSimulatorProvider({ now = () => new Date(), ...setting }: SimulatorOptions): PaymentProvider {
  const http = new SimulatorHttp(setting);
  const move = async (call: string, { key, authorisationId, amountMinor }: AuthorisedMoney): Promise<MoneyOutcome> => {
    const path = `/authorisations/${encodeURIComponent(authorisationId)}/${call}`;
    return await http.call({ method: 'POST', path, key, body: { amountMinor }, answer: MONEY });
  };
  return {
    name: SIMULATOR,
    // Its terminals challenge the customer by themselves.
    openSession: async ({ key, challenge: _challenge, ...body }: SessionRequest): Promise<OpenedSession> =>
      await http.call({ method: 'POST', path: '/sessions', key, body, answer: SESSION_OPENED }),
    session: async (sessionId: string): Promise<SessionState> =>
      await http.call({ method: 'GET', path: pathOf(sessionId), answer: SESSION_STATE }),
    cancelSession: async (sessionId: string, key: string): Promise<void> => {
      await http.call({ method: 'POST', path: `${pathOf(sessionId)}/cancel`, key, body: {}, answer: CANCELLED });
    },
    capture: async (money) => await move('capture', money),
    void: async (money) => await move('void', money),
    refund: async (money) => await move('refund', money),
    outcomeOf: async (key) => (await http.findOperation(key, MONEY)) ?? { outcome: 'NEVER_SEEN' },
    verifyCallback: async (callback) => await verify(http, callback, setting.secret, now()),
    movements: (from: Date, until: Date): AsyncIterable<ProviderMovement> => listMovements(http, from, until),
  };
}

function pathOf(sessionId: string): string {
  return `/sessions/${encodeURIComponent(sessionId)}`;
}

type Verified = ProviderReport | 'IRRELEVANT' | undefined;

async function verify(
  http: SimulatorHttp,
  { body, headers }: RawCallback,
  secret: string,
  now: Date,
): Promise<Verified> {
  if (!isSignatureRight({ header: headers[SIGNATURE_HEADER], body, secret, now })) return undefined;
  const report = REPORT.safeParse(parseJson(body));
  if (!report.success) return 'IRRELEVANT';
  const [paymentId, transactionId] = report.data.reference.split('/').map(Number) as [PaymentId, TransactionId];
  const trouble = await findTrouble(http, report.data);
  return { id: report.data.id, paymentId, transactionId, ...(trouble && { trouble }) };
}

const TROUBLES: ReadonlySet<string> = new Set(['DISPUTED', 'DISPUTE_WON', 'REFUND_FAILED']);

/** The simulator's books say what has happened; the callback says only where to look. */
async function findTrouble(
  http: SimulatorHttp,
  { type, idempotencyKey: key }: z.infer<typeof REPORT>,
): Promise<ProviderTrouble | undefined> {
  if (key === undefined || !TROUBLES.has(type)) return undefined;
  const operation = await http.findOperation(key, OPERATION);
  if (type === 'REFUND_FAILED') return operation?.outcome === 'REFUSED' ? { kind: 'REFUND_FAILED', key } : undefined;
  const { outcome, amountMinor } = operation ?? {};
  if ((outcome !== 'DISPUTED' && outcome !== 'DISPUTE_WON') || amountMinor === undefined) return undefined;
  return { kind: outcome, amountMinor };
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}
