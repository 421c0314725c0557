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
  readonly trains: readonly Train[];
}

export interface FareReader {
  /** In force at this moment, whichever process stored it. Cheap: it is read again only when its version has changed. */
  current(): Promise<Fares>;
}

export const FARES = interfaceKey<FareReader>('fares');

/** The train that a journey runs as: found by its dated journey, else by its journey, else by its line. */
export function trainOf(
  { trains }: Pick<Fares, 'trains'>,
  journey: { readonly datedServiceJourneyId: string; readonly serviceJourneyId: string; readonly lineId: string },
): Train | undefined {
  return (
    trains.find(({ datedServiceJourneyIds }) => datedServiceJourneyIds?.includes(journey.datedServiceJourneyId)) ??
    trains.find(({ serviceJourneyIds }) => serviceJourneyIds?.includes(journey.serviceJourneyId)) ??
    trains.find(({ lineIds }) => lineIds?.includes(journey.lineId))
  );
}
