/** Tests the files that `npm run netex:filter` writes, and its error texts. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { DEMO_DATE } from '../support/demo-dataset.ts';
import { useFewLines } from '../support/few-lines.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { run } from '../support/run.ts';

describe('npm run netex:filter', () => {
  let folder: string;
  let timetable: string;
  before(async () => {
    folder = temporaryDirectory('netex-filter');
    ({ timetable } = await useFewLines());
  });

  const filter = (archive: string, codespace: string, out: string): Promise<string> =>
    run(process.execPath, [join(projectRoot, 'dev/netex-filter.ts'), archive, codespace, DEMO_DATE, out]);

  it('writes the filtered archive and reports what was kept', async () => {
    const out = join(folder, 'private.zip');
    assert.match(await filter(timetable, 'dem', out), /^ServiceJourney +\d+/m);
    assert.ok(existsSync(out));
  });

  it('writes nothing and names the error for a wrong path or codespace', async () => {
    const out = join(folder, 'none.zip');
    const missing = join(folder, 'missing');
    const refused = async (answer: Promise<string>, words: string): Promise<void> => {
      await assert.rejects(answer, ({ message }: Error) => message.includes(words) && !message.includes('ENOENT'));
    };
    await refused(filter(`${missing}.zip`, 'dem', out), `There is no file ${missing}.zip`);
    await refused(filter(folder, 'dem', out), 'is no file');
    await refused(filter(timetable, 'dem', join(missing, 'x.zip')), `There is no folder ${missing}`);
    await refused(filter(timetable, 'dem', folder), 'is a folder');
    await refused(filter(timetable, 'xyz', out), 'begins with XYZ:');
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('none')),
      [],
    );
  });
});
