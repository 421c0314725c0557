/**
 * The remains of a profile: that it existed, its organisation, and the time of its erasure. Caller: the lifecycle
 * store.
 *
 * The code lists the members to keep, so a member that is added to profiles later is removed without being named. The check
 * afterwards finds every member that is not listed here.
 */
import type { ProfileDocument } from './profile-document.ts';

/** `erasure` stays only until the profile is marked as erased. */
const STAYS = {
  _id: '$_id',
  organisationId: '$organisationId',
  status: '$status',
  erasure: '$erasure',
  sequence: '$sequence',
} as const;

const MAY_STAY = new Set([...Object.keys(STAYS), 'revision', 'outbox', 'erasedAt', 'pendingStart', 'pendingSince']);

/** The update that leaves the tombstone. */
export function toTombstone(): object[] {
  return [{ $replaceWith: { ...STAYS, revision: { $add: ['$revision', 1] }, outbox: { $ifNull: ['$outbox', []] } } }];
}

export function isErasing() {
  return { status: { $in: ['ERASING', 'EXPIRED'] as const } };
}

/** Names of members that do not belong to a tombstone. */
export function findRemains(document: ProfileDocument): readonly string[] {
  return Object.keys(document).filter((member) => !MAY_STAY.has(member));
}
