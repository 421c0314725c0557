/**
 * Converts a temporary profile to a permanent one. The handler prepares the new content in the database; the profile's
 * workflow decides between conversion and expiry. While Temporal is unavailable the answer is 503, and a repeat joins
 * the work.
 */
import type { ConversionOutcome } from '../../workflows/customers/messages.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Operation } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { CustomersDependencies } from './dependencies.ts';
import { conversionOf } from './profile-requests.ts';
import { profileReply } from './replies.ts';
import { targetOf, writeOf } from './requests.ts';
import { organisationOf } from './start-workflow.ts';

export function createConvert(dependencies: CustomersDependencies): Operation<Operations['convertProfile']> {
  const { profiles, passwords, workflows } = dependencies;
  return async (context) => {
    const { body, caller } = context;
    const [tenancy, customerNumber] = targetOf(context);
    const { password } = body;
    const passwordHash = password === undefined ? undefined : await passwords.hash(caller.organisationId, password);
    const write = await writeOf(context, body);
    const prepared = await profiles.prepareConversion(tenancy, customerNumber, conversionOf(body, passwordHash), write);
    if ('converted' in prepared) return profileReply(prepared.converted);
    const organisationId = await organisationOf(dependencies, tenancy, customerNumber);
    if (organisationId === undefined) throw refusalOf('EXPIRED');
    const { conversionId } = prepared;
    const updateId = `idem:${write.workId}`;
    const outcome = await workflows.convert({ organisationId, customerNumber, conversionId, updateId });
    if (outcome !== 'CONVERTED') throw refusalOf(outcome);
    return profileReply(await profiles.get(tenancy, customerNumber, 'PERMANENT'));
  };
}

function refusalOf(outcome: Exclude<ConversionOutcome, 'CONVERTED'>): ServiceError {
  switch (outcome) {
    case 'DUPLICATE_EMAIL':
      return new ServiceError('DUPLICATE_EMAIL', 'Another profile of the organisation has this e-mail address.');
    case 'DUPLICATE_CUSTOMER_REF':
      return new ServiceError('DUPLICATE_CUSTOMER_REF', 'Another profile of the organisation has this reference.');
    case 'PERMANENT':
      return new ServiceError('INVALID_STATE', 'The profile is a permanent one already.');
    case 'EXPIRED':
      return new ServiceError('INVALID_STATE', 'The profile has expired.');
  }
}
