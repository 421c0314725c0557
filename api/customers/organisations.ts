/** For which organisation a profile may be created. */
import type { CatalogueReader } from '../../activities/shared/catalogue.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Caller } from '../shared/operation.ts';
import { invalidMember, mayReach } from './requests.ts';

/** The caller's own; with leave for every one, any that there is. */
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
