/**
 * The state of a process's dependencies. An answer is good for a second, and callers that come meanwhile wait for the
 * running check. Probes, however many, cause at most one check a second. Callers: `/health/ready` and `/metrics` of
 * every process.
 */
import { type DependencyState, dependencyStates, type HealthCheck } from './health.ts';

const GOOD_FOR_MS = 1_000;

export interface ReadinessOptions {
  readonly now?: () => number;
}

export class Readiness {
  readonly #checks: Readonly<Record<string, HealthCheck>>;
  readonly #now: () => number;
  #running: Promise<readonly DependencyState[]> | undefined;
  #known: readonly DependencyState[] = [];
  #knownAt = Number.NEGATIVE_INFINITY;

  constructor(checks: Readonly<Record<string, HealthCheck>>, { now = () => performance.now() }: ReadinessOptions = {}) {
    this.#checks = checks;
    this.#now = now;
  }

  /** Never rejects: a check that fails or takes too long is a dependency that is down. */
  async states(): Promise<readonly DependencyState[]> {
    if (this.#now() - this.#knownAt < GOOD_FOR_MS) return this.#known;
    this.#running ??= this.#check().finally(() => {
      this.#running = undefined;
    });
    return await this.#running;
  }

  async #check(): Promise<readonly DependencyState[]> {
    this.#known = await dependencyStates(this.#checks);
    this.#knownAt = this.#now();
    return this.#known;
  }
}
