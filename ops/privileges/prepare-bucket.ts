/**
 * Prepares a MinIO server: the bucket, and for each account that reaches objects a policy and a user. Safe to repeat. Callers:
 * the jobs of the composition, the local stack.
 */
import { ObjectStore, type ObjectStoreConfig } from '../../platform/object-store/object-store.ts';
import type { BucketPolicy } from '../../platform/privileges/bucket-policy.ts';
import { MinioUsers } from './minio-users.ts';

export interface BucketUser {
  /** Access key, and name of its policy. */
  readonly name: string;
  readonly secret: string;
  readonly policy: BucketPolicy;
}

/** `config` holds the administrator's keys. */
export async function prepareBucket(config: ObjectStoreConfig, users: readonly BucketUser[]): Promise<void> {
  const store = await ObjectStore.open(config);
  store.close();
  const admin = new MinioUsers(config);
  try {
    await Promise.all(
      users.map(async ({ name, secret, policy }) => {
        await Promise.all([admin.putPolicy(name, policy), admin.putUser(name, secret)]);
        await admin.attachPolicy(name, name);
      }),
    );
  } finally {
    admin.close();
  }
}
