/** What tests and developers ask of the simulator: its ledger, faults, disputes, and refunds that fail later. */
import { Router } from 'express';
import { z } from 'zod';
import { Refusal } from './answering.ts';
import type { CallsOptions } from './calls.ts';
import { faultRequest } from './faults.ts';
import { failRefund, winDispute } from './money.ts';
import { perform } from './perform.ts';
import { check, found, keyOf } from './requests.ts';
import type { Operation, OperationCall, Outcome, Session } from './session.ts';

const disputeRequest = z.strictObject({
  reference: z.string(),
  /** All that was captured, where it is absent. */
  amountMinor: z.int().min(1).optional(),
});
const ofKey = z.strictObject({ idempotencyKey: z.string() });
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
  router.post('/dispute-wins', async ({ body }, response) => {
    const { idempotencyKey } = check(ofKey, body);
    const { session, operation } = found(await sessions.findByKey(idempotencyKey));
    if (operation.call !== 'dispute') throw new Refusal(409, 'NO_DISPUTE', 'This key is not of a dispute.');
    await sessions.change(session._id, winDispute(idempotencyKey));
    wake();
    response.json({ outcome: 'DISPUTE_WON' });
  });
  router.post('/refund-failures', async ({ body }, response) => {
    const { idempotencyKey } = check(ofKey, body);
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
    const operations = own.flatMap((session) => session.operations);
    const list = (call: OperationCall, ...moved: readonly Outcome[]) =>
      operations
        .filter((each) => each.call === call && moved.includes(each.outcome))
        .flatMap(toMovements)
        .filter((each) => isWithin(each, window));
    const entry = {
      reference,
      currency: own[0]?.currency ?? '',
      captures: list('capture', 'CAPTURED'),
      refunds: list('refund', 'REFUNDED'),
      disputes: list('dispute', 'DISPUTED', 'DISPUTE_WON'),
    };
    return [...entry.captures, ...entry.refunds, ...entry.disputes].length > 0 ? [entry] : [];
  });
}

function isWithin({ at }: Movement, { from, until }: Window): boolean {
  return (from === undefined || at >= from) && (until === undefined || at < until);
}

/** A dispute that was won has moved money twice. */
function toMovements({ amountMinor = 0, key, at, wonAt }: Operation): readonly Movement[] {
  const back = wonAt ? [{ amountMinor: -amountMinor, idempotencyKey: key, at: wonAt }] : [];
  return [{ amountMinor, idempotencyKey: key, at }, ...back];
}
