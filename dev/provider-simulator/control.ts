/** What tests and developers ask of the simulator: its ledger, faults, disputes, and refunds that fail later. */
import { Router } from 'express';
import { z } from 'zod';
import { Refusal } from './answering.ts';
import type { CallsOptions } from './calls.ts';
import { faultRequest } from './faults.ts';
import { failRefund } from './money.ts';
import { perform } from './perform.ts';
import { check, found, keyOf } from './requests.ts';
import type { Operation, OperationCall, Outcome, Session } from './session.ts';

const disputeRequest = z.strictObject({
  reference: z.string(),
  /** All that was captured, where it is absent. */
  amountMinor: z.int().min(1).optional(),
});
const refundFailureRequest = z.strictObject({ idempotencyKey: z.string() });
const ledgerQuery = z.strictObject({
  reference: z.string().optional(),
  /** Times of movements: `from` counts, `until` does not. */
  from: z.coerce.date().optional(),
  until: z.coerce.date().optional(),
});

export function createControl(options: CallsOptions): Router {
  const { sessions, faults, wake } = options;
  const router = Router();
  router.get('/ledger', async ({ query }, response) => {
    const { reference, from, until } = check(ledgerQuery, { ...query });
    response.json({ entries: toLedger(await sessions.listByReference(reference), { from, until }) });
  });
  router.get('/faults', async (_, response) => void response.json({ faults: await faults.list() }));
  router.post('/faults', async ({ body }, response) => {
    response.status(201).json(await faults.order(check(faultRequest, body)));
  });
  router.delete('/faults', async (_, response) => {
    await faults.clear();
    response.sendStatus(204);
  });
  router.post('/disputes', async (request, response) => {
    const { reference, amountMinor } = check(disputeRequest, request.body);
    const session = found((await sessions.listByReference(reference)).find((each) => captured(each) > 0));
    const call = { call: 'dispute', amountMinor: amountMinor ?? captured(session), ...keyOf(request) } as const;
    const { status, json } = await perform(options, session._id, call);
    response.status(status).json(json);
  });
  router.post('/refund-failures', async ({ body }, response) => {
    const { idempotencyKey } = check(refundFailureRequest, body);
    const { session, operation } = found(await sessions.findByKey(idempotencyKey));
    if (operation.call !== 'refund') throw new Refusal(409, 'NO_REFUND', 'This key is not of a refund.');
    await sessions.change(session._id, failRefund(idempotencyKey));
    wake();
    response.json({ outcome: 'REFUSED' });
  });
  return router;
}

function captured({ operations }: Session): number {
  const captures = operations.filter(({ outcome }) => outcome === 'CAPTURED');
  return captures.reduce((sum, { amountMinor = 0 }) => sum + amountMinor, 0);
}

export interface Movement {
  readonly amountMinor: number;
  readonly idempotencyKey: string;
  readonly at: Date;
}

export interface LedgerEntry {
  readonly reference: string;
  readonly currency: string;
  readonly captures: readonly Movement[];
  readonly refunds: readonly Movement[];
  readonly disputes: readonly Movement[];
}

type Window = { readonly from: Date | undefined; readonly until: Date | undefined };

/** One entry for each reference with movements, whatever the number of its sessions. */
function toLedger(sessions: readonly Session[], window: Window): readonly LedgerEntry[] {
  return [...Map.groupBy(sessions, ({ reference }) => reference)].flatMap(([reference, own]) => {
    const operations = own.flatMap((session) => session.operations).filter((each) => isWithin(each, window));
    const list = (call: OperationCall, moved: Outcome) =>
      operations.filter((each) => each.call === call && each.outcome === moved).map(toMovement);
    const entry = {
      reference,
      currency: own[0]?.currency ?? '',
      captures: list('capture', 'CAPTURED'),
      refunds: list('refund', 'REFUNDED'),
      disputes: list('dispute', 'DISPUTED'),
    };
    return [...entry.captures, ...entry.refunds, ...entry.disputes].length > 0 ? [entry] : [];
  });
}

function isWithin({ at }: Operation, { from, until }: Window): boolean {
  return (from === undefined || at >= from) && (until === undefined || at < until);
}

function toMovement({ amountMinor = 0, key, at }: Operation): Movement {
  return { amountMinor, idempotencyKey: key, at };
}
