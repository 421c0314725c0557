/**
 * What an enum shows of a value it does not have. Timetables say more than a dialect can name (trolleybuses in v2, submodes of other
 * profiles); a board must not fail for it. Called by `load-schema.ts`.
 */
import type { GraphQLEnumType } from 'graphql';
import type { Dialect } from '../resolvers/request-context.ts';

/** By enum: value of the timetable → nearest value of the older dialect. */
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
