/** Reads the simulator's ledger as movements of money. */
import { z } from 'zod';
import { DAY_MS } from '../../../workflows/shared/spans.ts';
import type { ProviderMovement } from './payment-provider.ts';
import type { SimulatorHttp } from './simulator-http.ts';

/** One day of a soak test has some hundred thousand movements of 120 bytes. */
const MAX_LEDGER_BYTES = 67_108_864;

const MOVEMENT = z.object({ amountMinor: z.int(), idempotencyKey: z.string(), at: z.coerce.date() });
const LEDGER = z.object({
  entries: z.array(
    z.object({
      reference: z.string(),
      currency: z.string(),
      captures: z.array(MOVEMENT),
      refunds: z.array(MOVEMENT),
      disputes: z.array(MOVEMENT),
    }),
  ),
});

/** Day by day, so that no answer grows with the time that is asked for. */
export async function* listMovements(http: SimulatorHttp, from: Date, until: Date): AsyncIterable<ProviderMovement> {
  for (let start = from.getTime(); start < until.getTime(); start += DAY_MS) {
    const end = Math.min(start + DAY_MS, until.getTime());
    const query = new URLSearchParams({ from: new Date(start).toISOString(), until: new Date(end).toISOString() });
    const { entries } = await http.call({ method: 'GET', path: `/ledger?${query}`, answer: LEDGER }, MAX_LEDGER_BYTES);
    for (const { reference, currency, captures, refunds, disputes } of entries) {
      for (const [kind, moved] of [
        ['CAPTURE', captures],
        ['REFUND', refunds],
        ['DISPUTE', disputes],
      ] as const) {
        for (const { amountMinor, idempotencyKey: key, at } of moved)
          yield { reference, kind, amountMinor, currency, key, at };
      }
    }
  }
}
