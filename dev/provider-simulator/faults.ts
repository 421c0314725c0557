/**
 * Faults that a test orders: the next calls of a kind are slow, fail, lose their answer, or come twice. Stored, so that a
 * restart of the simulator forgets none; each is taken by one conditional write.
 */
import { randomUUID } from 'node:crypto';
import type { Connection, mongo } from 'mongoose';
import { z } from 'zod';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';

export const FAULTY_CALLS = ['session', 'cancel', 'capture', 'void', 'refund', 'status', 'callback'] as const;
export type FaultyCall = (typeof FAULTY_CALLS)[number];

/**
 * SLOW: waits before the effect. FAIL_BEFORE: no effect, answers 503. FAIL_AFTER: takes effect, answers 500. DROP: takes
 * effect, and closes the connection without an answer. DUPLICATE: the call comes twice at once. A callback with DROP is
 * never sent; with FAIL_AFTER it is sent again.
 */
export const FAULT_MODES = ['SLOW', 'FAIL_BEFORE', 'FAIL_AFTER', 'DROP', 'DUPLICATE'] as const;
export type FaultMode = (typeof FAULT_MODES)[number];

export const faultRequest = z.strictObject({
  call: z.enum(FAULTY_CALLS),
  mode: z.enum(FAULT_MODES),
  count: z.int().min(1).max(1_000_000),
  delayMs: z.int().min(0).max(600_000).default(5_000),
});
export type FaultRequest = z.infer<typeof faultRequest>;

export interface Fault extends FaultRequest {
  readonly id: string;
  readonly left: number;
  readonly used: number;
}

interface FaultDocument extends Omit<Fault, 'id'> {
  readonly _id: string;
  readonly orderedAt: Date;
}

export const FAULTS = new CollectionDefinition<FaultDocument>('faults', [
  { name: 'next', key: { call: 1, orderedAt: 1 }, partialFilterExpression: { left: { $gt: 0 } } },
]);

export class FaultStore {
  readonly #collection: mongo.Collection<FaultDocument>;

  constructor(connection: Connection) {
    this.#collection = FAULTS.open(connection);
  }

  async order(request: FaultRequest): Promise<Fault> {
    const document = { _id: randomUUID(), ...request, left: request.count, used: 0, orderedAt: new Date() };
    await this.#collection.insertOne(document);
    return present(document);
  }

  /** The oldest fault of this call, used once more. */
  async take(call: FaultyCall): Promise<Pick<Fault, 'mode' | 'delayMs'> | undefined> {
    const use = { $inc: { left: -1, used: 1 } } as mongo.UpdateFilter<FaultDocument>;
    const found = await this.#collection.findOneAndUpdate({ call, left: { $gt: 0 } }, use, { sort: { orderedAt: 1 } });
    return found ?? undefined;
  }

  async list(): Promise<readonly Fault[]> {
    return (await this.#collection.find({}).sort({ orderedAt: 1 }).toArray()).map(present);
  }

  async clear(): Promise<void> {
    await this.#collection.deleteMany({});
  }
}

function present({ _id, call, mode, count, delayMs, left, used }: FaultDocument): Fault {
  return { id: _id, call, mode, count, delayMs, left, used };
}
