/** The answers of this area. Whatever tells of a person says of whom, so that a kept answer goes with that person. */
import type { Profile } from '../../activities/customers/customer-types.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import type { Reply } from '../shared/operation.ts';
import { presentProfile } from './presenters.ts';

export const PROFILES_PATH = '/customers/v2/profiles';

export function personalReply(customerNumber: CustomerNumber, json: unknown): Reply {
  return { status: 200, json, personal: { customerNumber } };
}

export function createdReply(customerNumber: CustomerNumber, location: string, json: unknown): Reply {
  return { status: 201, headers: { location }, json, personal: { customerNumber } };
}

export function profileReply(profile: Profile): Reply {
  return personalReply(profile.customerNumber, presentProfile(profile));
}

export function createdProfileReply(profile: Profile): Reply {
  const { customerNumber, profileType } = profile;
  const path = profileType === 'TEMPORARY' ? `${PROFILES_PATH}/temporary` : PROFILES_PATH;
  return createdReply(customerNumber, `${path}/${customerNumber}`, presentProfile(profile));
}
