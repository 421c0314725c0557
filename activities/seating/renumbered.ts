/** Sold stretches in the calls of a run as they are now. Pure. */
import { isKnown, type SeatedRun } from './seated-runs.ts';
import type { CarriageDocument, TakenStretch } from './seating-model.ts';

export function isCurrent({ callsHash }: CarriageDocument, run: SeatedRun): boolean {
  return !isKnown(run) || callsHash === run.callsHash;
}

/**
 * Between the same stops. Where the run has a stop no more, the seat is taken from its first call, or to its last one:
 * rather unsold than sold twice.
 */
export function renumbered(carriage: CarriageDocument, run: SeatedRun): readonly TakenStretch[] {
  if (isCurrent(carriage, run)) return carriage.stretches;
  const last = run.stops.length - 1;
  return carriage.stretches.map((stretch) => {
    const from = closest(run.stops, stretch.fromStop, stretch.from) ?? 0;
    const to = closest(run.stops, stretch.toStop, stretch.to) ?? last;
    return from < to ? { ...stretch, from, to } : { ...stretch, from: 0, to: last };
  });
}

/** A run may call somewhere more than once. */
function closest(stops: readonly string[], stop: string, position: number): number | undefined {
  const found = stops.flatMap((each, at) => (each === stop ? [at] : []));
  return found.toSorted((one, other) => Math.abs(one - position) - Math.abs(other - position))[0];
}
