/** Checks arguments. Null means the default. An invalid value is refused with a sentence that names the argument. */
import { GraphQLError } from 'graphql';

export type Maybe<Value> = Value | null | undefined;

export function badInput(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });
}

/** Requires a value that is not negative. */
export function amount(name: string, given: Maybe<number>, unless: number): number {
  const value = given ?? unless;
  if (!(value >= 0)) throw badInput(`${name} must not be negative.`);
  return value;
}

export function positive(name: string, given: Maybe<number>, unless: number): number {
  const value = given ?? unless;
  if (!(value > 0)) throw badInput(`${name} must be greater than 0.`);
  return value;
}

/**
 * Returns the values of a list that are not null. Undefined when the list is absent or empty, which restricts nothing.
 */
export function listed<Item>(items: Maybe<readonly Maybe<Item>[]>): readonly Item[] | undefined {
  const present = items?.filter((item): item is Item => item !== null && item !== undefined) ?? [];
  return present.length > 0 ? present : undefined;
}
