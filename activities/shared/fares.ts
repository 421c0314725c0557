/**
 * Fares, seat plans and the rules of change and refund, as areas of sales read them from the catalogue in force.
 * Provided by the catalogue area. Types, and the key of the interface.
 */
import { interfaceKey } from '../../platform/interfaces.ts';
import type {
  ChangeRuleSet,
  Entitlement,
  FarePrice,
  FareProduct,
  RefundRuleSet,
  UserType,
} from '../../workflows/shared/fares.ts';
import type { SeatPlan, Train } from '../../workflows/shared/seats.ts';

/** One version of the catalogue. Never changes, so it may be kept as long as it is needed. */
export interface Fares {
  readonly catalogueVersion: number;
  /** IANA name: rules that count days count them there. */
  readonly timeZone: string;
  readonly userTypes: readonly UserType[];
  readonly entitlements: readonly Entitlement[];
  readonly products: ReadonlyMap<string, FareProduct>;
  /** By product. */
  readonly prices: ReadonlyMap<string, readonly FarePrice[]>;
  readonly refundRuleSets: ReadonlyMap<string, RefundRuleSet>;
  readonly changeRuleSets: ReadonlyMap<string, ChangeRuleSet>;
  readonly seatPlans: ReadonlyMap<string, SeatPlan>;
  readonly trains: TrainIndex;
}

export interface FareReader {
  /** In force at this moment, whichever process stored it. Cheap: it is read again only when its version has changed. */
  current(): Promise<Fares>;
  /** The same for a request whose channel was checked by the catalogue just before: without a further read. */
  lately(): Promise<Fares>;
}

export const FARES = interfaceKey<FareReader>('fares');

/** Trains by what they name: a search asks for each leg of each trip. */
export interface TrainIndex {
  readonly byDatedJourney: ReadonlyMap<string, Train>;
  readonly byServiceJourney: ReadonlyMap<string, Train>;
  readonly byLine: ReadonlyMap<string, Train>;
}

/** The train that a journey runs as: found by its dated journey, else by its journey, else by its line. */
export function trainOf(
  { trains }: Pick<Fares, 'trains'>,
  journey: { readonly datedServiceJourneyId: string; readonly serviceJourneyId: string; readonly lineId: string },
): Train | undefined {
  return (
    trains.byDatedJourney.get(journey.datedServiceJourneyId) ??
    trains.byServiceJourney.get(journey.serviceJourneyId) ??
    trains.byLine.get(journey.lineId)
  );
}

const INDEXES = new WeakMap<readonly Train[], TrainIndex>();

/** Made once for each list, which never changes. */
export function indexTrains(trains: readonly Train[]): TrainIndex {
  const index = INDEXES.get(trains) ?? makeIndex(trains);
  INDEXES.set(trains, index);
  return index;
}

function makeIndex(trains: readonly Train[]): TrainIndex {
  return {
    byDatedJourney: byEach(trains, ({ datedServiceJourneyIds }) => datedServiceJourneyIds),
    byServiceJourney: byEach(trains, ({ serviceJourneyIds }) => serviceJourneyIds),
    byLine: byEach(trains, ({ lineIds }) => lineIds),
  };
}

function byEach(
  trains: readonly Train[],
  idsOf: (train: Train) => readonly string[] | undefined,
): ReadonlyMap<string, Train> {
  const index = new Map<string, Train>();
  for (const train of trains) {
    for (const id of idsOf(train) ?? []) index.set(id, train);
  }
  return index;
}
