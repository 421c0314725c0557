/** Metrics of a planner process in addition to those of HTTP. Each process has one registry. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Timetable, TripPlanner, TripPlannerStats } from '../../planner/index.ts';
import { TripSearchFailure, type TripSearchFailureCode } from '../../planner/trip/trip-search-failure.ts';

export interface SnapshotInUse {
  readonly timetable: Timetable;
  readonly build: number;
  readonly sizeBytes: number;
}

const UNTRUSTED_PARTS = ['pointer', 'object'] as const;
export type UntrustedPart = (typeof UNTRUSTED_PARTS)[number];

const DAY_SECONDS = 86_400;
/** These series exist from the start, because a rate misses the first case of a series that appears with it. */
const WATCHED: readonly (TripSearchFailureCode | 'ok')[] = ['ok', 'overloaded', 'timeout', 'failed'];

export class PlannerMetrics {
  readonly #registry: Registry;
  readonly #loads: Histogram;
  readonly #failures: Counter;
  readonly #untrusted: Gauge;
  readonly #searches: Histogram;

  constructor(registry: Registry, inUse: () => SnapshotInUse | undefined) {
    const registers = [registry];
    this.#registry = registry;
    this.#loads = new Histogram({
      name: 'planner_snapshot_load_seconds',
      help: 'From a pointer that moved to the swap; its count is the number of swaps',
      buckets: [0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30, 60],
      registers,
    });
    this.#failures = new Counter({
      name: 'planner_snapshot_load_failures_total',
      help: 'Snapshots that could not be taken into use, each try',
      registers,
    });
    this.#untrusted = new Gauge({
      name: 'planner_untrusted_snapshot',
      help: 'Whether the pointer is not signed by a trusted key, or the object is not the one that was signed; 1 is an attack, damage, or a wrong PLANNER_PUBLIC_KEYS',
      labelNames: ['part'],
      registers,
    });
    for (const part of UNTRUSTED_PARTS) this.untrusted(part, false);
    this.#searches = new Histogram({
      name: 'planner_search_duration_seconds',
      help: 'One trip search, waiting for a thread included',
      labelNames: ['outcome'],
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    for (const outcome of WATCHED) this.#searches.zero({ outcome });
    gauge('planner_snapshot_age_seconds', 'Since the input of the snapshot in use was read', ({ timetable }) =>
      Math.max(0, Date.now() / 1_000 - timetable.builtAt),
    );
    gauge(
      'planner_snapshot_build',
      'Number of the build whose snapshot is in use; 0 before the first',
      ({ build }) => build,
    );
    gauge(
      'planner_timetable_left_seconds',
      'Until the last service day of the snapshot in use has ended',
      ({ timetable }) =>
        Math.max(0, (timetable.transit.firstDay + timetable.transit.dayCount) * DAY_SECONDS - Date.now() / 1_000),
    );
    gauge('planner_snapshot_bytes', 'Size of the snapshot in use', ({ sizeBytes }) => sizeBytes);
    new Gauge({
      name: 'planner_snapshot_info',
      help: '1 for the snapshot in use',
      labelNames: ['snapshot', 'build'],
      registers,
      collect() {
        this.reset();
        const found = inUse();
        if (found) this.set({ snapshot: found.timetable.snapshotId, build: String(found.build) }, 1);
      },
    });

    function gauge(name: string, help: string, read: (found: SnapshotInUse) => number): void {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          const found = inUse();
          if (found) this.set(read(found));
        },
      });
    }
  }

  watchThreads(stats: () => TripPlannerStats): void {
    const registers = [this.#registry];
    new Gauge({
      name: 'planner_search_threads',
      help: 'Threads that search, by what they do; deaths since the start',
      labelNames: ['state'],
      registers,
      collect() {
        const { threads, busy, threadDeaths } = stats();
        this.set({ state: 'busy' }, busy);
        this.set({ state: 'idle' }, threads - busy);
        this.set({ state: 'dead' }, threadDeaths);
      },
    });
    new Gauge({
      name: 'planner_searches_waiting',
      help: 'Searches that wait for a thread',
      registers,
      collect() {
        this.set(stats().waiting);
      },
    });
  }

  swapped(seconds: number): void {
    this.#loads.observe(seconds);
  }

  loadFailed(): void {
    this.#failures.inc();
  }

  untrusted(part: UntrustedPart, isUntrusted: boolean): void {
    this.#untrusted.set({ part }, isUntrusted ? 1 : 0);
  }

  /** Returns a planner that measures each search. */
  measure(planner: TripPlanner): TripPlanner {
    return {
      trip: async (request, signal, caller) => {
        const ended = this.#searches.startTimer();
        try {
          const answer = await planner.trip(request, signal, caller);
          ended({ outcome: answer.errors[0]?.code ?? 'ok' });
          return answer;
        } catch (error) {
          ended({ outcome: error instanceof TripSearchFailure ? error.code : 'failed' });
          throw error;
        }
      },
    };
  }
}
