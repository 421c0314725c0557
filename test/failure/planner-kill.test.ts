/** The short twin of the planner's kill matrix: its worker dies once, in the middle of a build of the demo region. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Codespace } from '../../workflows/shared/ids.ts';
import { useDemoData } from '../support/demo-dataset.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { Pipeline, type StartedWorker } from '../support/pipeline.ts';
import { PlannerKillRuns, SOUND } from './planner-kill-runs.ts';

describe('a planner build whose worker is killed', () => {
  const folder = join(temporaryDirectory('planner-kill'), 'tmp');
  let pipeline: Pipeline;
  let worker: StartedWorker;
  let runs: PlannerKillRuns<'plannerBuildWorker'>;

  const start = async () => {
    worker = await pipeline.startWorker('plannerBuildWorker', { TMPDIR: folder });
  };

  before(async () => {
    mkdirSync(folder, { recursive: true });
    pipeline = await Pipeline.open({ PLANNER_QUIET_MS: '10' });
    const { servers, secrets } = pipeline.setting;
    runs = await PlannerKillRuns.open({
      mongoUri: String(servers.MONGODB_URI),
      objectStore: servers as never,
      temporalAddress: String(servers.TEMPORAL_ADDRESS),
      payloadKeys: secrets.payloadKeys,
      plannerSigningKeys: secrets.plannerSigningKeys,
      kill: async () => {
        await worker.kill();
        assert.equal(leftBehind().length, 1, 'it dies in the middle');
      },
      restart: start,
    });
    const demo = await useDemoData();
    await runs.publish('nsr' as Codespace, readFileSync(demo.stopRegister));
    await runs.publish('dem' as Codespace, readFileSync(demo.timetable));
    await start();
  });
  after(async () => {
    await runs?.close();
    await pipeline?.close();
  });

  const leftBehind = () => readdirSync(folder).filter((name) => name.startsWith('samferd-planner-build-'));

  it('publishes the snapshot of an undisturbed build, once, and leaves no file on the disk', async () => {
    assert.deepEqual(await runs.run('MAPPING', ['plannerBuildWorker']), SOUND);
    assert.deepEqual(leftBehind(), []);
  });
});
