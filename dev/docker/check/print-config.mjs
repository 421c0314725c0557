/**
 * Loaded before an entry of the service (`node --import`). Instead of starting, the process prints how its very own
 * schema reads its environment. So the check asks the code itself which variables it knows. Never runs anything of the
 * entry behind its configuration.
 */
import { registerHooks } from 'node:module';

const TELL = `
export function parseConfig(shape, environment = process.env) {
  const known = Object.entries(shape).map(([name, schema]) => ({ name, required: !schema.safeParse(undefined).success }));
  let fault = null;
  try { parseReally(shape, environment); } catch (error) { fault = error.message; }
  process.stdout.write('\\n' + JSON.stringify({ known, fault }) + '\\n');
  process.exit(0);
}
`;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/platform/config.ts')) return loaded;
    const source = String(loaded.source).replace('export function parseConfig', 'function parseReally');
    return { ...loaded, source: source + TELL };
  },
});
