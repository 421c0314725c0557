/**
 * Checks a customer's password for a partner. An unknown customer, a customer without a password, one of another
 * organisation and a wrong password get the same answer after the same work. Takes no idempotency key: a stored "yes"
 * would outlive the password.
 */
import type { Login } from '../../activities/customers/profile-store.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Operation } from '../shared/operation.ts';
import type { Operations, Schemas } from './contract.gen.ts';
import type { CustomersDependencies } from './dependencies.ts';
import { mayReach } from './requests.ts';

export function createAuthenticate(dependencies: CustomersDependencies): Operation<Operations['authenticateProfile']> {
  const { profiles, passwords, searchKeys, loginFailures, loginLimits, addressOf } = dependencies;
  /** For an unknown name only a keyed hash is stored, counted for the caller alone. */
  const subjectOf = (
    login: Login | undefined,
    caller: OrganisationId,
    { username, organisationId }: Schemas['Login'],
  ) =>
    login
      ? `profile/${login.customerNumber}`
      : `name/${searchKeys.hash(caller, 'username', String(organisationId), username)}`;
  return async ({ body, caller, request }) => {
    const { username, password, organisationId } = body;
    const login = mayReach(caller, organisationId) ? await profiles.findLogin(organisationId, username) : undefined;
    const attempt = await loginFailures.begin([
      { subject: subjectOf(login, caller.organisationId, body), most: loginLimits.perProfile },
      { subject: `address/${addressOf(request)}`, most: loginLimits.perAddress },
    ]);
    let right: boolean;
    try {
      right = await passwords.verify(password, login?.passwordHash);
    } catch (error) {
      await attempt.release();
      throw error;
    }
    if (right && login) {
      await attempt.release();
      return { status: 200, json: { customerNumber: login.customerNumber } };
    }
    await attempt.fail();
    throw new ServiceError('INVALID_CREDENTIALS', 'User name or password is not right.', {
      headers: { 'www-authenticate': 'Bearer' },
    });
  };
}
