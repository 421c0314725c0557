/**
 * The accounts of an installation. Each process and each operators' command has its own user in the databases that it
 * reaches. If it reaches objects, it also has its own user in the object store. Everything follows from the manifests.
 * Callers: the jobs of the composition, the local stack, tests.
 */
import { AREAS } from '../../activities/areas.ts';
import { AUDIT_ENTRIES } from '../../activities/audit/audit-query.ts';
import {
  type BucketPolicy,
  readingAllObjects,
  replacingAllObjects,
  toBucketPolicy,
} from '../../platform/privileges/bucket-policy.ts';
import {
  type DatabasePrivilege,
  readingAll,
  replacingAll,
  toDatabasePrivileges,
} from '../../platform/privileges/database-privileges.ts';
import { listProcesses, type Privileges, privilegesOf } from '../../platform/privileges/process-privileges.ts';
import { ADDED_PREFIXES } from '../backup/added-objects.ts';

/** The names of databases and bucket of an installation. */
export interface Places {
  readonly data: string;
  readonly customerKeys: string;
  readonly bucket: string;
}

export interface Account {
  /** User in the database, and access key in the object store. */
  readonly name: string;
  /** Empty if the account has no user there. */
  readonly data: readonly DatabasePrivilege[];
  readonly customerKeys: readonly DatabasePrivilege[];
  /** Undefined if the account has no user there. */
  readonly policy: BucketPolicy | undefined;
}

/** Commands that copy everything, including areas that this release does not know. */
const COPYING = ['backup', 'backup-keys', 'restore'] as const;

/** Returns the names of all accounts of an installation whose processes run alone. */
export function listAccountNames(): readonly string[] {
  return [...listProcesses(AREAS), ...COPYING];
}

/** `parts` are the processes that share one process and its account; the default is `name` alone. */
export function accountOf(name: string, places: Places, parts: readonly string[] = [name]): Account {
  const { data, customerKeys, bucket } = places;
  if (name === 'backup') {
    const recorded = { resource: { db: data, collection: AUDIT_ENTRIES.collection }, actions: ['insert'] };
    return { name, data: [...readingAll(data), recorded], customerKeys: [], policy: readingAllObjects(bucket) };
  }
  if (name === 'backup-keys') return { name, data: [], customerKeys: readingAll(customerKeys), policy: undefined };
  if (name === 'restore') {
    return {
      name,
      data: replacingAll(data),
      customerKeys: replacingAll(customerKeys),
      policy: replacingAllObjects(bucket, ADDED_PREFIXES),
    };
  }
  return fromPrivileges(name, privilegesOf(parts, AREAS), places);
}

function fromPrivileges(name: string, rights: Privileges, { data, customerKeys, bucket }: Places): Account {
  return {
    name,
    data: toDatabasePrivileges(data, rights.data),
    customerKeys: toDatabasePrivileges(customerKeys, rights.customerKeys),
    policy: rights.objects.size > 0 ? toBucketPolicy(bucket, rights.objects) : undefined,
  };
}
