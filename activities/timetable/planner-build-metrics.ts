/** Metrics of the snapshots that the planner worker builds. */
import { Gauge, type Registry } from 'prom-client';
import type { PlannerStatus } from './planner-sweep.ts';

export class PlannerBuildMetrics {
  readonly #leftOut: Gauge;
  readonly #published: Gauge;
  readonly #now: () => number;
  #behindSince: number | undefined;

  constructor(registry: Registry, now: () => number = Date.now) {
    const registers = [registry];
    this.#now = now;
    this.#leftOut = new Gauge({
      name: 'planner_left_out_versions',
      help: 'Published versions that the snapshot in use leaves out because they cannot be read',
      registers,
    });
    this.#published = new Gauge({
      name: 'planner_published_build',
      help: 'Number of the build whose snapshot planner processes are to use; 0 before the first',
      registers,
    });
    const behind = () => (this.#behindSince === undefined ? 0 : (now() - this.#behindSince) / 1_000);
    new Gauge({
      name: 'planner_build_behind_seconds',
      help: 'How long this process has seen that the newest snapshot is not of what is published; 0 when it is',
      registers,
      collect() {
        this.set(behind());
      },
    });
  }

  show({ leftOut, publishedBuild, isCurrent }: PlannerStatus): void {
    this.#leftOut.set(leftOut);
    this.#published.set(publishedBuild);
    this.#behindSince = isCurrent ? undefined : (this.#behindSince ?? this.#now());
  }
}
