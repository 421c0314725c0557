/**
 * Prepares a database for its users: makes the indexes of all areas, and for each account a role and a user with a password.
 * Safe to repeat: documents stay, passwords become the given ones, and users without an account are removed. Callers: the jobs
 * of the composition, the local stack.
 */
import type { mongo } from 'mongoose';
import { AREAS } from '../../activities/areas.ts';
import { collectionsOf } from '../../platform/area.ts';
import { outboxDefinition } from '../../platform/events/outbox-index.ts';
import { PLATFORM_COLLECTIONS } from '../../platform/mongo/platform-collections.ts';
import type { DatabasePrivilege } from '../../platform/privileges/database-privileges.ts';

export interface DatabaseUser {
  readonly name: string;
  readonly password: string;
  readonly privileges: readonly DatabasePrivilege[];
}

/** Without the older mechanism, whose hash is weaker. */
export const MECHANISMS = ['SCRAM-SHA-256'] as const;

interface Named {
  readonly user: string;
}

/** `kind`: which collections of the manifests the database holds. */
export async function makeIndexes(db: mongo.Db, kind: 'data' | 'customerKeys'): Promise<void> {
  const entries = [...collectionsOf(AREAS), ...PLATFORM_COLLECTIONS].filter(
    ({ database = 'data' }) => database === kind,
  );
  await Promise.all(
    entries.map(async ({ definition, outbox }) => {
      await definition.makeIndexes(db);
      if (outbox) await outboxDefinition(definition.collection).makeIndexes(db);
    }),
  );
}

/** `db` is connected as an administrator. The users authenticate against this database. */
export async function putUsers(db: mongo.Db, users: readonly DatabaseUser[]): Promise<void> {
  const [roles, present] = await Promise.all([listRoles(db), listUsers(db)]);
  await Promise.all(
    users.map(async ({ name, password: pwd, privileges }) => {
      const role = roles.has(name) ? { updateRole: name } : { createRole: name };
      await db.command({ ...role, privileges, roles: [] });
      const user = present.has(name) ? { updateUser: name } : { createUser: name };
      await db.command({ ...user, pwd, mechanisms: MECHANISMS, roles: [{ role: name, db: db.databaseName }] });
    }),
  );
  const wanted = new Set(users.map(({ name }) => name));
  for (const name of present) if (!wanted.has(name)) await db.command({ dropUser: name });
  for (const name of roles) if (!wanted.has(name)) await db.command({ dropRole: name });
}

async function listUsers(db: mongo.Db): Promise<ReadonlySet<string>> {
  const { users } = (await db.command({ usersInfo: 1 })) as { readonly users: readonly Named[] };
  return new Set(users.map(({ user }) => user));
}

async function listRoles(db: mongo.Db): Promise<ReadonlySet<string>> {
  const { roles } = (await db.command({ rolesInfo: 1 })) as { readonly roles: readonly { readonly role: string }[] };
  return new Set(roles.map(({ role }) => role));
}
