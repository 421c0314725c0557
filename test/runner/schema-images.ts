/**
 * Compiles the NeTEx schemas that tests of several lanes use. A new machine has no images of them, and each lane would
 * compile its own for 12 s. The compiling process stores the image. Caller: main.ts.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../support/run.ts';
import { SCHEMA_IMAGES } from '../support/schema-images.ts';

/** Of the samples of tests, and of the demo region. */
const VERSIONS = ['1.13', '1.15'];

/** An outdated image counts as present: the first test that needs the schema then replaces it. */
export async function compileMissingSchemas(): Promise<void> {
  const images = existsSync(SCHEMA_IMAGES) ? readdirSync(SCHEMA_IMAGES) : [];
  const missing = VERSIONS.filter((version) => !images.some((name) => name.startsWith(`${version}-`)));
  const compile = join(import.meta.dirname, 'compile-schema.ts');
  await Promise.all(missing.map((version) => run(process.execPath, [compile, version])));
}
