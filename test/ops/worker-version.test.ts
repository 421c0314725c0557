/** Tests `npm run worker-version -- current`: which build is the default, and which builds it refuses. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeCurrent, UNVERSIONED } from '../../ops/worker-version/change-current.ts';
import { ownBuild } from '../../ops/worker-version/own-build.ts';
import type { KnownVersion, WorkerDeployment, WorkerVersion } from '../../platform/temporal/worker-versions.ts';
import { loadWorkflowBundle } from '../../workers/shared/bundle.ts';
import { temporaryDirectory } from '../support/folders.ts';

const OLD = 'old';
const SOME_TIME = new Date('2026-11-22T12:00:00Z');

describe('npm run worker-version -- current', () => {
  describe('without a build', () => {
    const folder = temporaryDirectory('own-build');
    const plain = join(folder, 'workflow-bundle.js');
    const traced = join(folder, 'workflow-bundle.traced.js');
    before(() => {
      writeFileSync(plain, 'plain;base64,');
      writeFileSync(traced, 'traced;base64,');
    });

    it('uses the bundle that a worker with the same variables loads', async () => {
      const { checksum } = await loadWorkflowBundle(plain);
      const env = { WORKFLOW_BUNDLE: plain, OTEL_EXPORTER_OTLP_ENDPOINT: '' };
      assert.deepEqual(await ownBuild(env), { path: plain, buildId: checksum });
    });

    it('uses the traced bundle where workers trace', async () => {
      const { checksum } = await loadWorkflowBundle(traced);
      const env = { WORKFLOW_BUNDLE: plain, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
      assert.deepEqual(await ownBuild(env), { path: traced, buildId: checksum });
    });
  });

  const role = (name: string, current: string, ...others: string[]): WorkerDeployment => {
    const versions = [current, ...others].map((buildId): KnownVersion => ({ buildId, status: 'DRAINED' }));
    return { name, current, versions, conflictToken: undefined };
  };
  const ROLES = [role('sales', 'new', OLD), role('timetable', 'new', OLD), role('planner', OLD)];

  async function change({
    buildId = OLD,
    living,
    force = false,
  }: {
    buildId?: string;
    living: string[];
    force?: boolean;
  }) {
    const [changed, lines]: [string[], string[]] = [[], []];
    const versions = {
      lastPollOf: async ({ deployment }: WorkerVersion) => (living.includes(deployment) ? SOME_TIME : undefined),
      makeCurrent: async ({ deployment }: WorkerVersion) => void changed.push(deployment),
    };
    const refused = await changeCurrent(versions, ROLES, { buildId, force, say: (line) => lines.push(line) }).then(
      () => undefined,
      (error: Error) => error.message,
    );
    return { changed, lines, refused };
  }

  it('makes a build current in every role whose workers poll with it', async () => {
    const { changed, lines } = await change({ living: ['sales', 'timetable'] });
    assert.deepEqual(changed, ['sales', 'timetable']);
    assert.deepEqual(lines, ['sales: old gets the work', 'timetable: old gets the work']);
  });

  it('changes no role when one has no worker of the build, and names it', async () => {
    const { changed, refused } = await change({ living: ['sales'] });
    assert.deepEqual(changed, []);
    assert.match(refused ?? '', /^No worker of build old has polled lately: timetable\. /);
  });

  it('changes roles without a live worker when forced', async () => {
    assert.deepEqual((await change({ living: [], force: true })).changed, ['sales', 'timetable']);
  });

  it('refuses a build that was never seen, forced or not', async () => {
    const { refused } = await change({ buildId: 'unknown', living: [], force: true });
    assert.equal(refused, 'No worker of build unknown has been seen');
  });

  it('needs no live worker when workers without a version become current', async () => {
    assert.deepEqual((await change({ buildId: UNVERSIONED, living: [] })).changed, ['sales', 'timetable', 'planner']);
  });
});
