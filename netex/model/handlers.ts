/** What one reader of the model wants to hear of a file. Several readers may ask for the same name. */
import type { ElementHandler } from '../rules/check.ts';

/** By element name; a name may be in several groups. */
export interface Handlers {
  readonly start: Readonly<Record<string, ElementHandler>>;
  readonly end: Readonly<Record<string, ElementHandler>>;
}
