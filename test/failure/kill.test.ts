/** The short twin of kill-matrix.ts: kills each part once, each in another step of an import of a few lines. */
import assert from 'node:assert/strict';
import { useFewLines } from '../support/few-lines.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { Service } from '../support/service.ts';
import { type KillCase, KillRuns, type Outcome } from './kill-runs.ts';

const CASES: readonly KillCase[] = [
  { step: 'FILE_TRANSFER', victims: ['api'] },
  { step: 'FILE_CLASSIFICATION', victims: ['minio'] },
  { step: 'VALIDATION', victims: ['timetableWorker', 'timetableValidationWorker'] },
  { step: 'VALIDATION', victims: ['temporal'] },
  { step: 'PUBLICATION', victims: ['mongod'] },
  { step: 'PRIVATE_EXPORT', victims: ['timetableValidationWorker'] },
  { step: 'PRIVATE_EXPORT', victims: ['minio', 'timetableWorker'] },
];

describe('an import while a part is killed', function () {
  // A busy machine takes this long.
  this.timeout(480_000);
  let service: Service;
  let runs: KillRuns;
  let expected: Outcome;

  before(async () => {
    service = await Service.start();
    const rest = { allowedXmlns: ['NSR', 'PEN'], profile: 'timetable', ownerOrganisationId: 1 };
    await (await service.client()).putCodespace('dem', { name: 'Demo', xmlns: 'DEM', ...rest });
    runs = new KillRuns(service, 'dem', (await useFewLines()).timetable, temporaryDirectory('kill'));
    expected = await runs.undisturbed();
  });

  after(async () => {
    await runs?.close();
    await service?.stop();
  });

  it('is published once when undisturbed', () => {
    assert.deepEqual([expected.state, expected.publications], ['OK', 1]);
    assert.ok(expected.privateDataset);
  });

  for (const one of CASES) {
    it(`has the same outcome when ${one.victims.join(' and ')} die in ${one.step}`, async () => {
      assert.deepEqual(await runs.disturbed(one), expected);
    });
  }
});
