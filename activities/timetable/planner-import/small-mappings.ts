/** Values of NeTEx that several mappings translate to the planner's. Callers: the mappings of this folder. */
import type { BookingEntity, WheelchairAccess } from '../../../netex/entities/entity-types.ts';
import type {
  Accessibility,
  BookingArrangement,
  Direction,
  ServiceAlteration,
} from '../../../planner/model/entities.ts';

const DIRECTIONS: ReadonlySet<string> = new Set<Direction>(['inbound', 'outbound', 'clockwise', 'anticlockwise']);
const ALTERATIONS: ReadonlySet<string> = new Set<ServiceAlteration>([
  'planned',
  'cancellation',
  'extraJourney',
  'replaced',
]);

/** `partial` promises nothing to a traveller who needs all of it. Undefined when the data is silent. */
export function toAccessibility(access: WheelchairAccess): Accessibility | undefined {
  if (access === undefined) return undefined;
  return access === 'true' ? 'possible' : access === 'false' ? 'notPossible' : 'noInformation';
}

export function toDirection(...directionTypes: readonly (string | undefined)[]): Direction | undefined {
  return directionTypes.find((type) => type !== undefined && DIRECTIONS.has(type)) as Direction | undefined;
}

export function toAlteration(text: string | undefined): ServiceAlteration | undefined {
  return text !== undefined && ALTERATIONS.has(text) ? (text as ServiceAlteration) : undefined;
}

/** Times of day may carry fractions and a zone. */
export function toBooking(booking: BookingEntity | undefined): BookingArrangement | undefined {
  return booking && { ...booking, latestBookingTime: booking.latestBookingTime?.slice(0, 8) };
}

const COLOUR = /^#?([0-9a-fA-F]{6})$/;

export function toColour(text: string | undefined): string | undefined {
  return text === undefined ? undefined : COLOUR.exec(text)?.[1]?.toUpperCase();
}
