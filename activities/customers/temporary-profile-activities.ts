/**
 * The activities of `temporaryProfile`: a read and two conditional writes. Local activities, on the queue
 * `sales-customers`; Temporal retries while a server is unavailable, without end.
 */
import { ApplicationFailure, log } from '@temporalio/activity';
import type { ProfileExpiry, TemporaryProfileRecords } from '../../workflows/customers/activities.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { ExpiryState, ProfileLifecycleStore } from './profile-lifecycle-store.ts';

export interface TemporaryProfileDependencies {
  readonly profiles: Pick<ProfileLifecycleStore, 'expiryOf' | 'expire' | 'convert'>;
}

export function createTemporaryProfileActivities({ profiles }: TemporaryProfileDependencies): TemporaryProfileRecords {
  return {
    readStanding: async ({ organisationId, customerNumber }) =>
      statusOf(await profiles.expiryOf(organisationId, customerNumber)),

    expireProfile: ({ organisationId, customerNumber }) => profiles.expire(organisationId, customerNumber),

    async convertProfile({ organisationId, customerNumber, conversionId }) {
      try {
        return await profiles.convert(organisationId, customerNumber, conversionId);
      } catch (error) {
        if (isCurable(error)) throw error;
        // Retried for ever, it would keep the profile from its expiry.
        const message = 'The conversion could not be carried out';
        // Without the error's text, which may quote personal data.
        log.error(message, { customerNumber, error: error instanceof Error ? error.name : typeof error });
        throw ApplicationFailure.create({ type: 'INTERNAL', message, nonRetryable: true });
      }
    },
  };
}

function statusOf(found: ExpiryState): ProfileExpiry {
  if (found.state === 'TEMPORARY') return { state: 'TEMPORARY', expiresAtMs: found.expirationDate.getTime() };
  if (found.state === 'PERMANENT') return { state: 'PERMANENT' };
  return { state: found.state === 'ERASED' ? 'GONE' : 'ENDING' };
}

const DEFECTS = [TypeError, RangeError, ReferenceError, SyntaxError];

/** A retry may help, except after a defect of the service or with an unusable preparation. */
function isCurable(error: unknown): boolean {
  if (error instanceof ServiceError) return error.status >= 500 && error.code !== 'INTERNAL';
  return !DEFECTS.some((defect) => error instanceof defect);
}
