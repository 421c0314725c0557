/**
 * What is left of a profile: that there was one, whose, and until when. Caller: the lifecycle store.
 *
 * The tombstone is said member by member, as what stays; so a member that is added to profiles later goes by itself, and the
 * look afterwards finds whatever is not named here.
 */
import type { EventEnvironment } from '../shared/outbox.ts';
import { customerEvent } from './customer-events.ts';
import type { ProfileDocument } from './profile-document.ts';

/** `erasure` only until it is marked as erased. */
const STAYS = {
  _id: '$_id',
  organisationId: '$organisationId',
  status: '$status',
  erasure: '$erasure',
} as const;

const MAY_STAY = new Set([
  ...Object.keys(STAYS),
  ...['sequence', 'revision', 'outbox', 'erasedAt', 'pendingStart', 'pendingSince'],
]);

export interface TombstoneMoment {
  readonly environment: EventEnvironment;
  readonly at: Date;
}

/** The update that leaves the tombstone, and says so. */
export function tombstoneOf(
  { _id, organisationId, sequence, erasure }: ProfileDocument,
  { environment, at }: TombstoneMoment,
): object[] {
  const event = customerEvent(
    { type: 'CustomerErased' },
    {
      customerNumber: _id,
      organisationId,
      sequence: sequence + 1,
      correlationId: erasure?.correlationId ?? '',
      environment,
      at,
    },
  );
  const outbox = { $concatArrays: [{ $ifNull: ['$outbox', []] }, [{ $literal: event }]] };
  const revision = { $add: ['$revision', 1] };
  return [{ $replaceWith: { ...STAYS, sequence: sequence + 1, revision, outbox } }];
}

export function isErasing() {
  return { status: { $in: ['ERASING', 'EXPIRED'] as const } };
}

/** Names of members that a tombstone does not have. */
export function findRemains(document: ProfileDocument): readonly string[] {
  return Object.keys(document).filter((member) => !MAY_STAY.has(member));
}
