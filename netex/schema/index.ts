/** Validation of NeTEx files against their XSD, constraints included. See package.md. */
export type { SchemaDefect, SchemaOutcome } from './schema-outcome.ts';
export { LISTED_DEFECTS } from './schema-outcome.ts';
export { SchemaSet } from './schema-set.ts';
