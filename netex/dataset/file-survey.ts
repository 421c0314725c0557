/** Summary of each file from the first reading of the results. Later readings skip files that they do not need. */
import type { FileResult } from '../file-result.ts';
import type { Finding } from '../finding.ts';
import type { DatasetFile } from './dataset-outcome.ts';
import { TimetableExtract } from './timetable/timetable-extract.ts';

export interface SurveyedFile extends DatasetFile {
  /** When false, the rules over the dataset do not know its timetable. */
  readonly wasRead: boolean;
  readonly interchanges: number;
  readonly journeys: number;
  readonly stopPoints: number;
}

/** Findings of one file, by a rule over the dataset. */
export interface FileFindings {
  readonly counts: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
}

export type ReadResult = (fileName: string) => Promise<FileResult>;

export function surveyFile({ name, kind, timetable }: FileResult): SurveyedFile {
  const extract = new TimetableExtract(timetable);
  return {
    name,
    kind,
    wasRead: extract.wasRead,
    interchanges: extract.interchangeCount,
    journeys: extract.journeyCount,
    stopPoints: extract.stopPointCount,
  };
}
