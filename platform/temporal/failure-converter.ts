/**
 * Puts messages and stack traces of failures into payloads, so that the payload codec encrypts them too.
 * Loaded by name: into the workflow bundle, by every client and by every worker.
 */
import { DefaultFailureConverter } from '@temporalio/common';

export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
