/**
 * Replaces timetable values that an enum lacks. Timetables have more values than a dialect (trolleybuses in v2,
 * submodes of other profiles), and a board must not fail because of them. Caller: `load-schema.ts`.
 */
import type { GraphQLEnumType } from 'graphql';
import type { Dialect } from '../resolvers/request-context.ts';

/** By enum: the timetable's value → the nearest value of the older dialect. */
const NEAREST_V2: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  TransportMode: { trolleybus: 'bus', monorail: 'metro' },
  Mode: { trolleybus: 'bus', monorail: 'metro', taxi: 'car', unknown: 'transit' },
};

const UNKNOWN: Readonly<Record<string, string>> = {
  BookingMethod: 'other',
  FlexibleLineType: 'other',
  Mode: 'bus',
  PurchaseWhen: 'other',
  TransportMode: 'unknown',
  TransportSubmode: 'unknown',
};

export function setEnumValues(type: GraphQLEnumType, dialect: Dialect): void {
  const unknown = UNKNOWN[type.name];
  if (unknown === undefined) return;
  const known = new Set(type.getValues().map(({ name }) => name));
  const nearest = dialect === 'v2' ? NEAREST_V2[type.name] : undefined;
  type.serialize = (value) => {
    const text = String(value);
    if (known.has(text)) return text;
    const shown = nearest?.[text] ?? unknown;
    return known.has(shown) ? shown : null;
  };
}
