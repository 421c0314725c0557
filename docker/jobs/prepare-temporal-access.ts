/**
 * `node docker/jobs/prepare-temporal-access.ts`: makes certificates and tokens for Temporal and its callers, at every
 * start, where they are missing or end within ten months. `--replace` makes all of them anew, with new authorities and
 * keys: what was given out before is refused.
 */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { parseConfig } from '../../platform/config.ts';
import { makeTemporalAccess } from './temporal-access.ts';

const PERMISSION = /^(\S+):(read|write|worker|admin)$/;

/** `api=samferd:worker,samferd:write tools=samferd:admin`. */
const callers = z.string().transform((text, context) => {
  const pairs = text.split(/\s+/).filter((pair) => pair !== '');
  const found = new Map(
    pairs.map((pair) => {
      const [name = '', permissions = ''] = pair.split('=');
      return [name, permissions.split(',')] as const;
    }),
  );
  const isUsable = [...found].every(
    ([name, list]) => /^[a-z-]+$/.test(name) && list.every((each) => PERMISSION.test(each)),
  );
  if (!isUsable || found.size < pairs.length) {
    context.addIssue({
      code: 'custom',
      message: 'must be caller=namespace:role,…, separated by spaces, each caller once',
    });
  }
  return found;
});

const shape = {
  TEMPORAL_ACCESS_DIR: z.string(),
  /** Host names of the server, separated by spaces. */
  TEMPORAL_HOSTS: z.string().transform((text) => text.split(' ')),
  TEMPORAL_CALLERS: callers,
};

try {
  const { values } = parseArgs({ options: { replace: { type: 'boolean', default: false } } });
  const config = parseConfig(shape);
  const made = await makeTemporalAccess({
    folder: config.TEMPORAL_ACCESS_DIR,
    hosts: config.TEMPORAL_HOSTS,
    callers: config.TEMPORAL_CALLERS,
    replace: values.replace,
  });
  for (const line of made) process.stdout.write(`${line}\n`);
  process.stdout.write('Certificates and tokens for Temporal are there\n');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
