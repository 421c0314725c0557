/** Temporary profiles: create, look up, change, delete. The workflow `temporaryProfile` ends them. */
import type { Handlers } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { CustomersDependencies } from './dependencies.ts';
import { checkOrganisation } from './organisations.ts';
import { checkExpirationDate, newProfileOf, patchOf } from './profile-requests.ts';
import { createdProfileReply, profileReply } from './replies.ts';
import { targetOf, writeOf } from './requests.ts';
import { organisationOf, startForErasure, startForProfile } from './start-workflow.ts';

type TemporaryProfileOperations = Pick<
  Operations,
  'createTemporaryProfile' | 'getTemporaryProfile' | 'changeTemporaryProfile' | 'deleteTemporaryProfile'
>;

export function createTemporaryProfileOperations(
  dependencies: CustomersDependencies,
): Handlers<TemporaryProfileOperations> {
  const { profiles, catalogue, workflows, now } = dependencies;
  return {
    createTemporaryProfile: async (context) => {
      const { body, caller } = context;
      await checkOrganisation(caller, body.organisationId, catalogue);
      checkExpirationDate(body.expirationDate, now());
      const profile = await profiles.create(newProfileOf(body, 'TEMPORARY', undefined), await writeOf(context));
      await startForProfile(dependencies, context, profile, workflows.startTemporaryProfile);
      return createdProfileReply(profile);
    },
    getTemporaryProfile: async (context) => profileReply(await profiles.get(...targetOf(context), 'TEMPORARY')),
    changeTemporaryProfile: async (context) => {
      const { body } = context;
      const [tenancy, customerNumber] = targetOf(context);
      checkExpirationDate(body.expirationDate, now());
      const change = patchOf(body, customerNumber);
      const write = await writeOf(context, body);
      const profile = await profiles.update(tenancy, customerNumber, 'TEMPORARY', change, write);
      if (body.expirationDate !== undefined) {
        await startForProfile(dependencies, context, profile, workflows.signalExpirationChanged);
      }
      return profileReply(profile);
    },
    deleteTemporaryProfile: async (context) => {
      const [tenancy, customerNumber] = targetOf(context);
      const organisationId = await organisationOf(dependencies, tenancy, customerNumber);
      await profiles.beginErasure(tenancy, customerNumber, 'TEMPORARY', await writeOf(context));
      await startForErasure(dependencies, context, customerNumber, organisationId, workflows.signalEraseNow);
      return { status: 202, json: { customerNumber, status: 'EXPIRED' } };
    },
  };
}
