/** The handlers of one reader of the model. Several readers may subscribe to the same name. */
import type { ElementHandler } from '../rules/check.ts';

/** By element name; a name may be in several groups. */
export interface Handlers {
  readonly start: Readonly<Record<string, ElementHandler>>;
  readonly end: Readonly<Record<string, ElementHandler>>;
}
