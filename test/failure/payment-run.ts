/**
 * Tells stories of payments while the provider fails in every way that it can and parts of the service are killed, and then
 * compares the provider's ledger with payments, credits and orders. Used by kill-payments.ts and its short twin.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { FAULT_MODES, FAULTY_CALLS, type FaultRequest } from '../../dev/provider-simulator/faults.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { type PartName, Service } from '../support/service.ts';
import { trainsCatalogueFile } from '../support/sold-trains.ts';
import { until } from '../support/until.ts';
import { PatientClient } from './patient-client.ts';
import { PaymentBooks } from './payment-books.ts';
import { PaymentCalls } from './payment-calls.ts';
import { PaymentStories, STORY_SCOPES } from './payment-stories.ts';

export const VICTIMS: readonly PartName[] = ['api', 'salesPaymentsWorker', 'temporal', 'mongod', 'providerSimulator'];

/** Every call of the provider fails in every way. */
export const EVERY_FAULT: readonly Pick<FaultRequest, 'call' | 'mode'>[] = FAULTY_CALLS.flatMap((call) =>
  FAULT_MODES.map((mode) => ({ call, mode })),
);

export interface PaymentRunOptions {
  readonly stories: number;
  readonly victims: readonly PartName[];
  /** How many calls fail in each way. */
  readonly faultsEach: number;
  readonly writers?: number;
}

export interface PaymentRun {
  readonly faults: readonly string[];
  /** The transactions that the faults name. */
  readonly details: readonly string[];
  readonly payments: number;
  readonly acknowledged: number;
  readonly repeats: number;
  readonly busy: number;
  readonly kills: number;
  /** Ways in which the provider has failed, and how often. */
  readonly providerFaults: Readonly<Record<string, number>>;
  /** From the last fault until nothing was under way. */
  readonly quietAfterMs: number;
}

const WRITERS = 12;
const SLOW_MS = 3_000;
const NEXT_FAULT_MS = 900_000;
const PROCESSES = ['salesOrdersWorker', 'salesPaymentsWorker', 'eventsWorker', 'providerSimulator'] as const;

export async function runPayments(options: PaymentRunOptions): Promise<PaymentRun> {
  const env = { CATALOGUE_FILE: trainsCatalogueFile() };
  const service = await Service.start({ timetable: false, processes: PROCESSES, env });
  try {
    return await runOn(service, options);
  } finally {
    await service.stop();
  }
}

async function runOn(service: Service, options: PaymentRunOptions): Promise<PaymentRun> {
  const client = new PatientClient(service, STORY_SCOPES);
  await client.logIn();
  const calls = new PaymentCalls(client);
  const stories = new PaymentStories(calls);
  const simulator = service.url('providerSimulator');
  const lastKillAt = await tellAndBreak(service, stories, options);
  const used = await usedFaults(simulator);
  await fetch(`${simulator}/faults`, { method: 'DELETE' });
  const lastFaultAt = Math.max(lastKillAt, Date.now());
  const connection = await connectMongo(service.mongoUri);
  try {
    const books = new PaymentBooks(connection, stories.told, simulator);
    const stuck = await books.settle(lastFaultAt);
    const quietAfterMs = Date.now() - lastFaultAt;
    const faults = [...calls.faults, ...stuck, ...(await books.check())];
    return {
      faults,
      details: await books.describe(faults),
      payments: stories.told.length,
      acknowledged: calls.acknowledged,
      repeats: client.repeats,
      busy: calls.busy,
      kills: options.victims.length,
      providerFaults: used,
      quietAfterMs,
    };
  } finally {
    await connection.close();
  }
}

/** Spreads kills and faults evenly over the stories. Answers when the last part was there again. */
async function tellAndBreak(service: Service, told: PaymentStories, options: PaymentRunOptions): Promise<number> {
  const { stories, victims, faultsEach, writers = WRITERS } = options;
  let next = 0;
  let lastAt = Date.now();
  const reached = async (share: number) =>
    await until(() => next >= Math.floor(share * stories), { timeoutMs: NEXT_FAULT_MS, what: 'the next fault' });
  const writer = async (): Promise<void> => {
    while (next < stories) await told.tell(next++);
  };
  const killer = async (): Promise<void> => {
    for (const [at, victim] of victims.entries()) {
      await reached((at + 1) / (victims.length + 1));
      await service.kill(victim);
      await service.restart(victim);
      lastAt = Date.now();
    }
  };
  const saboteur = async (): Promise<void> => {
    const orders = Array.from({ length: faultsEach }, () => EVERY_FAULT).flat();
    for (const [at, fault] of orders.entries()) {
      await reached(at / orders.length);
      await order(service.url('providerSimulator'), { ...fault, count: 1, delayMs: SLOW_MS });
    }
  };
  await Promise.all([killer(), saboteur(), ...Array.from({ length: writers }, writer)]);
  return lastAt;
}

/** Until the simulator is there again. */
async function order(simulator: string, fault: FaultRequest): Promise<void> {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(fault) };
  for (;;) {
    const answer = await fetch(`${simulator}/faults`, request).catch(() => undefined);
    if (answer?.status === 201) return;
    await delay(SLOW_MS / 10);
  }
}

async function usedFaults(simulator: string): Promise<Readonly<Record<string, number>>> {
  const answer = await fetch(`${simulator}/faults`);
  const { faults } = (await answer.json()) as { faults: readonly (FaultRequest & { readonly used: number })[] };
  const used: Record<string, number> = {};
  for (const { call, mode, used: times } of faults) used[`${call} ${mode}`] = (used[`${call} ${mode}`] ?? 0) + times;
  return used;
}
