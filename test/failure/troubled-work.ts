/**
 * Does work by several callers at once while parts are killed and calls of the provider fail. Used by the runs of payments and
 * refunds.
 */
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { EVERY_FAULT, ProviderFaults } from './provider-faults.ts';
import type { PlannedKill } from './random-kills.ts';

export interface TroubledWork {
  /** Ends one piece of the work. */
  readonly tell: () => Promise<void>;
  /** From 0 to 1; at 1 nothing more begins. */
  readonly progress: () => number;
  readonly callers: number;
  /** Then nothing more begins, however much is left. */
  readonly endsAfterMs: number;
  readonly kills: readonly PlannedKill[];
  /** How many calls fail in each way. */
  readonly faultsEach: number;
}

export interface Trouble {
  /** The last part was there again, and no call fails any more. */
  readonly endedAt: number;
  /** How often the provider has failed in each way. */
  readonly providerFaults: Readonly<Record<string, number>>;
}

/** What is done to the service. */
export type TroubledService = Pick<Service, 'url' | 'kill' | 'restart'>;

const NEXT_FAULT_MS = 900_000;

/** Spreads kills as planned, and faults evenly. */
export async function workInTrouble(service: TroubledService, work: TroubledWork): Promise<Trouble> {
  const provider = new ProviderFaults(service.url('providerSimulator'));
  const begunAt = Date.now();
  const progress = () => Math.max(work.progress(), (Date.now() - begunAt) / work.endsAfterMs);
  const reached = async (share: number, pauseMs = 0) => {
    await until(() => progress() >= share, { timeoutMs: NEXT_FAULT_MS, what: 'the next fault' });
    const resumeAt = Date.now() + pauseMs;
    await until(() => Date.now() >= resumeAt || progress() >= 1);
  };
  const caller = async (): Promise<void> => {
    while (progress() < 1) await work.tell();
  };
  const killer = async (): Promise<void> => {
    for (const { victim, share, pauseMs } of work.kills) {
      await reached(share, pauseMs);
      await service.kill(victim);
      await service.restart(victim);
    }
  };
  const saboteur = async (): Promise<void> => {
    const faults = Array.from({ length: work.faultsEach }, () => EVERY_FAULT).flat();
    for (const [at, fault] of faults.entries()) {
      await reached(at / faults.length);
      await provider.order(fault);
    }
  };
  await Promise.all([killer(), saboteur(), ...Array.from({ length: work.callers }, caller)]);
  const providerFaults = await provider.end();
  return { endedAt: Date.now(), providerFaults };
}
