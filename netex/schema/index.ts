/** Validation of NeTEx files against their XSD, constraints included. See package.md. */

export { schemaMemoryBytes } from './compiled-schemas.ts';
export { SchemaMemoryError } from './libxml2.ts';
export type { SchemaDefect, SchemaOutcome } from './schema-outcome.ts';
export { LISTED_DEFECTS } from './schema-outcome.ts';
export { SchemaSet, type SchemaSetOptions } from './schema-set.ts';
