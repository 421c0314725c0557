/**
 * Measures the cost of counting a caller: `npm run bench:callers`. One caller again and again, a full table of callers,
 * and a table that a new caller enters with each request. Fails when a check takes longer than is allowed.
 */

import { z } from 'zod';
import { callerLimitsShape } from '../../api/journey-planner/callers/caller-limits.ts';
import { networksOf } from '../../api/journey-planner/callers/caller-networks.ts';
import { type Caller, RateLimits } from '../../api/journey-planner/callers/rate-limits.ts';
import { expectThat, hasFailed } from './expectation.ts';

const CHECKS = 500_000;
const ALLOWED_MICROSECONDS = 20;

const limits = z.object(callerLimitsShape).parse({});
/** One window for all of a phase. */
const NOW_MS = Date.parse('2026-11-23T07:00:00Z');

function callerOf(count: number): Caller {
  const address = `${10 + (count >> 16)}.${(count >> 8) & 255}.${count & 255}.1`;
  return { name: `acme-application-${count}`, ...networksOf(address) };
}

function heapMegabytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}

function measure(name: string, callers: readonly Caller[]): void {
  const before = heapMegabytes();
  const counted = new RateLimits(limits, () => NOW_MS);
  // Processor time: the machine may be busy with other work.
  const begun = process.cpuUsage();
  for (let count = 0; count < CHECKS; count += 1) {
    counted.take(callers[count % callers.length] as Caller, 'trip', 1);
  }
  const { user, system } = process.cpuUsage(begun);
  const microseconds = (user + system) / CHECKS;
  const figures = `${microseconds.toFixed(2)} µs a check, ${(heapMegabytes() - before).toFixed(0)} MB`;
  expectThat(`${name}: ${figures}`, microseconds <= ALLOWED_MICROSECONDS);
  // Keeps the tables until the heap has been measured.
  counted.look(callers[0] as Caller, 'trip');
}

const callers = Array.from({ length: CHECKS }, (_, count) => callerOf(count));
measure('one caller', callers.slice(0, 1));
measure('1,000 callers', callers.slice(0, 1_000));
measure('a full table', callers.slice(0, limits.RATE_LIMIT_MAX_CALLERS));
measure('a new caller each time', callers);
process.exitCode = hasFailed() ? 1 : 0;
