/**
 * Decides which build of a worker role gets the work. A new build takes over from the one before, and the work of a
 * dead build continues on a live one. Caller: worker-process.ts, at its start and every few seconds, in every process
 * of the role; running it in several at once is harmless. Never ends a worker: the supervisor of the processes stops
 * the old ones.
 */
import type { Logger } from '../log.ts';
import { PollWatch } from './poll-watch.ts';
import type { WorkerDeployment, WorkerVersion, WorkerVersions } from './worker-versions.ts';

/**
 * How builds take over:
 * - `off`: builds are named, and any of them takes every task.
 * - `by-command`: `npm run worker-version` chooses the current build, except for the very first.
 * - `once`: a build takes over when it is first seen, and again only when the current one has no worker left. So a
 *   restarted old worker, or one of a build that was rolled back, changes nothing.
 * - `at-start`: the build that starts takes over, and all others are gone; for a single machine.
 */
export const VERSIONING_MODES = ['off', 'by-command', 'once', 'at-start'] as const;
export type VersioningMode = (typeof VERSIONING_MODES)[number];

export interface TakeOverOptions {
  readonly versions: Pick<WorkerVersions, 'findDeployment' | 'makeCurrent' | 'lastPollOf' | 'release'>;
  readonly version: WorkerVersion;
  readonly mode: VersioningMode;
  /** After no poll from a build for this time, another takes over its work, or its place. */
  readonly strandedMs: number;
  readonly log: Logger;
  readonly now?: () => Date;
}

export class VersionTakeOver {
  readonly #options: TakeOverOptions;
  readonly #watch = new PollWatch();
  #hasStarted = false;

  constructor(options: TakeOverOptions) {
    this.#options = options;
  }

  async turn(): Promise<void> {
    const { versions, version, mode, log } = this.#options;
    if (mode === 'off') return;
    if (mode === 'at-start' && !this.#hasStarted) {
      await versions.makeCurrent(version, 'unseen');
      this.#hasStarted = true;
    }
    const seen = await versions.findDeployment(version.deployment);
    if (!seen) return;
    if (mustTakeOver(seen, version.buildId, mode)) {
      await versions.makeCurrent(version, { seen });
      log.info({ buildId: version.buildId, before: seen.current }, 'this build gets the work from now on');
    } else if (seen.current === version.buildId) await this.#releaseStranded(seen);
    else if (mode === 'once') await this.#replaceDead(seen);
  }

  /**
   * A build that was current before becomes current again when the present one has no worker: an operator has rolled
   * back and stopped the other. It counts only what this process has seen itself: after a pause of all workers the
   * server's memory proves nothing.
   */
  async #replaceDead(seen: WorkerDeployment): Promise<void> {
    const { versions, version, strandedMs, log, now = () => new Date() } = this.#options;
    const { name, current } = seen;
    if (current === undefined || !seen.versions.some(({ buildId }) => buildId === version.buildId)) return;
    const lastPoll = await versions.lastPollOf({ deployment: name, buildId: current });
    if (this.#watch.silentMs(current, lastPoll, now()) < strandedMs) return;
    await versions.makeCurrent(version, { seen });
    log.warn({ buildId: version.buildId, before: current }, 'takes the work over from a build that has no worker');
  }

  async #releaseStranded({ name, versions: known }: WorkerDeployment): Promise<void> {
    const { versions, mode, log } = this.#options;
    for (const { buildId, status } of known) {
      if (status !== 'DRAINING') continue;
      const version = { deployment: name, buildId };
      if (mode !== 'at-start' && !(await this.#isStranded(version))) continue;
      const released = await versions.release(version);
      if (released > 0) log.warn({ buildId, released }, 'goes on with workflows of a build that has no worker');
    }
  }

  /**
   * Counts only what this process has seen itself: after minutes without the server, the server has not heard of the
   * other workers either.
   */
  async #isStranded(version: WorkerVersion): Promise<boolean> {
    const { versions, strandedMs, now = () => new Date() } = this.#options;
    const lastPoll = await versions.lastPollOf(version);
    return this.#watch.silentMs(version.buildId, lastPoll, now()) >= strandedMs;
  }
}

export function mustTakeOver({ current, versions }: WorkerDeployment, buildId: string, mode: VersioningMode): boolean {
  const own = versions.find((each) => each.buildId === buildId);
  // Not registered yet: a later turn does it.
  if (!own || current === buildId) return false;
  if (mode === 'once' && own.status === 'NEW') return true;
  // A build was current, and an operator has given the work to workers without a version: no running worker reverses
  // that.
  return current === undefined && versions.every(({ status }) => status === 'NEW');
}
