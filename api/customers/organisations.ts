/** Checks the organisation that a profile is created for. */
import type { CatalogueReader } from '../../activities/shared/catalogue.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Caller } from '../shared/operation.ts';
import { invalidMember, mayReach } from './requests.ts';

/** The caller's own organisation; a caller with the right to all may name any that exists. */
export async function checkOrganisation(
  caller: Caller,
  organisationId: OrganisationId,
  catalogue: CatalogueReader,
): Promise<void> {
  if (organisationId === caller.organisationId) return;
  if (!mayReach(caller, organisationId)) {
    throw new ServiceError('ORGANISATION_FORBIDDEN', 'Profiles are created for the organisation of the token only.');
  }
  if (!(await catalogue.findOrganisation(organisationId))) {
    throw invalidMember('/organisationId', 'UNKNOWN', 'is not an organisation', 422);
  }
}
