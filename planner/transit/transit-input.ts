/**
 * Input of `buildTransit`: typed arrays of indexes and times. Lists of X per Y are CSR as in model/transit.ts: `X`
 * between `XStart[y]` and `XStart[y + 1]`. `buildTransit` keeps no array, so the caller may reuse them.
 */
import type { ServiceDay } from '../model/indices.ts';

/** Bits of `journeyFlags`. */
export const WHEELCHAIR_ACCESSIBLE = 1;
export const WHEELCHAIR_INACCESSIBLE = 2;
/** The journey has boards and views, but no search rides it. */
export const NOT_SEARCHABLE = 4;

export interface TransitInput {
  readonly stopCount: number;
  /** Degrees. */
  readonly stopLatitude: Float64Array;
  readonly stopLongitude: Float64Array;

  readonly patternCount: number;
  readonly patternStopsStart: Int32Array;
  readonly patternStops: Int32Array;
  /** FOR_BOARDING, FOR_ALIGHTING of model/transit.ts, per entry of `patternStops`. */
  readonly patternStopFlags: Uint8Array;
  readonly patternLine: Int32Array;

  readonly journeyCount: number;
  readonly journeyPattern: Int32Array;
  /** Index into TRANSPORT_MODES. */
  readonly journeyMode: Uint8Array;
  /** Index into `submodeNames`; 0 is none. */
  readonly journeySubmode: Uint16Array;
  readonly submodeNames: readonly string[];
  /** Index into `zones`. */
  readonly journeyZone: Uint8Array;
  readonly zones: readonly string[];
  readonly journeyFlags: Uint8Array;
  /** Which set of `daySetDays`. */
  readonly journeyDays: Int32Array;
  /**
   * First entry of its times in `arrivals` and `departures`, with one entry per stop of its pattern. Times are seconds
   * since the start of the service day, with arrival ≤ departure ≤ next arrival. Journeys of the same times may share
   * them.
   */
  readonly journeyTimesStart: Int32Array;
  readonly arrivals: Int32Array;
  readonly departures: Int32Array;
  /** Per journey (CSR) one entry per departure, added to all its times. A journey without frequency has [0]. */
  readonly startOffsetsStart: Int32Array;
  readonly startOffsets: Int32Array;

  /** Every service day of the snapshot: `firstDay` … less than `firstDay + dayCount`. */
  readonly firstDay: ServiceDay;
  readonly dayCount: number;
  readonly daySetCount: number;
  readonly daySetDaysStart: Int32Array;
  /** Service days (not offsets), ascending. */
  readonly daySetDays: Int32Array;

  /** Footpaths per stop, nearest first (equal lengths by stop), none to itself, at most one between two stops. */
  readonly transfersStart: Int32Array;
  readonly transferTo: Int32Array;
  readonly transferMetres: Int32Array;
  readonly transferMinimumSeconds: Int32Array;
  readonly transferWheelchairSeconds: Int32Array;
  readonly stopMinimumSeconds: Int32Array;
  readonly stopWheelchairSeconds: Int32Array;

  /** In any order. Journeys and positions must be valid. `interchangeIndex` is the catalogue's. */
  readonly interchangeCount: number;
  readonly interchangeFromJourney: Int32Array;
  readonly interchangeFromPosition: Int32Array;
  readonly interchangeToJourney: Int32Array;
  readonly interchangeToPosition: Int32Array;
  /** STAY_SEATED, GUARANTEED, NOT_ALLOWED of model/transit.ts. */
  readonly interchangeFlags: Uint8Array;
  readonly interchangeIndex: Int32Array;
}

export interface TransitCounts {
  readonly routes: number;
  readonly trips: number;
  readonly calls: number;
  readonly footpaths: number;
  readonly interchanges: number;
}
