/**
 * The gate before any figure: no pattern of the rival may be better than one of ours. Better means leaves no earlier,
 * arrives no later, has no more rides, and differs; a minute is allowed for each pattern with a walk, whose length
 * both reckon in their own way. Patterns of the rival with a single walk over 30 minutes are left out, and those that
 * walk only.
 */
export interface ComparedPattern {
  /** Seconds since 1970 UTC. */
  readonly departure: number;
  readonly arrival: number;
  readonly rides: number;
  readonly walks: boolean;
  readonly longestWalkSeconds: number;
}

export interface Exception {
  readonly pair: string;
  /** `dominated`: one of ours is worse than the rival's. `missing`: nothing of ours is as good as this one of the rival. */
  readonly kind: 'dominated' | 'missing';
  readonly rival: ComparedPattern;
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
  readonly legs: readonly AnsweredLeg[];
}

export function patternsOf(data: unknown): ComparedPattern[] {
  const patterns = (data as { trip?: { tripPatterns?: AnsweredPattern[] } } | undefined)?.trip?.tripPatterns ?? [];
  return patterns.map(({ aimedStartTime, aimedEndTime, legs }) => {
    const walks = legs.filter(({ mode }) => mode === 'foot').map(({ duration }) => duration);
    return {
      departure: Date.parse(aimedStartTime) / 1000,
      arrival: Date.parse(aimedEndTime) / 1000,
      rides: legs.length - walks.length,
      walks: walks.length > 0,
      longestWalkSeconds: Math.max(0, ...walks),
    };
  });
}

function isAsGood(a: ComparedPattern, b: ComparedPattern, toleranceSeconds: number): boolean {
  return (
    a.departure >= b.departure - toleranceSeconds && a.arrival <= b.arrival + toleranceSeconds && a.rides <= b.rides
  );
}

function isBetter(rival: ComparedPattern, ours: ComparedPattern): boolean {
  const tolerance = rival.walks || ours.walks ? TOLERANCE_SECONDS : 0;
  const differs =
    rival.departure > ours.departure + tolerance ||
    rival.arrival < ours.arrival - tolerance ||
    rival.rides < ours.rides;
  return isAsGood(rival, ours, 0) && differs;
}

export function compareAnswers(
  pair: string,
  ours: readonly ComparedPattern[],
  rival: readonly ComparedPattern[],
): Exception[] {
  const counted = rival.filter(
    ({ rides, longestWalkSeconds }) => rides > 0 && longestWalkSeconds <= LONGEST_WALK_SECONDS,
  );
  const rides = ours.filter((pattern) => pattern.rides > 0);
  const dominated = rides.flatMap((pattern) => {
    const better = counted.find((other) => isBetter(other, pattern));
    return better === undefined ? [] : [{ pair, kind: 'dominated' as const, rival: better, ours: pattern }];
  });
  const missing = counted
    .filter((pattern) => !ours.some((own) => isAsGood(own, pattern, TOLERANCE_SECONDS)))
    .map((pattern) => ({ pair, kind: 'missing' as const, rival: pattern, ours: undefined }));
  return [...dominated, ...missing];
}
