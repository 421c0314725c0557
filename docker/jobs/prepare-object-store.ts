/**
 * `node docker/jobs/prepare-object-store.ts`: creates the bucket if it is missing, and gives every account with objects
 * its user with the rights of the manifests. It runs at every start, with the keys of MinIO's administrator.
 */
import { accountOf, listAccountNames } from '../../ops/privileges/accounts.ts';
import { prepareBucket } from '../../ops/privileges/prepare-bucket.ts';
import { objectStoreShape, parseConfig } from '../../platform/config.ts';
import { redactText } from '../../platform/log.ts';
import { accountPasswords, withPasswords } from './accounts.ts';

try {
  const { S3_ACCOUNTS: passwords, ...config } = parseConfig({ ...objectStoreShape, S3_ACCOUNTS: accountPasswords });
  const places = { data: '', customerKeys: '', bucket: config.S3_BUCKET };
  const accounts = listAccountNames().flatMap((name) => {
    const { policy } = accountOf(name, places);
    return policy === undefined ? [] : [{ name, policy }];
  });
  const users = withPasswords(accounts, passwords).map(({ password: secret, ...user }) => ({ ...user, secret }));
  await prepareBucket(config, users);
  process.stdout.write(`The bucket ${config.S3_BUCKET} is there, and has its users\n`);
} catch (error) {
  process.stderr.write(`${redactText(error instanceof Error ? error.message : String(error))}\n`);
  process.exitCode = 1;
}
