/** What every call is asked first: its key, and a body of the right shape. */
import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { z } from 'zod';
import { Refusal } from './answering.ts';

/** Throws without the header. */
export function keyOf({ headers, method, originalUrl, body }: Request): { key: string; fingerprint: string } {
  const key = headers['idempotency-key'];
  if (typeof key !== 'string' || !/^[!-~]{1,255}$/.test(key)) {
    throw new Refusal(400, 'MISSING_KEY', 'Idempotency-Key must have 1 to 255 printable characters.');
  }
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([method, originalUrl, sorted(body)]))
    .digest('hex');
  return { key, fingerprint };
}

/** The order of members makes no other body. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

export function keyReused(): Refusal {
  return new Refusal(422, 'KEY_REUSED', 'This Idempotency-Key came with another request before.');
}

export function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Refusal(404, 'NOT_FOUND', 'The simulator knows nothing of this name.');
  return value;
}

export function check<Shape extends z.ZodType>(shape: Shape, body: unknown): z.infer<Shape> {
  const result = shape.safeParse(body);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new Refusal(400, 'INVALID', faults.join('; '));
}
