/**
 * Runs the last stage: rules across the files of a dataset, and the totals of all its results.
 *
 * Callers: the activity `validateDataset`; tests. Reads the results one at a time, each a few times, so its memory
 * does not grow with the dataset. It holds totals, parts of the hashes and interchanges, and the findings to list (at
 * most 50 per rule and file, and FINDINGS_HELD in all). The outcome does not depend on the order in which results
 * were made or listed.
 */
import { setImmediate } from 'node:timers/promises';
import { ERROR_VALIDATION_NO_DATA } from '../rules/intake.ts';
import type { DatasetContext, DatasetOutcome, DatasetSource } from './dataset-outcome.ts';
import { DatasetTotals } from './dataset-totals.ts';
import { findDuplicateIds } from './duplicate-ids.ts';
import { type ReadResult, type SurveyedFile, surveyFile } from './file-survey.ts';
import { countIdentifiers } from './identifiers.ts';
import { checkInterchanges } from './interchanges.ts';
import { LineNames } from './line-names.ts';
import { TimetableExtract } from './timetable/timetable-extract.ts';

export async function validateDataset(source: DatasetSource, context: DatasetContext): Promise<DatasetOutcome> {
  const totals = new DatasetTotals(context);
  const files = source.files.toSorted(byKindAndName);
  // A source with its results in memory resolves at once; this lets other work of the process run between files.
  const read = async (name: string) => {
    await setImmediate();
    return await source.read(name);
  };
  let idsTotal = 0;
  const lineNames = new LineNames();
  const surveyed: SurveyedFile[] = [];
  for (const { name } of files) {
    const result = await read(name);
    idsTotal += countIdentifiers(result.identifiers);
    totals.addFile(result);
    lineNames.take(name, new TimetableExtract(result.timetable));
    surveyed.push(surveyFile(result));
  }
  const { idsPerPass } = context;
  await totals.addAll(findDuplicateIds({ files, idsTotal, read, context, ...(idsPerPass ? { idsPerPass } : {}) }));
  if (context.dataset === 'timetable') await checkTimetable(surveyed, lineNames, read, context, totals);
  if (files.length === 0) totals.addOfDataset(ERROR_VALIDATION_NO_DATA, NO_DATA);
  totals.addIfIncomplete();
  return totals.outcome();
}

async function checkTimetable(
  files: readonly SurveyedFile[],
  lineNames: LineNames,
  read: ReadResult,
  context: DatasetContext,
  totals: DatasetTotals,
): Promise<void> {
  const { interchangesPerPass } = context;
  await totals.addAll(lineNames.findDuplicates(read, context));
  await totals.addAll(
    checkInterchanges({ files, read, context, ...(interchangesPerPass ? { interchangesPerPass } : {}) }),
  );
}

const NO_DATA = 'The dataset holds no NeTEx file; expected at least one.';

function byKindAndName(a: { kind: string; name: string }, b: { kind: string; name: string }): number {
  return (a.kind === b.kind ? 0 : a.kind === 'common' ? -1 : 1) || (a.name < b.name ? -1 : 1);
}
