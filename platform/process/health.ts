/**
 * `/health/live` says that the process runs; `/health/ready` checks each dependency within a time limit, and names
 * those that are unavailable. Needs no token and shows only names and states.
 */
import type { Connection } from 'mongoose';

/** Resolves when the dependency works. Called up to once a second, so it must be cheap. */
export type HealthCheck = () => Promise<unknown>;

const CHECK_TIMEOUT_MS = 2_000;

export type DependencyState = readonly [name: string, state: 'up' | 'down'];

/** An HTTP answer in JSON, whatever the server. */
export interface HealthReply {
  readonly status: number;
  readonly json: unknown;
}

export function liveReply(): HealthReply {
  return { status: 200, json: { status: 'up' } };
}

export function readyReply(states: readonly DependencyState[], stopping: boolean): HealthReply {
  const ready = !stopping && states.every(([, state]) => state === 'up');
  const status = stopping ? 'stopping' : ready ? 'up' : 'down';
  return { status: ready ? 200 : 503, json: { status, dependencies: Object.fromEntries(states) } };
}

/** Checks all dependencies at once. Called by Readiness, which bounds how often. */
export async function dependencyStates(
  checks: Readonly<Record<string, HealthCheck>>,
): Promise<readonly DependencyState[]> {
  const ask = async ([name, check]: [string, HealthCheck]) => [name, await stateOf(check)] as const;
  return await Promise.all(Object.entries(checks).map(ask));
}

async function stateOf(check: HealthCheck): Promise<'up' | 'down'> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'down'>((resolve) => {
    timer = setTimeout(() => resolve('down'), CHECK_TIMEOUT_MS);
  });
  const result = check().then(
    () => 'up' as const,
    () => 'down' as const,
  );
  const state = await Promise.race([result, timeout]);
  clearTimeout(timer);
  return state;
}

export function checkMongo(connection: Connection): HealthCheck {
  return async () => await connection.getClient().db('admin').command({ ping: 1 });
}
