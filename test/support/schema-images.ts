/** The folder of compiled NeTEx schemas for tests: compiling one takes 5–13 s, and tests use ten. */
import { join } from 'node:path';
import { cacheDirectory } from '../../dev/setup/cache.mjs';

export const SCHEMA_IMAGES = join(cacheDirectory(), 'netex-schema-images');
