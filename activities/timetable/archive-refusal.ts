/**
 * Some archives look sound from their directory and the beginnings of their files, and prove broken only when read to
 * the end. Then the import ends with the code and text that the classification would have given.
 */
import { ApplicationFailure } from '@temporalio/activity';
import { ArchiveError } from '../../netex/zip/index.ts';
import { ARCHIVE_REFUSED } from '../../workflows/timetable/activities.ts';

/** Runs `task`; an ArchiveError becomes a failure that Temporal does not retry and that the workflow understands. */
export async function refusingArchives<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw ApplicationFailure.create({
      type: ARCHIVE_REFUSED,
      message: error.message,
      nonRetryable: true,
      details: [error.code],
    });
  }
}
