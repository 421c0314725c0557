/**
 * An archive may look sound from its directory and the beginnings of its files, and show only when read to the end that
 * it is not. Then the import ends with the same code and text as if the classification had found it.
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
