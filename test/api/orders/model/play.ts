/**
 * Plays one step on both sides: sends its request, lets the model decide, and compares status, code, and the
 * orders that it may have changed. Throws where they differ.
 */
import assert from 'node:assert/strict';
import { type Answer, problemOf } from '../../support/call.ts';
import { expire } from './model-endings.ts';
import { factsOfAnswer, factsOfModel } from './model-facts.ts';
import { excessOf, heldOf, type ModelOrder, Refused, totalOf } from './model-order.ts';
import { replaceMembers } from './model-rules.ts';
import { requestOf } from './requests.ts';
import type { Learned, Move, Run, Sent } from './run.ts';
import type { Step, StepOf } from './steps.ts';
import type { World } from './world.ts';

/** Not stored under its key. */
const UNSTORED = new Set([400, 401, 403, 406, 408, 413, 415, 429]);

export async function play(step: Step, run: Run, world: World): Promise<void> {
  if (step.kind === 'wait') run.now += step.minutes * 60_000;
  else if (step.kind === 'relay') await world.relay();
  else if (step.kind === 'sweep') await sweep(step.minutes, run, world);
  else if (step.kind === 'money') await noteMoney(step.target, step, run, world);
  else if (step.kind === 'repeat') await repeat(step, run, world);
  else {
    if (step.kind === 'confirm' && step.isPaid) await noteMoney('BALANCED', step, run, world);
    if (step.kind === 'reset' && step.isCredited) await noteMoney('AS_CONFIRMED', step, run, world);
    const move = requestOf(step, run, world);
    if (move) await make(move, step, run, world);
  }
  // A sweep may end any of them; the others are compared at the end of the run.
  const touched = step.kind === 'sweep' ? run.orders : [run.orders.at(-1), run.orders.at(-1 - step.at)];
  await compareAll(touched, run, world);
}

export async function compareAll(orders: Run['orders'] | (ModelOrder | undefined)[], run: Run, world: World) {
  for (const order of new Set(orders)) if (order) await compare(order, run, world);
}

async function make(move: Move, step: Step, run: Run, world: World): Promise<void> {
  const { path, ...options } = withHeaders(move, step, run);
  const answer = await world.call(path, options, run.now);
  if ('idempotency-key' in options.headers && !UNSTORED.has(answer.status)) {
    run.kept = { sent: { path, ...options }, answer };
  }
  const orderId = move.order?.id ?? answer.json?.orderId ?? answer.json?.id;
  const read = orderId && answer.status < 300 ? (await readOrder(orderId, run, world)).json : undefined;
  const credited = move.order?.credited;
  const expected = decide(move, { json: answer.json, read }, step, run);
  const got = answer.status < 300 ? String(answer.status) : problemOf(answer).split(' ').slice(0, 2).join(' ');
  assert.equal(got, expected, `${options.method} ${path} ${JSON.stringify(options.body ?? '')}: ${answer.text}`);
  run.outcomes.push(`${step.kind} ${got}`);
  if (step.kind === 'confirm' && move.order?.credited !== credited) {
    run.outcomes.push(`confirm pays back ${step.creditBalance ? 'as asked' : 'as preset'}`);
  }
  const { order } = move;
  if (order && answer.status < 300 && options.method !== 'GET' && !move.isOfSeat) {
    assert.equal(answer.headers.get('etag'), `"${order.version}.${order.revision}"`);
  }
}

function withHeaders({ sent, order, isOfSeat }: Move, { match, isKeyed }: Step, run: Run): Sent {
  if (sent.method === 'GET') return sent;
  const headers = {
    ...sent.headers,
    ...(order && !isOfSeat && match !== 'NONE' && { 'if-match': tagOf(order, match) }),
    ...(isKeyed && { 'idempotency-key': `key-${run.newId()}` }),
  };
  return { ...sent, headers };
}

