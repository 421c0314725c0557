/** A search as a caller states it, after its shape was checked. Types. */
import type { JourneyOfLeg } from '../shared/timetable.ts';

export interface GivenTraveller {
  readonly id: string;
  readonly age?: number | undefined;
  readonly userType?: string | undefined;
  readonly customerNumber?: string | undefined;
  readonly entitlementIds?: readonly string[] | undefined;
  readonly productIds?: readonly string[] | undefined;
}

/** A leg as the journey planner answers it. Legs on foot have no journey. */
export interface GivenLeg {
  readonly mode: string;
  readonly fromStopPlaceId?: string | undefined;
  readonly toStopPlaceId?: string | undefined;
  readonly expectedStartTime: Date;
  readonly expectedEndTime: Date;
  readonly lineId?: string | undefined;
  readonly serviceJourneyId?: string | undefined;
  readonly datedServiceJourneyId?: string | undefined;
}

/** A leg that is a ride, with its JSON pointer in the request. */
export type LegRequest = JourneyOfLeg & { readonly leg: GivenLeg; readonly pointer: string };

export type GivenTravel =
  | { readonly kind: 'TRIP_PATTERN'; readonly legs: readonly GivenLeg[] }
  /** `travelDate`: a day, or an instant. */
  | { readonly kind: 'STOP_PLACES'; readonly from: string; readonly to: string; readonly travelDate: string }
  | { readonly kind: 'ZONES'; readonly zones: readonly string[]; readonly travelDate: string }
  | { readonly kind: 'AUTHORITY'; readonly authority: string; readonly travelDate: string };

export interface GivenSearch {
  readonly travellers: readonly GivenTraveller[];
  readonly travel: GivenTravel;
}
