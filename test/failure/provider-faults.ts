/** Has the provider's simulator fail in every way that it can. Used by the runs of payments and refunds. */
import { setTimeout as delay } from 'node:timers/promises';
import { FAULT_MODES, FAULTY_CALLS, type Fault, type FaultRequest } from '../../dev/provider-simulator/faults.ts';

export type FaultKind = Pick<FaultRequest, 'call' | 'mode'>;

/** Every call of the provider fails in every way. */
export const EVERY_FAULT: readonly FaultKind[] = FAULTY_CALLS.flatMap((call) =>
  FAULT_MODES.map((mode) => ({ call, mode })),
);

const SLOW_MS = 3_000;
const RETRY_MS = 300;

export class ProviderFaults {
  readonly #simulator: string;

  /** `simulator`: its base URL. */
  constructor(simulator: string) {
    this.#simulator = simulator;
  }

  /** The next call fails. Waits while the simulator is dead. */
  async order(fault: FaultKind): Promise<void> {
    const body = JSON.stringify({ ...fault, count: 1, delayMs: SLOW_MS });
    const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    for (;;) {
      const answer = await fetch(`${this.#simulator}/faults`, request).catch(() => undefined);
      if (answer?.status === 201) return;
      await delay(RETRY_MS);
    }
  }

  /** Answers how often each fault was used, as `capture SLOW`. No call fails any more. */
  async end(): Promise<Readonly<Record<string, number>>> {
    const answer = await fetch(`${this.#simulator}/faults`);
    const { faults } = (await answer.json()) as { readonly faults: readonly Fault[] };
    await fetch(`${this.#simulator}/faults`, { method: 'DELETE' });
    const used: Record<string, number> = {};
    for (const { call, mode, used: times } of faults) {
      const name = `${call} ${mode}`;
      used[name] = (used[name] ?? 0) + times;
    }
    return used;
  }
}

export function describeFaults(used: Readonly<Record<string, number>>): string {
  const unused = EVERY_FAULT.map(({ call, mode }) => `${call} ${mode}`).filter((name) => !used[name]);
  const total = Object.values(used).reduce((sum, times) => sum + times, 0);
  return `${total} faults of the provider; never used: ${unused.join(', ') || 'none'}`;
}