function tagOf({ version, revision, highest }: ModelOrder, match: Step['match']): string {
  if (match === 'CURRENT') return `"${version}.${revision}"`;
  return match === 'STALE' ? `"${version}.${revision - 1}"` : `"${highest + 1}.${revision}"`;
}

/** Changes the model, and answers the status or problem that it expects. */
function decide(move: Move, learned: Learned, { match }: Step, run: Run): string {
  const { order } = move;
  try {
    move.early?.();
    if (move.make) run.orders.push(move.make(learned));
    if (order && move.rule) {
      if (move.sent.method !== 'GET' && !move.isOfSeat && (match === 'STALE' || match === 'OTHER_VERSION'))
        return '412 REVISION_CONFLICT';
      // A refusal changes nothing, and a rule may have begun.
      const after = structuredClone(order);
      if (move.rule(learned)(after, run.now)) replaceMembers(order, { ...after, revision: after.revision + 1 });
    }
    return String(move.status);
  } catch (error) {
    if (error instanceof Refused) return error.problem;
    throw error;
  }
}

async function readOrder(orderId: string, run: Run, world: World): Promise<Answer> {
  const answer = await world.call(`/v1/orders/${orderId}`, {}, run.now);
  assert.equal(answer.status, 200, answer.text);
  run.read.set(orderId, answer.json);
  for (const { id, seatNumber } of answer.json.reservations) run.seats.set(id, seatNumber);
  return answer;
}

async function compare(order: ModelOrder, run: Run, world: World): Promise<void> {
  const { json, headers } = await readOrder(order.id, run, world);
  assert.deepEqual(factsOfAnswer(json), factsOfModel(order));
  assert.equal(headers.get('etag'), `"${order.version}.${order.revision}"`);
}

async function sweep(minutes: number, run: Run, world: World): Promise<void> {
  run.now += minutes * 60_000;
  const ended = new Set<string>();
  for (const order of run.orders) {
    const isPaid = excessOf(order) !== 0;
    const writes = expire(order, run.now);
    if (writes === 0) continue;
    order.revision += writes;
    ended.add(order.id);
    run.outcomes.push(`sweep ${isPaid ? 'paid ' : ''}${order.status}`);
  }
  await world.sweep(run.now, (id) => ended.has(id));
}

async function noteMoney(target: StepOf<'money'>['target'], { at }: Step, run: Run, world: World): Promise<void> {
  const order = run.orders.at(-1 - at);
  if (order?.status !== 'DRAFT') return;
  const confirmed = order.confirmed === undefined ? 0 : totalOf(order.versions[order.confirmed] as ModelOrder);
  const difference = (target === 'BALANCED' ? totalOf(order) : confirmed) - heldOf(order);
  if (difference === 0 || heldOf(order) + difference < (order.imported ?? 0)) return;
  if (difference > 0) order.captured += difference;
  else order.credited -= difference;
  order.revision += 1;
  run.outcomes.push(`money ${difference > 0 ? 'captured' : 'credited'}`);
  const { captured, credited, imported = 0 } = order;
  await world.noteMoney(order.id, { captured: captured - imported, credited });
}

async function repeat({ isSame }: StepOf<'repeat'>, run: Run, world: World): Promise<void> {
  if (!run.kept) return;
  const { sent, answer } = run.kept;
  const { path, ...options } = sent;
  if (isSame) {
    const again = await world.call(path, options, run.now);
    assert.deepEqual([again.status, again.json], [answer.status, answer.json], `repeated ${options.method} ${path}`);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    run.outcomes.push('repeat replayed');
  } else if (path.endsWith('/external-reference')) {
    const other = await world.call(path, { ...options, body: { externalReference: 'of another request' } }, run.now);
    assert.equal(problemOf(other), '422 IDEMPOTENCY_KEY_REUSED');
    run.outcomes.push('repeat 422 IDEMPOTENCY_KEY_REUSED');
  }
}
