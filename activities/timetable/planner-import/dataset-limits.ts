/**
 * Limits of one dataset in a snapshot. A dataset far larger than a whole country's is a mistake or an attack, and would
 * delay the snapshot for all. Refusing it affects only its own codespace. Caller: the import of datasets.
 */
import type { TimetableBuilder } from '../../../planner/build/input.ts';

export interface DatasetLimits {
  readonly journeyPatterns: number;
  /** Sum over all patterns. */
  readonly patternStops: number;
  /** Stops that the register lacks and that were not counted before. */
  readonly quays: number;
  readonly serviceJourneys: number;
  /** A frequency journey counts only the calls of one departure. */
  readonly calls: number;
}

/**
 * The country that the planner is made for has 60,000 quays and 2 million calls a day. A calendar with a journey per
 * day multiplies them.
 */
export const DEFAULT_DATASET_LIMITS: DatasetLimits = {
  journeyPatterns: 100_000,
  patternStops: 3_000_000,
  quays: 60_000,
  serviceJourneys: 2_000_000,
  calls: 50_000_000,
};

const WHAT: Readonly<Record<keyof DatasetLimits, string>> = {
  journeyPatterns: 'journey patterns',
  patternStops: 'stops in journey patterns',
  quays: 'quays of its own',
  serviceJourneys: 'service journeys',
  calls: 'calls of service journeys',
};

export class DatasetTooLargeError extends Error {
  constructor(kind: keyof DatasetLimits, limit: number) {
    super(`It has more than ${limit} ${WHAT[kind]}`);
    this.name = 'DatasetTooLargeError';
  }
}

/** Throws DatasetTooLargeError. */
export function requireWithin(limits: DatasetLimits, kind: keyof DatasetLimits, count: number): void {
  if (count > limits[kind]) throw new DatasetTooLargeError(kind, limits[kind]);
}

/** The same builder for one dataset, without its stops; throws DatasetTooLargeError when a limit is exceeded. */
export function limitDataset(builder: TimetableBuilder, limits: DatasetLimits): TimetableBuilder {
  const counts = { journeyPatterns: 0, patternStops: 0, serviceJourneys: 0, calls: 0 };
  const count = (kind: keyof typeof counts, number = 1): void => {
    counts[kind] += number;
    requireWithin(limits, kind, counts[kind]);
  };
  return {
    ...builder,
    addJourneyPattern(pattern) {
      count('journeyPatterns');
      count('patternStops', pattern.stops.length);
      builder.addJourneyPattern(pattern);
    },
    addServiceJourney(journey) {
      count('serviceJourneys');
      count('calls', journey.arrivals.length);
      builder.addServiceJourney(journey);
    },
  };
}
