/** State that an app shares with the listeners and with `serve`. */
import type { Express } from 'express';
import type { Logger } from '../../platform/log.ts';
import type { RunningRequest } from './begin-request.ts';
import type { HttpsRule } from './https-rule.ts';

export interface AppState {
  readonly log: Logger;
  /** Methods at a request target; undefined when nothing is there. */
  readonly allowedFor: (target: string) => readonly string[] | undefined;
  readonly https: HttpsRule | undefined;
  stopping: boolean;
  /** Aborted when the grace period is over. */
  readonly running: Set<RunningRequest>;
}

const states = new WeakMap<Express, AppState>();

export function setAppState(app: Express, state: AppState): void {
  states.set(app, state);
}

export function getAppState(app: Express): AppState {
  const state = states.get(app);
  if (!state) throw new Error('The app was not made by createApp');
  return state;
}
