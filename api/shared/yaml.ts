/** The library for YAML, loaded when a text is first read or written: most processes never do either. */
import { createRequire } from 'node:module';

export function yaml(): typeof import('yaml') {
  return createRequire(import.meta.url)('yaml');
}
