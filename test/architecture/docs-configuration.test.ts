/** The configuration reference names every variable that a worker role, an area of the API or the payment page reads. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AREAS } from '../../activities/areas.ts';
import { pagesShape } from '../../api/payment-page/pages-config.ts';
import type { AreaComposition } from '../../api/shared/area-composition.ts';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { rolesOf } from '../../platform/area.ts';

describe('The configuration reference', () => {
  it('names every variable of roles and areas', async () => {
    const text = readFileSync(join(projectRoot, 'docs/configuration.md'), 'utf8');
    const ofRoles = rolesOf(AREAS).flatMap(({ config }) => Object.keys(config));
    const composed = globSync('api/*/compose.ts', { cwd: projectRoot }).map(async (path) => {
      const { composition } = (await import(join(projectRoot, path))) as { composition?: AreaComposition };
      return Object.keys(composition?.config ?? {});
    });
    const read = new Set([...ofRoles, ...(await Promise.all(composed)).flat(), ...Object.keys(pagesShape)]);
    assert.ok(read.has('PAYMENT_PROVIDERS') && read.has('WRONG_LINKS_PER_MINUTE') && read.size > 20);
    const missing = [...read].filter((name) => !text.includes(`\`${name}\``));
    assert.deepEqual(missing, [], 'add these variables to docs/configuration.md');
  });
});
