/**
 * Which build of a worker role gets the work, as the role's own workers see to it: a new build takes over from the one before, and
 * what a dead build has left goes on with the living one. Caller: worker-process.ts, at its start and every few seconds, in every
 * process of the role; two at once do the work of one. Never ends a worker: who runs the processes stops the old ones.
 */
import type { Logger } from '../log.ts';
import { PollWatch } from './poll-watch.ts';
import type { WorkerDeployment, WorkerVersion, WorkerVersions } from './worker-versions.ts';

/**
 * `off`: builds are named, and whichever runs takes every task. `by-command`: `npm run worker-version` says which is current, but for
 * the very first. `once`: a build takes over when it is first seen, and by itself again only when the current one has no worker left;
 * so neither an old worker that starts again nor one of a build that was taken back turns the clock. `at-start`: whichever starts takes over, and all others are gone:
 * for one machine.
 */
export const VERSIONING_MODES = ['off', 'by-command', 'once', 'at-start'] as const;
export type VersioningMode = (typeof VERSIONING_MODES)[number];

export interface TakeOverOptions {
  readonly versions: Pick<WorkerVersions, 'findDeployment' | 'makeCurrent' | 'lastAsked' | 'release'>;
  readonly version: WorkerVersion;
  readonly mode: VersioningMode;
  /** How long nobody of a build must have asked for work before another takes over what it has, or its place. */
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
   * A build that has been current gets the work again where nobody runs the one that is: whoever has gone back to it has stopped the
   * other. Only by what this process has seen itself: a pause of all workers is no sign of what they are when they start again.
   */
  async #replaceDead(seen: WorkerDeployment): Promise<void> {
    const { versions, version, strandedMs, log, now = () => new Date() } = this.#options;
    const { name, current } = seen;
    if (current === undefined || !seen.versions.some(({ buildId }) => buildId === version.buildId)) return;
    const asked = await versions.lastAsked({ deployment: name, buildId: current });
    if (this.#watch.silentMs(current, asked, now()) < strandedMs) return;
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

  /** Only by what this process has seen itself: who could not reach the server for minutes finds there how little it heard of all others. */
  async #isStranded(version: WorkerVersion): Promise<boolean> {
    const { versions, strandedMs, now = () => new Date() } = this.#options;
    const asked = await versions.lastAsked(version);
    return this.#watch.silentMs(version.buildId, asked, now()) >= strandedMs;
  }
}

export function mustTakeOver({ current, versions }: WorkerDeployment, buildId: string, mode: VersioningMode): boolean {
  const own = versions.find((each) => each.buildId === buildId);
  // Not seen yet: at a later turn.
  if (!own || current === buildId) return false;
  if (mode === 'once' && own.status === 'NEW') return true;
  // Where a build has been current, somebody has given the work to workers without a version, and no running worker takes it back.
  return current === undefined && versions.every(({ status }) => status === 'NEW');
}
