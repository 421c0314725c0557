/**
 * Runs all kill tests at full count, by hand: every part in every step of an import, and at every moment of a planner
 * build.
 *
 * `npm run test:kill`: both, with the demo timetable. `npm run test:kill -- planner`: the planner alone. `npm run
 * test:kill -- <codespace> <archive.zip> […]`: imports of other archives. Ends with `N passed, N failed`.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Codespace } from '../../workflows/shared/ids.ts';
import { useDemoData } from '../support/demo-dataset.ts';
import { type PartName, Service } from '../support/service.ts';
import { KillRuns, STEPS, VICTIMS } from './kill-runs.ts';
import { MOMENTS, PlannerKillRuns, SOUND } from './planner-kill-runs.ts';

const PLANNER_VICTIMS: readonly (readonly PartName[])[] = [['plannerBuildWorker'], ['temporal'], ['mongod'], ['minio']];
const counts = { passed: 0, failed: 0 };

async function compare(name: string, expected: unknown, run: () => Promise<unknown>): Promise<void> {
  const begun = Date.now();
  const outcome = await run().catch((error: unknown) => error);
  const isSame = isDeepStrictEqual(outcome, expected);
  counts[isSame ? 'passed' : 'failed'] += 1;
  console.log(`${isSame ? 'same' : 'DIFFERENT'} ${name} in ${((Date.now() - begun) / 1000).toFixed(1)} s`);
  if (!isSame) console.log(outcome, expected);
}

async function importMatrix(codespace: string, archive: string, directory: string): Promise<void> {
  const service = await Service.start();
  const runs = new KillRuns(service, codespace, archive, directory);
  try {
    await (await service.client()).putCodespace(codespace, {
      name: codespace,
      xmlns: codespace.toUpperCase(),
      allowedXmlns: ['NSR', 'PEN'],
      profile: 'timetable',
      ownerOrganisationId: 1,
    });
    const begun = Date.now();
    const expected = await runs.undisturbed();
    const seconds = ((Date.now() - begun) / 1000).toFixed(1);
    console.log(`${basename(archive)} undisturbed: ${expected.state} in ${seconds} s`);
    for (const step of STEPS) {
      for (const victims of VICTIMS) {
        await compare(`${step} ${victims.join('+')}`, expected, () => runs.disturbed({ step, victims }));
      }
    }
  } finally {
    await runs.close();
    await service.stop();
  }
}

async function plannerMatrix(): Promise<void> {
  const service = await Service.start({ timetable: false, processes: ['plannerBuildWorker'] });
  const { mongoUri, temporalAddress, objectStore, payloadKeys, plannerSigningKeys } = service;
  const world = { mongoUri, temporalAddress, payloadKeys, plannerSigningKeys, objectStore: objectStore as never };
  const runs = await PlannerKillRuns.open<PartName>({
    ...world,
    kill: (victim) => service.kill(victim),
    restart: (victim) => service.restart(victim),
  });
  try {
    const demo = await useDemoData();
    await runs.publish('nsr' as Codespace, readFileSync(demo.stopRegister));
    await runs.publish('dem' as Codespace, readFileSync(demo.timetable));
    await compare('planner build, undisturbed', SOUND, () => runs.run());
    for (const moment of MOMENTS) {
      for (const victims of PLANNER_VICTIMS) {
        await compare(`planner build, ${moment} ${victims.join('+')}`, SOUND, () => runs.run(moment, victims));
      }
    }
  } finally {
    await runs.close();
    await service.stop();
  }
}

async function main(args: readonly string[]): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'samferd-kill-'));
  try {
    if (args.length === 0) await importMatrix('dem', (await useDemoData()).timetable, directory);
    if (args.length === 0 || args[0] === 'planner') return await plannerMatrix();
    for (let at = 0; at < args.length; at += 2) {
      const [codespace = '', archive] = args.slice(at, at + 2);
      if (archive === undefined) throw new Error('Give nothing, `planner`, or pairs of codespace and archive');
      await importMatrix(codespace, archive, directory);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

await main(process.argv.slice(2));
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
