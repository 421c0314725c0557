/**
 * The answers of this area. An answer with personal data names its subject, so that a stored one is erased with the
 * subject's key.
 */

import type { Profile } from '../../activities/customers/customer-types.ts';
import { CUSTOMER } from '../../activities/shared/customer-kind.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import { presentProfile } from './presenters.ts';

export const PROFILES_PATH = '/customers/v2/profiles';

export function personalReply<Json>(customerNumber: CustomerNumber, json: Json) {
  return { status: 200 as const, json, subject: CUSTOMER.subjectOf(customerNumber) };
}

export function createdReply<Json>(customerNumber: CustomerNumber, location: string, json: Json) {
  return { status: 201 as const, headers: { location }, json, subject: CUSTOMER.subjectOf(customerNumber) };
}

export function profileReply(profile: Profile) {
  return personalReply(profile.customerNumber, presentProfile(profile));
}

export function createdProfileReply(profile: Profile) {
  const { customerNumber, profileType } = profile;
  const path = profileType === 'TEMPORARY' ? `${PROFILES_PATH}/temporary` : PROFILES_PATH;
  return createdReply(customerNumber, `${path}/${customerNumber}`, presentProfile(profile));
}
