/** The calls of the merchant: sessions, money, outcomes. Every call with an effect carries an Idempotency-Key. */
import { randomBytes, randomUUID } from 'node:crypto';
import { type Request, Router } from 'express';
import { z } from 'zod';
import { type Answer, answering, Refusal } from './answering.ts';
import type { FaultStore } from './faults.ts';
import { type PerformOptions, perform, presentOperation } from './perform.ts';
import { check, found, keyOf, keyReused } from './requests.ts';
import type { Session } from './session.ts';
import type { SessionStore } from './session-store.ts';

const amountMinor = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
const address = z.url({ protocol: /^https?$/ }).max(2_048);

const sessionRequest = z.strictObject({
  reference: z.string().regex(/^\d{1,16}\/\d{1,16}$/),
  amountMinor,
  currency: z.string().regex(/^[A-Z]{3}$/),
  methods: z.array(z.string().min(1).max(40)).max(20),
  // An app's own scheme is right, too.
  returnUrl: z.url({ protocol: /^(?!javascript$|data$|vbscript$|file$)/ }).max(2_048),
  callbackUrl: address,
  language: z.string().min(2).max(3),
  countryCode: z.string().length(2).optional(),
  challenge: z.boolean().optional(),
  app: z.strictObject({ phoneNumber: z.string().max(40), description: z.string().max(500) }).optional(),
});
const moneyRequest = z.strictObject({ amountMinor });
const noBody = z.strictObject({}).optional();

export interface CallsOptions extends PerformOptions {
  readonly faults: FaultStore;
  /** Base address of the terminals. */
  readonly url: () => string;
  readonly sessionMs: number;
}

export function createCalls(options: CallsOptions): Router {
  const { sessions, faults } = options;
  const router = Router();
  router.post(
    '/sessions',
    answering(faults, 'session', (request) => openSession(options, request)),
  );
  router.get(
    '/sessions/:id',
    answering(faults, 'status', async ({ params }) => {
      return { status: 200, json: presentSession(found(await sessions.find({ _id: String(params.id) }))) };
    }),
  );
  router.post(
    '/sessions/:id/cancel',
    answering(faults, 'cancel', async (request) => {
      check(noBody, request.body);
      const { _id } = found(await sessions.find({ _id: String(request.params.id) }));
      return await perform(options, _id, { call: 'cancel', ...keyOf(request) });
    }),
  );
  for (const call of ['capture', 'void', 'refund'] as const) {
    router.post(
      `/authorisations/:id/${call}`,
      answering(faults, call, async (request) => {
        const { amountMinor } = check(moneyRequest, request.body);
        const { _id, behaviour } = found(await sessions.find({ authorisationId: String(request.params.id) }));
        const isRepeat = (await sessions.findByKey(keyOf(request).key)) !== undefined;
        const answer = await perform(options, _id, { call, amountMinor, ...keyOf(request) });
        const withheld = call === 'capture' && behaviour === 'UNANSWERED_CAPTURE' && !isRepeat;
        return { ...answer, withheld };
      }),
    );
  }
  router.get(
    '/operations/:key',
    answering(faults, 'status', async ({ params }) => {
      const known = await sessions.findByKey(String(params.key));
      if (!known) throw new Refusal(404, 'NEVER_SEEN', 'No call has come with this key.');
      return { status: 200, json: presentOperation(known.operation) };
    }),
  );
  return router;
}

async function openSession({ sessions, url, sessionMs }: CallsOptions, request: Request): Promise<Answer> {
  const { key, fingerprint } = keyOf(request);
  const { app, challenge, countryCode: _country, ...order } = check(sessionRequest, request.body);
  const now = new Date();
  const made: Session = {
    ...order,
    ...(challenge && { challengeFirst: true }),
    ...(app && { app: { phoneEnd: app.phoneNumber.slice(-3), description: app.description } }),
    _id: randomUUID(),
    revision: 1,
    terminal: randomBytes(24).toString('base64url'),
    status: 'OPEN',
    createdAt: now,
    expiresAt: new Date(now.getTime() + sessionMs),
    challenge: 'NONE',
    operations: [{ key, call: 'session', fingerprint, outcome: 'OPENED', at: now }],
    deliveries: [],
  };
  const isNew = await sessions.create(made);
  const { session, operation } = isNew ? { session: made, operation: made.operations[0] } : await known(sessions, key);
  if (operation?.fingerprint !== fingerprint) throw keyReused();
  return {
    status: isNew ? 201 : 200,
    json: { sessionId: session._id, terminalUri: `${url()}/terminal/${session.terminal}` },
  };
}

async function known(sessions: SessionStore, key: string) {
  const taken = await sessions.findByKey(key);
  if (!taken) throw new Error(`The key ${key} is taken by nothing`);
  return taken;
}

function presentSession({
  status,
  authorisationId,
  last4,
  brand,
  challenge,
  amountMinor,
  currency,
  operations,
}: Session) {
  const disputes = operations.filter(({ outcome }) => outcome === 'DISPUTED');
  return {
    status,
    authorisationId,
    last4,
    brand,
    challengeDone: challenge === 'PASSED',
    amountMinor,
    currency,
    disputedMinor: disputes.reduce((sum, each) => sum + (each.amountMinor ?? 0), 0),
    failedRefundKeys: operations.flatMap(({ key, failedAt }) => (failedAt ? [key] : [])),
  };
}
