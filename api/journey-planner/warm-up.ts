/**
 * Computes a few boards on a snapshot before requests do, so that no traveller waits for compilation and page faults.
 * Search threads warm themselves. Caller: the follower, once per process.
 */
import type { Timetable } from '../../planner/index.ts';
import type { StopIndex } from '../../planner/model/indices.ts';

const DAY_SECONDS = 86_400;
const BOARDS = 200;
const LONGEST_MS = 300;

export function warmUp({ catalogue, boards, builtAt }: Timetable): void {
  const { count } = catalogue.quays;
  const until = performance.now() + LONGEST_MS;
  for (let at = 0; at < Math.min(BOARDS, count) && performance.now() < until; at++) {
    const stop = Math.floor((at * count) / BOARDS) as StopIndex;
    catalogue.quays.at(stop);
    boards.calls({
      stops: [stop],
      from: builtAt,
      rangeSeconds: DAY_SECONDS,
      maximumCalls: 20,
      kind: 'departures',
      maximumPerLineAndDestination: undefined,
      accepts: undefined,
    });
  }
}
