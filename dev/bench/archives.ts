/** The archives that benchmarks run on, and how the running service takes one. */
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TimetableClient } from '../demo/api-client.ts';
import { projectRoot } from '../setup/resolve.mjs';

export const sharedFolder = resolve(projectRoot, process.env.SHARED_DIR ?? '../shared');
/** A whole operator: 99 files, 58.9 MB unpacked. */
export const AOR = join(sharedFolder, 'netex/data/entur__marduk/AOR.zip');

export interface ImportFigures {
  /** Unpacked. */
  readonly megabytes: number;
  readonly stepSeconds: Readonly<Record<string, number>>;
  /** From the receipt to the end. */
  readonly allSeconds: number;
  readonly findingsPerRule: Readonly<Record<string, number>>;
}

/** How often it is asked whether the import has ended; seldom of a long one, since asking takes time from what is measured. */
const LOOK_MS = 100;
const LOOK_SHARE = 0.04;

export async function importArchive(client: TimetableClient, codespace: string, path: string): Promise<ImportFigures> {
  const begun = performance.now();
  const correlationId = await client.upload(codespace, path);
  while ((await client.status(codespace, correlationId)).state === 'IN_PROGRESS') {
    await delay(Math.max(LOOK_MS, LOOK_SHARE * (performance.now() - begun)));
  }
  const allSeconds = (performance.now() - begun) / 1000;
  const events = await client.events(codespace, correlationId);
  const { findingsPerRule } = await client.report(codespace, correlationId);
  const classified = events.find(({ action }) => action === 'FILE_CLASSIFICATION');
  return {
    megabytes: Number(classified?.details?.unpackedBytes) / 1e6,
    stepSeconds: Object.fromEntries(
      events.map(({ action, durationMs }) => [action, (durationMs ?? Number.NaN) / 1000]),
    ),
    allSeconds,
    findingsPerRule,
  };
}

export async function grantCodespace(client: TimetableClient, codespace: string): Promise<void> {
  const xmlns = codespace.toUpperCase();
  await client.putCodespace(codespace, {
    name: codespace,
    xmlns,
    allowedXmlns: ['NSR', 'PEN'],
    profile: 'timetable',
    ownerOrganisationId: 1,
  });
}
