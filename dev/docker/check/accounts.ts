/**
 * Finds faults of the logins. A process or command may lack its own, or have one for a server that its manifest does
 * not name. A job may lack a password, or customers' keys may be within reach of others.
 */
import { type Account, accountOf, listAccountNames } from '../../../ops/privileges/accounts.ts';
import type { ComposeFile, ComposeService } from '../compose-file.ts';
import type { Composition } from './composition.ts';

const PLACES = { data: 'samferd', customerKeys: 'samferd_customer_keys', bucket: 'samferd' };
/** The command that manages clients shares its service with those that need Temporal alone. */
const SERVICE_NAMES: Readonly<Record<string, string>> = { client: 'tools' };
const KEYS_NETWORK = 'keys';

type Login = readonly [variable: string, needed: boolean, user: string | undefined];

export function checkAccounts({ compose }: Composition): readonly string[] {
  const accounts = listAccountNames().map((name) => accountOf(name, PLACES));
  return [
    ...accounts.flatMap((account) => checkService(account, compose)),
    ...checkJob(compose, ['mongodb-users', 'MONGODB_ACCOUNTS'], accounts, ({ data }) => data.length > 0),
    ...checkJob(compose, ['mongodb-keys-users', 'MONGODB_ACCOUNTS'], accounts, reachesKeys),
    ...checkJob(compose, ['minio-bucket', 'S3_ACCOUNTS'], accounts, ({ policy }) => policy !== undefined),
    ...checkKeysNetwork(compose, accounts.filter(reachesKeys).map(serviceOf)),
  ];
}

const reachesKeys = ({ customerKeys }: Account): boolean => customerKeys.length > 0;

function serviceOf({ name }: Account): string {
  return SERVICE_NAMES[name] ?? name;
}

function checkService(account: Account, { services }: ComposeFile): readonly string[] {
  const name = serviceOf(account);
  const service = services[name];
  if (!service) return [`${name}: is no service`];
  const { MONGODB_URI, CUSTOMER_KEYS_MONGODB_URI, S3_ACCESS_KEY_ID } = service.environment;
  const logins: readonly Login[] = [
    ['MONGODB_URI', account.data.length > 0, userOf(MONGODB_URI)],
    ['CUSTOMER_KEYS_MONGODB_URI', reachesKeys(account), userOf(CUSTOMER_KEYS_MONGODB_URI)],
    ['S3_ACCESS_KEY_ID', account.policy !== undefined, S3_ACCESS_KEY_ID],
  ];
  return logins.flatMap(([variable, needed, user]) => {
    if (user === (needed ? account.name : undefined)) return [];
    const wanted = needed ? `its login is ${account.name}` : 'its manifest names nothing there';
    return [`${name}: ${variable} has the login ${user ?? 'of nobody'}, but ${wanted}`];
  });
}

function userOf(uri: string | undefined): string | undefined {
  return uri === undefined ? undefined : new URL(uri).username;
}

function checkJob(
  { services }: ComposeFile,
  [job, variable]: readonly [string, string],
  accounts: readonly Account[],
  isNeeded: (account: Account) => boolean,
): readonly string[] {
  const given = (services[job]?.environment[variable] ?? '').split(' ').map((pair) => pair.split('=')[0]);
  const needed = accounts.filter(isNeeded).map(({ name }) => name);
  const fault = (name: string | undefined) => `${job}: ${variable} does not fit the account ${name}`;
  return [
    ...needed.filter((name) => !given.includes(name)).map(fault),
    ...given.filter((name) => !needed.some((each) => each === name)).map(fault),
  ];
}

function checkKeysNetwork({ services }: ComposeFile, allowed: readonly string[]): readonly string[] {
  const joins = ({ networks }: ComposeService): boolean => KEYS_NETWORK in networks;
  return Object.entries(services)
    .filter(([name, service]) => joins(service) && !allowed.includes(name) && !name.startsWith('mongodb-keys'))
    .map(([name]) => `${name}: is in the network of the customers’ keys, which its manifest does not name`);
}
