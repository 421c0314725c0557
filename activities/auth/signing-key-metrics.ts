/** Metrics of the keys that sign access tokens. Caller: the worker of operations. */
import { Gauge, type Registry } from 'prom-client';
import type { SigningKeyEntry } from './signing-key-rotation-store.ts';

const STATES = ['NEXT', 'SIGNING', 'RETIRING'] as const;

export class SigningKeyMetrics {
  #keys: readonly SigningKeyEntry[] = [];

  constructor(registry: Registry, now: () => number = Date.now) {
    const registers = [registry];
    const keys = () => this.#keys;
    const ageOf = (state: SigningKeyEntry['state']): number => {
      const since = keys().flatMap((key) => (key.state === state ? [key.since.getTime()] : []));
      return since.length === 0 ? 0 : Math.max(0, now() - Math.min(...since)) / 1_000;
    };
    new Gauge({
      name: 'auth_signing_key_age_seconds',
      help: 'How long the present key has signed; grows past the time between rotations when these fail',
      registers,
      collect() {
        this.set(ageOf('SIGNING'));
      },
    });
    new Gauge({
      name: 'auth_signing_keys',
      help: 'Published keys by state: one signs, one may be next, those that retire wait for their last token to end',
      labelNames: ['state'],
      registers,
      collect() {
        for (const state of STATES) this.set({ state }, keys().filter((key) => key.state === state).length);
      },
    });
    new Gauge({
      name: 'auth_signing_keys_overdue_seconds',
      help: 'How long ago a retired key should have been removed; 0 when none is overdue',
      registers,
      collect() {
        const late = keys().map(({ removableAt }) => (removableAt ? now() - removableAt.getTime() : 0));
        this.set(Math.max(0, ...late) / 1_000);
      },
    });
  }

  /** Sets the metrics from the present keys. */
  show(keys: readonly SigningKeyEntry[]): void {
    this.#keys = keys;
  }
}
