/**
 * Checks a customer's password for a partner. An unknown customer, a customer without a password, one of another
 * organisation and a wrong password get the same answer after the same work. Takes no idempotency key: a stored "yes"
 * would outlive the password.
 *
 * Failures are counted by profile or name: of each client and end user's address, and of all together. So nobody else
 * keeps the customer out at an address of its own. They are also counted by client and address, where the client sends
 * one. The address of the connection does not count: it is that of the partner's server, and all customers of the
 * partner share it. Log-ins without an end user's address count as coming from one address, the client's.
 */
import type { FailureLimit } from '../../activities/customers/login-places.ts';
import type { Login } from '../../activities/customers/profile-store.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Caller, Operation } from '../shared/operation.ts';
import { networkOf } from '../shared/trusted-proxies.ts';
import type { Operations, Schemas } from './contract.gen.ts';
import type { CustomersDependencies } from './dependencies.ts';
import { mayReach, tenancyOf } from './requests.ts';

const END_USER_ADDRESS = 'service-end-user-address';
/** Log-ins at once of one profile, and from one address, in one process. Many customers may share an address. */
const AT_ONCE = { perProfile: 1, perAddress: 10 };

export function createAuthenticate(dependencies: CustomersDependencies): Operation<Operations['authenticateProfile']> {
  const { profiles, passwords, loginFailures } = dependencies;
  return async ({ body, caller, headers, log }) => {
    const { username, password, organisationId } = body;
    const login = mayReach(caller, organisationId) ? await profiles.findLogin(organisationId, username) : undefined;
    const attempt = await loginFailures.begin(
      limitsOf(dependencies, { login, caller, body, address: headers[END_USER_ADDRESS] }),
    );
    let right: boolean;
    try {
      right = await passwords.verify(caller.organisationId, password, login?.passwordHash);
    } catch (error) {
      await attempt.release();
      throw error;
    }
    if (right && login) {
      await attempt.release();
      await renewHash(dependencies, caller, login, password).catch((error: unknown) => {
        log.warn({ err: error }, 'the hash of a password was not renewed; the next log-in tries again');
      });
      return { status: 200, json: { customerNumber: login.customerNumber } };
    }
    await attempt.fail();
    throw new ServiceError('INVALID_CREDENTIALS', 'User name or password is not right.', {
      headers: { 'www-authenticate': 'Bearer' },
    });
  };
}

/** A hash with the parameters of an earlier release is made anew: only now is the password known. */
async function renewHash(
  { profiles, passwords }: CustomersDependencies,
  caller: Caller,
  login: Login,
  password: string,
): Promise<void> {
  if (login.passwordHash === undefined || passwords.isCurrent(login.passwordHash)) return;
  const renewed = await passwords.hash(caller.organisationId, password);
  await profiles.renewPasswordHash(tenancyOf(caller), login, renewed);
}

interface Attempt {
  readonly login: Login | undefined;
  readonly caller: Caller;
  readonly body: Schemas['Login'];
  /** The end user's address, as the client states it. */
  readonly address: string | undefined;
}

/** Names and addresses are stored as keyed hashes only. An unknown name counts for the caller's organisation alone. */
function limitsOf(
  { searchKeys, loginLimits }: Pick<CustomersDependencies, 'searchKeys' | 'loginLimits'>,
  { login, caller, body: { username, organisationId }, address }: Attempt,
): readonly FailureLimit[] {
  const hash = searchKeys.hash.bind(searchKeys, caller.organisationId);
  const subject = login
    ? `profile/${login.customerNumber}`
    : `name/${hash('username', String(organisationId), username)}`;
  const from = hash('endUserAddress', caller.clientId, address === undefined ? '' : networkOf(address));
  const source = { key: from, most: loginLimits.perProfileAndAddress };
  const byName = { subject, most: loginLimits.perProfile, atOnce: AT_ONCE.perProfile, source };
  if (address === undefined) return [byName];
  const byAddress = `address/${from}`;
  // The address first: what waits for a turn of the address must not hold up the customer at another one.
  return [{ subject: byAddress, most: loginLimits.perAddress, atOnce: AT_ONCE.perAddress }, byName];
}
