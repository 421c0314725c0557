/** Permanent profiles: create, look up, replace, change, delete. */

import type { Profile } from '../../activities/customers/customer-types.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import type { Caller, Handlers } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { CustomersDependencies } from './dependencies.ts';
import { checkOrganisation } from './organisations.ts';
import { newProfileOf, patchOf, replacementOf } from './profile-requests.ts';
import { createdProfileReply, profileReply } from './replies.ts';
import { isCustomerNumber, noSuchProfile, targetOf, tenancyOf, writeOf } from './requests.ts';
import { organisationOf, startForErasure } from './start-workflow.ts';

type ProfileOperations = Pick<
  Operations,
  'createProfile' | 'getProfile' | 'replaceProfile' | 'changeProfile' | 'deleteProfile'
>;

export function createProfileOperations(dependencies: CustomersDependencies): Handlers<ProfileOperations> {
  const { profiles, passwords, catalogue, workflows } = dependencies;
  return {
    createProfile: async (context) => {
      const { body, caller } = context;
      const { organisationId } = caller;
      await checkOrganisation(caller, body.organisationId, catalogue);
      const content = newProfileOf(body, 'PERMANENT', undefined);
      const passwordHash =
        body.password === undefined ? undefined : await passwords.hash(organisationId, body.password);
      const input = { ...content, ...(passwordHash !== undefined && { passwordHash }) };
      return createdProfileReply(await profiles.create(input, await writeOf(context)));
    },
    getProfile: async ({ path, query, caller }) => {
      const profile = await findProfile(dependencies, caller, path.customerIdentifier, query.organisationId);
      if (!profile) throw noSuchProfile();
      return profileReply(profile);
    },
    replaceProfile: async (context) => {
      const { body } = context;
      const [tenancy, customerNumber] = targetOf(context);
      const change = replacementOf(body, customerNumber);
      return profileReply(
        await profiles.update(tenancy, customerNumber, 'PERMANENT', change, await writeOf(context, body)),
      );
    },
    changeProfile: async (context) => {
      const { body, caller } = context;
      const [tenancy, customerNumber] = targetOf(context);
      const { password } = body;
      const hash = typeof password === 'string' ? await passwords.hash(caller.organisationId, password) : password;
      const change = patchOf(body, customerNumber, hash);
      return profileReply(
        await profiles.update(tenancy, customerNumber, 'PERMANENT', change, await writeOf(context, body)),
      );
    },
    deleteProfile: async (context) => {
      const [tenancy, customerNumber] = targetOf(context);
      const organisationId = await organisationOf(dependencies, tenancy, customerNumber);
      await profiles.beginErasure(tenancy, customerNumber, 'PERMANENT', await writeOf(context));
      await startForErasure(dependencies, context, customerNumber, organisationId, workflows.startProfileErasure);
      return { status: 202, json: { customerNumber, status: 'ERASING' } };
    },
  };
}

/**
 * With an organisation, it is a reference of that organisation. Without one, it is a number, or a reference of the
 * caller's own.
 */
export async function findProfile(
  { profiles }: Pick<CustomersDependencies, 'profiles'>,
  caller: Caller,
  identifier: string,
  given?: OrganisationId,
): Promise<Profile | undefined> {
  const tenancy = tenancyOf(caller);
  if (given === undefined && isCustomerNumber(identifier)) {
    const found = await profiles.find(tenancy, { customerNumber: identifier });
    if (found) return found;
  }
  const organisationId = given ?? caller.organisationId;
  return await profiles.find(tenancy, { customerRef: identifier, organisationId });
}
