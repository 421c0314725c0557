/**
 * Checks parity before any figure, on both sides. No pattern of the rival may be better than one of ours. Better means
 * that it leaves no earlier, arrives no later, has no more rides, and differs. And for each pattern of the rival one of
 * ours must be as good: an answer that lacks it is worse, even if all that it has is right. Each pattern with a walk has
 * a tolerance of a minute, because each planner computes its length differently. The check skips rival patterns with a
 * single walk over 30 minutes, and those that only walk.
 */
export interface ComparedPattern {
  /** Seconds since 1970 UTC. */
  readonly departure: number;
  readonly arrival: number;
  readonly rides: number;
  /** Cost as its own planner computes it. */
  readonly cost: number;
  readonly walks: boolean;
  readonly longestWalkSeconds: number;
}

export interface Exception {
  readonly pair: string;
  /**
   * `missing`: none of our patterns is as good as this one of the rival's. `dominated`: one of our patterns is worse than the rival's. `afterWindow`: the same, but the rival's pattern leaves
   * after our searched window, where our next page begins. `cheaper`: the same, but another of our patterns is as good
   * as the rival's. Ours is then in the answer for its cost, which each planner computes differently.
   */
  readonly kind: 'missing' | 'dominated' | 'afterWindow' | 'cheaper';
  readonly rival: ComparedPattern;
  /** Undefined for a missing one. */
  readonly ours: ComparedPattern | undefined;
}

const TOLERANCE_SECONDS = 60;
const LONGEST_WALK_SECONDS = 1800;

interface AnsweredLeg {
  readonly mode: string;
  readonly duration: number;
}

interface AnsweredPattern {
  readonly aimedStartTime: string;
  readonly aimedEndTime: string;
  readonly generalizedCost: number;
  readonly legs: readonly AnsweredLeg[];
}

interface AnsweredTrip {
  readonly metadata?: { readonly searchWindowUsed: number };
  readonly tripPatterns?: readonly AnsweredPattern[];
}

function tripOf(data: unknown): AnsweredTrip {
  return (data as { trip?: AnsweredTrip } | undefined)?.trip ?? {};
}

/** Seconds since 1970 UTC; the schema gives the window in minutes. */
export function windowEndOf(data: unknown, dateTime: string): number {
  return Date.parse(dateTime) / 1000 + (tripOf(data).metadata?.searchWindowUsed ?? 0) * 60;
}

export function patternsOf(data: unknown): ComparedPattern[] {
  return (tripOf(data).tripPatterns ?? []).map(({ aimedStartTime, aimedEndTime, generalizedCost, legs }) => {
    const walks = legs.filter(({ mode }) => mode === 'foot').map(({ duration }) => duration);
    return {
      departure: Date.parse(aimedStartTime) / 1000,
      arrival: Date.parse(aimedEndTime) / 1000,
      rides: legs.length - walks.length,
      cost: generalizedCost,
      walks: walks.length > 0,
      longestWalkSeconds: Math.max(0, ...walks),
    };
  });
}

const toleranceOf = (one: ComparedPattern, other: ComparedPattern): number =>
  one.walks || other.walks ? TOLERANCE_SECONDS : 0;

function isAsGood(ours: ComparedPattern, rival: ComparedPattern): boolean {
  const tolerance = toleranceOf(rival, ours);
  const isInTime = ours.departure >= rival.departure - tolerance && ours.arrival <= rival.arrival + tolerance;
  return isInTime && ours.rides <= rival.rides;
}

function isBetter(rival: ComparedPattern, ours: ComparedPattern): boolean {
  const tolerance = toleranceOf(rival, ours);
  const differs =
    rival.departure > ours.departure + tolerance ||
    rival.arrival < ours.arrival - tolerance ||
    rival.rides < ours.rides;
  const isNoWorse = rival.departure >= ours.departure && rival.arrival <= ours.arrival && rival.rides <= ours.rides;
  return isNoWorse && differs;
}

export interface Compared {
  readonly ours: readonly ComparedPattern[];
  readonly rival: readonly ComparedPattern[];
  /** End of our search window, seconds since 1970 UTC. */
  readonly windowEnd: number;
  /** Number of patterns asked for. */
  readonly asked: number;
}

/** A full answer ends with its last arrival: what arrives later, or leaves after the window, is on our next page. */
function isJudged({ departure, arrival }: ComparedPattern, { ours, windowEnd, asked }: Compared): boolean {
  const lastArrival = Math.max(...ours.map((one) => one.arrival));
  return departure < windowEnd && (ours.length < asked || arrival <= lastArrival - TOLERANCE_SECONDS);
}

export function compareAnswers(pair: string, compared: Compared): Exception[] {
  const { ours, rival, windowEnd } = compared;
  const counted = rival.filter(
    ({ rides, longestWalkSeconds }) => rides > 0 && longestWalkSeconds <= LONGEST_WALK_SECONDS,
  );
  const missing = counted
    .filter((pattern) => isJudged(pattern, compared) && !ours.some((other) => isAsGood(other, pattern)))
    .map((pattern): Exception => ({ pair, kind: 'missing', rival: pattern, ours: undefined }));
  const worse = ours
    .filter(({ rides }) => rides > 0)
    .flatMap((pattern): Exception[] => {
      const better = counted.filter((other) => isBetter(other, pattern));
      const worst = better.find(({ departure }) => departure < windowEnd) ?? better[0];
      if (worst === undefined) return [];
      const isCheaper = better.every((one) => ours.some((other) => pattern.cost < other.cost && isAsGood(other, one)));
      const kind = worst.departure >= windowEnd ? 'afterWindow' : isCheaper ? 'cheaper' : 'dominated';
      return [{ pair, kind, rival: worst, ours: pattern }];
    });
  return [...missing, ...worse];
}
