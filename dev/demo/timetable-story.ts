/** The operator's chapter of the demo story: an upload, its steps and report, the downloads, and a journey on it. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { TimetableClient } from './api-client.ts';
import { generateDemo } from './generate.ts';
import { DEMO_CODESPACE } from './import.ts';
import { searchJourney, untilPlannerAnswers } from './planner-client.ts';
import { todayInOslo } from './service-days.ts';
import { StoryError, say } from './story.ts';
import { watchImport } from './watch-import.ts';

export interface TimetableChapter {
  readonly timetable: TimetableClient;
  readonly plannerUrl: string;
  /** For the archive. */
  readonly folder: string;
  /** Numbers of the lines in the archive; all unless given. */
  readonly lines?: readonly number[];
}

export async function tellTimetable({ timetable, plannerUrl, folder, lines }: TimetableChapter): Promise<void> {
  const { path, sha256 } = await makeArchive(folder, lines);
  const correlationId = await uploadAndWatch(timetable, path);
  await tellReport(timetable, correlationId);
  await tellVersions(timetable, sha256);
  await tellPrivateDataset(timetable, correlationId);
  await tellJourney(timetable, plannerUrl, correlationId);
}

/** The publication time makes each archive a new one: the same bytes again would be refused as a duplicate. */
async function makeArchive(folder: string, lines?: readonly number[]): Promise<{ path: string; sha256: string }> {
  const now = new Date();
  const date = todayInOslo(now);
  const { timetable: path } = await generateDemo({
    date,
    directory: folder,
    createdAt: now.toISOString().slice(0, 23),
    ...(lines && { lines }),
  });
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  const sha256 = hash.digest('hex');
  say('A NeTEx archive of the demo region', `${(await stat(path)).size} bytes, sha-256 ${sha256}`);
  return { path, sha256 };
}

async function uploadAndWatch(timetable: TimetableClient, path: string): Promise<string> {
  const correlationId = await timetable.upload(DEMO_CODESPACE, path);
  say('Uploaded', `correlation id ${correlationId}`);
  say('Its import');
  const outcome = await watchImport(timetable, DEMO_CODESPACE, correlationId, {
    onEvent: ({ action, state, durationMs }) => {
      const ended = state !== 'STARTED' && state !== 'PENDING' && durationMs !== undefined;
      console.log(`   ${action} ${state}${ended ? ` (${durationMs} ms)` : ''}`);
    },
  });
  if (outcome.state === 'FAILED') {
    throw new StoryError(
      `The import failed: ${outcome.reason}`,
      'See the import in the Temporal UI and the workers’ log.',
    );
  }
  if (outcome.state === 'DUPLICATE') {
    throw new StoryError('The archive was refused as a duplicate', 'Wait for a running import to end, then try again.');
  }
  return correlationId;
}

async function tellReport(timetable: TimetableClient, correlationId: string): Promise<void> {
  const report = await timetable.report(DEMO_CODESPACE, correlationId);
  const journeys = report.files.reduce((sum, file) => sum + file.serviceJourneys, 0);
  const findings = Object.entries(report.findingsPerRule).map(([code, count]) => `${code} ${count}`);
  say('The report', `${report.files.length} files, ${journeys} service journeys, valid: ${report.valid}`);
  console.log(`   findings: ${findings.join(', ') || 'none'}`);
  if (!report.valid)
    throw new StoryError('The report of a published dataset says it is not valid', 'This is a defect.');
}

async function tellVersions(timetable: TimetableClient, sha256: string): Promise<void> {
  const versions = await timetable.versions(DEMO_CODESPACE);
  const newest = versions[0];
  if (!newest) throw new StoryError('No version is listed after a good import', 'This is a defect.');
  say('Versions, newest first', ...versions.map(({ importKey, creationDate }) => `${importKey} of ${creationDate}`));
  for (const version of ['latest', `version/${newest.importKey}`]) {
    const download = await timetable.download(DEMO_CODESPACE, version);
    say(`Downloaded ${version}`, `${download.bytes} bytes, sha-256 ${download.sha256}`);
    if (download.sha256 === sha256) continue;
    throw new StoryError(
      `${version} is not the uploaded archive (${sha256})`,
      'Is something else uploading? Try again.',
    );
  }
}

async function tellPrivateDataset(timetable: TimetableClient, correlationId: string): Promise<void> {
  const events = await timetable.events(DEMO_CODESPACE, correlationId);
  const details = events.find(({ action }) => action === 'PRIVATE_EXPORT')?.details;
  const download = await timetable.downloadFiltered(DEMO_CODESPACE);
  if (!download || !details) {
    throw new StoryError(
      'There is no private dataset after a good import',
      'See the step PRIVATE_EXPORT of the import.',
    );
  }
  const kept = (details.kept ?? {}) as Readonly<Record<string, number>>;
  const shown = ['Line', 'ServiceJourney', 'DatedServiceJourney', 'DeadRun', 'Block'].flatMap((kind) =>
    kept[kind] === undefined ? [] : [`${kind} ${kept[kind]}`],
  );
  say('The private dataset', `${download.fileName}, ${download.bytes} bytes, sha-256 ${download.sha256}`);
  console.log(`   of ${details.day}, ${details.files} files, valid by the same rules; ${shown.join(', ')}`);
}

/** On the very dataset that was uploaded: the planner is waited for until it has it. */
async function tellJourney(timetable: TimetableClient, plannerUrl: string, correlationId: string): Promise<void> {
  const events = await timetable.events(DEMO_CODESPACE, correlationId);
  const step = events.find(({ action }) => action === 'PLANNER_BUILD');
  if (step?.state !== 'OK') {
    throw new StoryError(
      `The step PLANNER_BUILD is ${step?.state ?? 'not there'}`,
      'See the planner worker’s log under .local.',
    );
  }
  await untilPlannerAnswers(plannerUrl, undefined, String(step.details?.snapshotId));
  const { from, to, patterns } = await searchJourney(plannerUrl, new Date());
  if (patterns.length === 0) throw new StoryError(`There is no journey from ${from.name} to ${to.name}`, 'Try again.');
  say(
    `Journeys from ${from.name} to ${to.name}`,
    ...patterns.map(({ expectedStartTime, expectedEndTime, legs }) => {
      const ways = legs.map(({ mode, line }) => (line ? `${mode} ${line.publicCode}` : mode)).join(', ');
      return `${expectedStartTime} → ${expectedEndTime}: ${ways}`;
    }),
  );
}
