/** Checks the positions of requests. A position that is not on earth is refused under the argument's name. */
import type { GraphQLError } from 'graphql';
import { badInput } from './user-input.ts';

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** `within` is the path of the containing argument, such as `from.coordinates`. */
export function checkPosition({ latitude, longitude }: Position, within?: string): void {
  const prefix = within === undefined ? '' : `${within}.`;
  checkLatitude(`${prefix}latitude`, latitude);
  checkLongitude(`${prefix}longitude`, longitude);
}

export function checkLatitude(name: string, degrees: number): void {
  if (!(Math.abs(degrees) <= 90)) throw outOfRange(name, 90);
}

export function checkLongitude(name: string, degrees: number): void {
  if (!(Math.abs(degrees) <= 180)) throw outOfRange(name, 180);
}

function outOfRange(name: string, limit: number): GraphQLError {
  return badInput(`${name} must be from -${limit} to ${limit}.`);
}
